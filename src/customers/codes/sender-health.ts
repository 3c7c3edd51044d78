import { type Queryable, sql } from '#platform/database/db.ts';

/** After so many failures in a row, on all nodes together, the sender counts as failing ... */
const FAILURES_IN_A_ROW = 3;
/** ... for this long after the last one. Then the next code is sent as a probe. */
const PAUSE_MS = 60_000;

export const PAUSE_SECONDS = String(PAUSE_MS / 1000);

export async function isSenderFailing(db: Queryable, now: Date): Promise<boolean> {
  const row = await db.row<{ failing: boolean }>(sql`
    select failures >= ${FAILURES_IN_A_ROW} and last_failed_at > ${new Date(now.getTime() - PAUSE_MS)} as failing
    from sender_health`);
  return row?.failing === true;
}

export async function noteFailure(db: Queryable, at: Date): Promise<void> {
  await db.run(sql`
    insert into sender_health as h (failures, last_failed_at) values (1, ${at})
    on conflict (only_row) do update set failures = h.failures + 1, last_failed_at = excluded.last_failed_at`);
}

export async function noteSuccess(db: Queryable): Promise<void> {
  await db.run(sql`update sender_health set failures = 0 where failures > 0`);
}
