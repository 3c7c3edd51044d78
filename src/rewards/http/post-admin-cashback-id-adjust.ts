import { cents, parseReais } from '#core/money.ts';
import { findCustomerId } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import { adjustCashback } from '../adjust-cashback.ts';
import { adjustedAlready, cashbackTooLittle } from '../problems.ts';
import { cashbackSubject } from '../render-staff.ts';
import type { Rewards } from '../rewards.ts';
import { CashbackAdjustment, ofCustomer, StaffCashback } from '../schemas.ts';

export const postAdminCashbackIdAdjust = ({ db, clock, events }: Rewards) =>
  endpoint('POST /admin/cashback/:id/adjust', {
    access: { scope: 'operator', role: 'finance' },
    id: 'adjustCashback',
    summary: 'Give a customer cashback, or take some',
    description:
      'What is given counts for 180 days; no more can be taken than there is. The customer reads the reason. Undone by the opposite.',
    ...ofCustomer,
    headers: idempotency.header,
    body: CashbackAdjustment,
    answers: {
      201: { description: 'What they have after it.', schema: StaffCashback, headers: idempotency.replayed },
    },
    approval: {
      kind: 'cashback_adjustment',
      async stake({ params, body }) {
        const subject = await findCustomerId(db, params.id);
        return subject === undefined
          ? undefined
          : { amount: cents(Math.abs(parseReais(body.amount)!)), subject };
      },
    },
    problems: [cashbackTooLittle, adjustedAlready, ...idempotency.problems],
    async handler(request, reply) {
      const now = clock.now();
      const customer = (await findCustomerId(db, request.params.id)) ?? '';
      const { amount, reason, reference = null } = request.body;
      const change = changeBy(request, now, reason);
      const adjustment = { customer, amountCents: parseReais(amount)! as number, reason, reference };
      const work = async (tx: CustomerTx) => {
        const subject = { of: cashbackSubject(now), id: customer };
        const stands = await recordChange(tx, change, subject, () =>
          adjustCashback(tx, adjustment, { events, now }),
        );
        if (!stands) throw request.notFound();
        return stands;
      };
      return createOnce(forCustomer(db, customer), { request, reply, now }, work, [customer, request.body]);
    },
  });
