import { maskName } from '#core/mask-name.ts';
import type { Queryable } from '#platform/database/db.ts';
import type { TrailRow } from '#platform/privacy/trail.ts';
import { service } from '#platform/service.ts';
import { listNames } from './store.ts';

type ListNames = (db: Queryable, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** What members of merchants are called. */
export const memberNames = service<ListNames>('memberNames');

export async function renderTrail(db: Queryable, rows: readonly TrailRow[], listMembers?: ListNames) {
  const actors = [...new Set(rows.map(({ actor }) => actor))];
  const names = await listNames(db, actors);
  const ofMembers = actors.filter((actor) => actor.startsWith('mbr_'));
  for (const [id, name] of (await listMembers?.(db, ofMembers)) ?? []) names.set(id, maskName(name));
  return rows.map(({ at, subject_kind, subject_id, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actor_name: names.get(row.actor) ?? null,
    subject: `${subject_kind}:${subject_id}`,
  }));
}
