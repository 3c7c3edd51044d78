import { batchable, pluck, type Queryable, sql } from '#platform/database/db.ts';
import type { Channel } from './channels/channel.ts';

/** After this many consecutive failures, on all nodes together, a channel is failing. */
const MAX_CONSECUTIVE_FAILURES = 3;
/** How long a channel is failing after its last failure. Then the next message is sent as a probe. */
const PAUSE_MS = 60_000;

export const CHANNEL_PAUSE_SECONDS = String(PAUSE_MS / 1000);

export const isChannelFailing = async (db: Queryable, channel: Channel, now: Date) =>
  (await db.value<boolean>(sql`
    select failures >= ${MAX_CONSECUTIVE_FAILURES} and last_failed_at > ${new Date(now.getTime() - PAUSE_MS)} as failing
    from channel_health where channel = ${channel}`)) === true;

export const recordChannelFailure = (db: Queryable, channel: Channel, failedAt: Date) =>
  db.run(sql`
    insert into channel_health as existing (channel, failures, last_failed_at) values (${channel}, 1, ${failedAt})
    on conflict (channel) do update set failures = existing.failures + 1, last_failed_at = excluded.last_failed_at`);

const resetFailures = batchable(
  (rows: ReadonlyArray<{ batchKey: string; channel: Channel }>) => sql`
    update channel_health set failures = 0 where channel = any(${pluck(rows, 'channel')}) and failures > 0`,
);

/** Resets the failures. Successes of several messages share one statement, in which `messageId` only identifies the row. */
export async function recordChannelSuccess(db: Queryable, channel: Channel, messageId: string) {
  await db.rows(resetFailures({ batchKey: messageId, channel }));
}
