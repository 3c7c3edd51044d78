import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { returnClosed } from '../problems.ts';
import { refuseReturn, waitingSubject } from '../returns/decide-return.ts';
import { ofReturn, ReturnRefusal, StaffWaitingReturn } from '../returns/schemas.ts';
import { findWaitingReturn } from '../returns/waiting-store.ts';

export const postAdminReturnsIdRefuse = ({ db, clock }: CreditDeps) =>
  endpoint('POST /admin/returns/:id/refuse', {
    access: { scope: 'operator', role: 'finance' },
    id: 'refuseReturn',
    summary: 'Refuse a return',
    description: 'Nothing moves. The merchant sees the reason.',
    ...ofReturn,
    body: ReturnRefusal,
    answers: { 200: { description: 'The return, refused.', schema: StaffWaitingReturn } },
    problems: [returnClosed],
    async handler(request) {
      const { id } = request.params;
      const { reason } = request.body;
      const asked = await findWaitingReturn(db, id);
      if (!asked) throw request.notFound();
      const now = clock.now();
      const change = changeBy(request, now, reason);
      return customerTransaction(db, asked.customer_id, (tx) =>
        recordChange(tx, change, { of: waitingSubject(asked.customer_id), id }, () =>
          refuseReturn(tx, { id, by: change.actor.id }, reason, { now }),
        ),
      );
    },
  });
