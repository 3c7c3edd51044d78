import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { returnClosed, returnProblems } from '../problems.ts';
import { approveReturn, waitingSubject } from '../returns/decide-return.ts';
import { ofReturn, StaffWaitingReturn } from '../returns/schemas.ts';
import { findWaitingReturn } from '../returns/waiting-store.ts';

export const postAdminReturnsIdApprove = ({ db, clock, events, requestRefunds }: CreditDeps) =>
  endpoint('POST /admin/returns/:id/approve', {
    access: { scope: 'operator', role: 'finance' },
    id: 'approveReturn',
    summary: 'Let a return through',
    description:
      'It is made at once, as it was asked for. If less is left of the purchase by now, it is refused and still waits.',
    ...ofReturn,
    answers: { 200: { description: 'The return, made.', schema: StaffWaitingReturn } },
    problems: [...returnProblems, returnClosed],
    async handler(request) {
      const { id } = request.params;
      const asked = await findWaitingReturn(db, id);
      if (!asked) throw request.notFound();
      const now = clock.now();
      const change = changeBy(request, now);
      return customerTransaction(db, asked.customer_id, (tx) =>
        recordChange(tx, change, { of: waitingSubject(asked.customer_id), id }, () =>
          approveReturn(tx, { id, by: change.actor.id }, { events, now, requestRefunds }),
        ),
      );
    },
  });
