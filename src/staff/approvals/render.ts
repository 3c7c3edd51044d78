import { DAY_MS } from '#core/values/duration.ts';
import { cents, toReais } from '#core/values/money.ts';
import type { Queryable } from '#platform/database/db.ts';
import type { CallerRole } from '#platform/http/access.ts';
import { Approval } from '#platform/http/approval.ts';
import { type Mask, maskFor } from '#platform/http/masking.ts';
import { project } from '#platform/http/project.ts';
import { listStaffNames } from '../store.ts';
import { type ApprovalRow, decryptDetails, findApproval } from './store.ts';

export const APPROVAL_TTL_DAYS = 7;

/** Renders approvals for a role. Personal data is masked as in other resources. */
export async function renderApprovals(db: Queryable, rows: readonly ApprovalRow[], role: CallerRole) {
  const staffUserIds = rows.flatMap(({ asked_by, decided_by }) =>
    decided_by === null ? [asked_by] : [asked_by, decided_by],
  );
  const staffNames = await listStaffNames(db, staffUserIds);
  const toPerson = (id: string) => ({ id, name: staffNames.get(id) ?? id });
  return rows.map((row) => {
    const { subject, change: fieldChanges } = decryptDetails(db.vault, row);
    const maskValue = (mask: Mask | undefined, value: unknown) => (mask ? maskFor(role, mask, value) : value);
    return {
      ...project(Approval, row),
      expires_at: new Date(row.asked_at.getTime() + APPROVAL_TTL_DAYS * DAY_MS).toISOString(),
      subject: {
        kind: subject.kind,
        id: subject.id,
        name: maskValue(subject.isPerson ? 'name' : undefined, subject.name) as string | null,
      },
      change: fieldChanges.map(({ field, before, after, mask }) => ({
        field,
        before: maskValue(mask, before),
        after: maskValue(mask, after),
      })),
      amount: row.amount_cents === null ? null : toReais(cents(row.amount_cents)),
      asked_by: toPerson(row.asked_by),
      decided_by: row.decided_by === null ? null : toPerson(row.decided_by),
    };
  });
}

export async function renderApproval(db: Queryable, row: ApprovalRow, role: CallerRole) {
  const [view] = await renderApprovals(db, [row], role);
  return view!;
}

/** Masks all personal data, for the audit trail. A caller without a staff role, '', sees no personal data. */
export const renderMaskedApproval = (db: Queryable, row: ApprovalRow) => renderApproval(db, row, '');

export async function findAndRenderApproval(db: Queryable, id: string, role: CallerRole) {
  const row = await findApproval(db, id);
  return row && renderApproval(db, row, role);
}
