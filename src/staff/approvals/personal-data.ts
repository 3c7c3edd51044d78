import { sql } from '#platform/database/db.ts';
import { ERASED, type PersonalData } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { expireApprovalsOfSubject, newApprovalColumns } from './store.ts';

/**
 * Approvals about a customer: adjustments of cashback and limits. The stored request is deleted when the approval is closed, after
 * seven days at the latest; the description of the action stays.
 */
export const approvalsData: PersonalData = {
  tables: definePersonalTables({
    approvals: {
      where: ({ id }) => sql`subject = ${id}`,
      orderBy: 'asked_at',
      columns: newApprovalColumns,
      key: ['id'],
      render: ({ id, kind, amount_cents, status, asked_at, decided_at }) => {
        return { id, kind, amount_cents, status, asked_at, decided_at };
      },
      erase: { reason: ERASED, outcome: null, request_sealed: null, details_sealed: null },
      eraseRelated: (tx, _rows, { id }) => expireApprovalsOfSubject(tx, id),
    },
  }),
};
