import { type Queryable, sql } from '#platform/database/db.ts';

/** The difference from real time. A greater revision is newer. */
export type ClockOffset = { offset_ms: number; revision: number };

export async function findOffset(db: Queryable): Promise<ClockOffset> {
  const row = await db.row<ClockOffset>(sql`select offset_ms, revision from sandbox_clock`);
  return row ?? { offset_ms: 0, revision: 0 };
}

/** A trigger notifies every node on commit. */
export async function saveOffset(db: Queryable, offsetMs: number): Promise<ClockOffset> {
  const row = await db.row<ClockOffset>(sql`
    insert into sandbox_clock as c (offset_ms, revision) values (${offsetMs}, 1)
    on conflict (only_row) do update set offset_ms = excluded.offset_ms, revision = c.revision + 1
    returning offset_ms, revision`);
  return row!;
}

/** Adds in SQL, so that concurrent moves add up. */
export async function addToOffset(db: Queryable, ms: number): Promise<ClockOffset> {
  const row = await db.row<ClockOffset>(sql`
    insert into sandbox_clock as c (offset_ms, revision) values (${ms}, 1)
    on conflict (only_row) do update set offset_ms = c.offset_ms + excluded.offset_ms, revision = c.revision + 1
    returning offset_ms, revision`);
  return row!;
}
