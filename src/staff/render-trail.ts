import type { Queryable } from '#platform/database/db.ts';
import type { TrailRow } from '#platform/privacy/trail.ts';
import { listNames } from './store.ts';

export async function renderTrail(db: Queryable, rows: readonly TrailRow[]) {
  const names = await listNames(db, [...new Set(rows.map(({ actor }) => actor))]);
  return rows.map(({ at, subject_kind, subject_id, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actor_name: names.get(row.actor) ?? null,
    subject: `${subject_kind}:${subject_id}`,
  }));
}
