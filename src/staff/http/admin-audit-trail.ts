import { listEndpoint } from '#platform/http/list.ts';
import { auditTrailList } from '#platform/privacy/audit-trail.ts';
import { AuditTrailEntry } from '../schemas.ts';
import { renderAuditTrail, type StaffDeps } from '../staff.ts';

export const getAdminAuditTrail = (deps: StaffDeps) =>
  listEndpoint('GET /admin/audit-trail', deps, auditTrailList, {
    id: 'listAuditTrail',
    summary: 'List the audit trail',
    description: 'Who changed what, when, from where and why. Entries are never deleted.',
    cli: {
      columns: {
        AT: 'at',
        WHO: 'actor_name|actor',
        ACTION: 'action',
        SUBJECT: 'subject',
        REASON: 'reason',
        BEFORE: 'before',
        AFTER: 'after',
      },
    },
    page: 'A page of entries.',
    item: AuditTrailEntry,
    render: (rows) => renderAuditTrail(deps.db, rows, deps.listMemberNames),
  });
