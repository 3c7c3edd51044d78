import { maskName } from '#core/values/mask-name.ts';
import type { Queryable } from '#platform/database/db.ts';
import type { AuditTrailRow } from '#platform/privacy/audit-trail.ts';
import { defineService } from '#platform/service.ts';
import { listStaffNames } from './store.ts';

type ListNames = (db: Queryable, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Names of members of merchants, who are actors in the audit trail too. */
export const merchantMemberNames = defineService<ListNames>('memberNames');

export async function renderAuditTrail(
  db: Queryable,
  rows: readonly AuditTrailRow[],
  listMemberNames?: ListNames,
) {
  const actors = [...new Set(rows.flatMap(({ actor, approved_by }) => [actor, approved_by ?? []].flat()))];
  const names = await listStaffNames(db, actors);
  const memberIds = actors.filter((actor) => actor.startsWith('mbr_'));
  for (const [id, name] of (await listMemberNames?.(db, memberIds)) ?? []) names.set(id, maskName(name));
  return rows.map(({ at, subject_kind, subject_id, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actor_name: names.get(row.actor) ?? null,
    approved_by_name: names.get(row.approved_by ?? '') ?? null,
    subject: `${subject_kind}:${subject_id}`,
  }));
}
