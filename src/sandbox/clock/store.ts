import { type Queryable, sql } from '#platform/database/db.ts';

/** The difference from real time. The greater revision is the newer. */
export type Offset = { offset_ms: number; revision: number };

export async function findOffset(db: Queryable): Promise<Offset> {
  const row = await db.row<Offset>(sql`select offset_ms, revision from sandbox_clock`);
  return row ?? { offset_ms: 0, revision: 0 };
}

/** A trigger notifies every node on commit. */
export async function markOffset(db: Queryable, offsetMs: number): Promise<Offset> {
  const row = await db.row<Offset>(sql`
    insert into sandbox_clock as c (offset_ms, revision) values (${offsetMs}, 1)
    on conflict (only_row) do update set offset_ms = excluded.offset_ms, revision = c.revision + 1
    returning offset_ms, revision`);
  return row!;
}

/** Added in SQL: two that advance at the same time both count. */
export async function markAdvanced(db: Queryable, byMs: number): Promise<Offset> {
  const row = await db.row<Offset>(sql`
    insert into sandbox_clock as c (offset_ms, revision) values (${byMs}, 1)
    on conflict (only_row) do update set offset_ms = c.offset_ms + excluded.offset_ms, revision = c.revision + 1
    returning offset_ms, revision`);
  return row!;
}
