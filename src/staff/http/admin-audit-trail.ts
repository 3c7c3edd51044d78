import { maskName } from '#core/values/mask-name.ts';
import type { Queryable } from '#platform/database/db.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { type AuditTrailRow, auditTrailList } from '#platform/privacy/audit-trail.ts';
import { AuditTrailEntry } from '../schemas.ts';
import type { ListNames, StaffDeps } from '../staff.ts';
import { listStaffNames } from '../store.ts';

export const getAdminAuditTrail = (deps: StaffDeps) =>
  listEndpoint('GET /admin/audit-trail', deps, auditTrailList, {
    id: 'listAuditTrail',
    summary: 'List the audit trail',
    description: 'Who changed what, when, from where and why. Entries are never deleted.',
    cli: { columns: 'at, actor_name|actor, action, subject, reason, before, after' },
    page: 'A page of entries.',
    item: AuditTrailEntry,
    render: (rows) => renderAuditTrail(deps.db, rows, deps.listMemberNames),
  });

async function renderAuditTrail(db: Queryable, rows: readonly AuditTrailRow[], listMemberNames?: ListNames) {
  const actorIds = rows.flatMap(({ actor, approved_by }) =>
    approved_by === null ? [actor] : [actor, approved_by],
  );
  const actorNames = await listStaffNames(db, actorIds);
  const memberIds = actorIds.filter((id) => id.startsWith('mbr_'));
  for (const [id, name] of (await listMemberNames?.(db, memberIds)) ?? []) actorNames.set(id, maskName(name));
  return rows.map(({ at, subject_kind, subject_id, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actor_name: actorNames.get(row.actor) ?? null,
    approved_by_name: actorNames.get(row.approved_by ?? '') ?? null,
    subject: `${subject_kind}:${subject_id}`,
  }));
}
