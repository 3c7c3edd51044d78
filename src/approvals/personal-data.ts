import { sql } from '#platform/database/db.ts';
import { ERASED, type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';

/**
 * Acts about a customer: adjustments of cashback and limits. Their contents are deleted when they are closed, after seven days at the
 * latest.
 */
export const approvalsData: PersonalData = {
  tables: {
    approvals: {
      ...rowsOf(
        ({ id }) => sql`
          select id, kind, amount_cents, status, asked_at, decided_at from approvals where subject = ${id} order by asked_at`,
      ),
      erase: (tx, { id }) =>
        tx.run(sql`
          update approvals set reason = ${ERASED}, outcome = null, request_sealed = null,
            decided_at = coalesce(decided_at, asked_at), status = case status when 'waiting' then 'expired' else status end
          where subject = ${id}`),
    },
  },
};
