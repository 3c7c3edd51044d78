import { cents } from '#core/money.ts';
import { installmentPaid } from '#credit';
import { customerErased } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { forMove, movePayment } from '../payments/move-payment.ts';
import { MovedPayment, PaymentMove } from '../payments/move-schemas.ts';
import type { Pix } from '../pix.ts';
import { installmentUnknown, paymentMoved, paymentNotWhole } from '../problems.ts';
import { ofPayment } from '../schemas.ts';

export const postAdminPixPaymentsIdMove = (pix: Pix) =>
  endpoint('POST /admin/pix/payments/:id/move', {
    access: { scope: 'operator', role: 'finance' },
    id: 'movePixPayment',
    summary: 'Move a payment to another installment',
    description:
      'For a payment that was assigned wrongly. What it had paid is owed again from now on, as if the payer’s bank had taken it back; ' +
      'for the other installment it counts as of when it arrived. The ledger gets new entries, and nothing old changes. Undone by ' +
      'moving it back. With `dry_run` nothing is written: the answer tells what each side would owe.',
    ...ofPayment,
    headers: idempotency.header,
    body: PaymentMove,
    answers: {
      200: { description: 'A dry run: what would come of it.', schema: MovedPayment },
      201: { description: 'What came of it.', schema: MovedPayment, headers: idempotency.replayed },
    },
    approval: {
      kind: 'payment_move',
      async stake(request) {
        if (request.body.dry_run) return undefined;
        const order = orderOf(request.params.id, request.body);
        const found = await forMove(pix.db, order);
        if (!found) return undefined;
        const change = changeBy(request, pix.clock.now(), order.reason);
        // What is refused does not wait.
        await rehearse(found, (tx) => movePayment(tx, pix, found.payment, order, change));
        return { amount: cents(found.payment.amount_cents), subject: request.params.id };
      },
    },
    problems: [
      paymentMoved,
      paymentNotWhole,
      installmentPaid,
      installmentUnknown,
      customerErased,
      ...idempotency.problems,
    ],
    async handler(request, reply) {
      const { db, clock } = pix;
      const { id } = request.params;
      const order = orderOf(id, request.body);
      const found = await forMove(db, order);
      if (!found) throw request.notFound();
      const now = clock.now();
      const change = changeBy(request, now, order.reason);
      const work = (tx: CustomerTx) => movePayment(tx, pix, found.payment, order, change);
      if (request.body.dry_run) return reply.code(200).send(await rehearse(found, work));
      return reply.code(201).send(await createOnce(found, { request, reply, now }, work, [id, request.body]));
    },
  });

const orderOf = (
  endToEndId: string,
  body: { installment_id: string; from_installment_id?: string; reason: string },
) => ({
  endToEndId,
  installmentId: body.installment_id,
  fromInstallmentId: body.from_installment_id,
  reason: body.reason,
});
