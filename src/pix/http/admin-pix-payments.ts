import { type Static, Type } from 'typebox';
import { cents, centsToReais } from '#core/values/money.ts';
import { Installment, installmentPaid } from '#credit';
import { addCustomerNames, customerErased } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { dryRun } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { buildListQuery, listEndpoint } from '#platform/http/list.ts';
import { queryListPage } from '#platform/http/list-query.ts';
import { project } from '#platform/http/project.ts';
import { Id, StrictObject, Text, Timestamp } from '#platform/http/schemas.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import type { Pix } from '../pix.ts';
import { installmentUnknown, paymentMoved, paymentNotWhole } from '../problems.ts';
import { renderRefund } from '../refunds/request-refunds.ts';
import {
  AmountInReais,
  EndToEndId,
  PixMove,
  PixPayment,
  PixPaymentItem,
  PixPaymentWithRefunds,
  paymentRoute,
} from '../schemas.ts';
import { movePayment, prepareMove } from '../settlement/move-payment.ts';
import { type PaymentListRow, paymentList } from '../store/lists.ts';
import { listMoves, listPaymentOwners, listRefunds } from '../store/payments.ts';

const PaymentMove = StrictObject(
  {
    installment_id: Id('ins', {
      description: 'The installment that the payment pays from now on, of this or another customer.',
    }),
    from_installment_id: Type.Optional(
      Id('ins', {
        description:
          'Optimistic check: the request fails unless the payment is still assigned to this installment.',
      }),
    ),
    reason: Text(300, { description: 'The reason of the move. It is stored in the audit trail.' }),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only returns what would happen.' })),
  },
  {
    $id: 'PaymentMove',
    examples: [{ installment_id: 'ins_01kfx3t7d1q3r5s7v9x1z3b5d7', reason: 'Atribuído à cliente errada' }],
  },
);

const MovedSide = (description: string) =>
  Type.Object(
    {
      customer_id: Id('cus'),
      checkout_hash: Type.String({ examples: ['3kTz9QmVb7LxWc2RfYp8Hd'] }),
      installment: Installment,
    },
    { description },
  );

const MovedPayment = Type.Object(
  {
    id: Id('mov'),
    end_to_end_id: EndToEndId('The id of the payment in the Pix network.'),
    value: AmountInReais('The amount received, in reais.'),
    received_at: Timestamp({
      description: 'The instant as of which the payment is applied to the new installment.',
    }),
    too_much: AmountInReais('The excess at the new installment, which is refunded, in reais.'),
    from: MovedSide('The previous installment, which is owed again.'),
    to: MovedSide('The new installment.'),
  },
  { $id: 'MovedPayment' },
);

const renderPayment = (payment: PaymentListRow) => ({
  ...project(PixPayment, payment),
  pix_id: payment.charge_id,
  value: centsToReais(payment.amount_cents),
  assigned: payment.is_assigned,
});

export const getAdminPixPayments = (pix: Pix) =>
  listEndpoint('GET /admin/pix/payments', pix, paymentList, {
    id: 'listPixPaymentItems',
    summary: 'List PIX payments',
    cli: { columns: 'end_to_end_id, value, refunded, customer_id, installment_id, paid_at' },
    page: 'A page of payments.',
    item: PixPaymentItem,
    sum: 'The amount received',
    render: (rows) => addCustomerNames(pix.db, rows.map(renderPayment)),
  });

export const getAdminPixPaymentsId = ({ db, clock }: Pix) =>
  endpoint('GET /admin/pix/payments/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixPayment',
    summary: 'Get a PIX payment with its refunds and moves',
    ...paymentRoute,
    approvalOf: { kind: 'pix_payment', idField: 'end_to_end_id' },
    responses: { 200: { description: 'The payment.', schema: PixPaymentWithRefunds } },
    async handler(request) {
      const { id } = request.params;
      const [owner] = await listPaymentOwners(db, [id]);
      if (!owner?.customer_id) throw request.notFound();
      const filter = { customer: owner.customer_id, end_to_end_id: id };
      const listQuery = buildListQuery(paymentList, filter, clock.now());
      const [paymentRow] = (await queryListPage(db, listQuery, { page: 1, limit: 1 })).rows;
      if (!paymentRow) throw request.notFound();
      const [refunds, moves] = await Promise.all([listRefunds(db, owner.customer_id, id), listMoves(db, id)]);
      const [payment] = await addCustomerNames(db, [renderPayment(paymentRow)]);
      return {
        ...payment!,
        refunds: refunds.map(renderRefund),
        moves: moves.map((move) => project(PixMove, move)),
      };
    },
  });

export const postAdminPixPaymentsIdMove = (pix: Pix) =>
  endpoint('POST /admin/pix/payments/:id/move', {
    access: { scope: 'operator', role: 'finance' },
    id: 'movePixPayment',
    summary: 'Move a PIX payment to another installment',
    description:
      'For a payment that was assigned to the wrong installment. The amount that it had paid is owed again from now on, as after a chargeback; ' +
      'the payment pays the other installment as of its arrival. The ledger gets new entries, and existing entries do not change. To undo it, ' +
      'move the payment back. With `dry_run` nothing is written, and the response shows what each side would owe.',
    ...paymentRoute,
    idempotent: true,
    body: PaymentMove,
    cli: {
      confirm: 'This moves the payment {id} to {installment_id}.',
      done:
        '{value} moved: {from.installment.total_due} is due on installment {from.installment.number} of {from.customer_id}; ' +
        '{to.installment.total_due} on installment {to.installment.number} of {to.customer_id}; {too_much} is refunded.',
    },
    responses: {
      200: { description: 'The result of the dry run.', schema: MovedPayment },
      201: { description: 'The result of the move.', schema: MovedPayment },
    },
    approval: {
      kind: 'payment_move',
      async describe(request) {
        if (request.body.dry_run) return undefined;
        const input = toMoveInput(request.params.id, request.body);
        const preparedMove = await prepareMove(pix.db, input);
        if (!preparedMove) return undefined;
        const auditContext = createAuditContext(request, pix.clock.now(), input.reason);
        // A move that would be refused must not wait for approval.
        await dryRun(preparedMove, (tx) => movePayment(tx, pix, preparedMove.payment, input, auditContext));
        const { installment_id, amount_cents } = preparedMove.payment;
        return {
          amount: cents(amount_cents),
          subject: { kind: 'pix_payment', id: request.params.id, name: null },
          change: [
            {
              field: 'installment_id',
              before: input.fromInstallmentId ?? installment_id,
              after: input.installmentId,
            },
          ],
        };
      },
    },
    problems: [paymentMoved, paymentNotWhole, installmentPaid, installmentUnknown, customerErased],
    async handler(request, reply) {
      const { db, clock } = pix;
      const { id } = request.params;
      const input = toMoveInput(id, request.body);
      const preparedMove = await prepareMove(db, input);
      if (!preparedMove) throw request.notFound();
      const now = clock.now();
      const auditContext = createAuditContext(request, now, input.reason);
      const move = (tx: CustomerTx) => movePayment(tx, pix, preparedMove.payment, input, auditContext);
      if (request.body.dry_run) return reply.code(200).send(await dryRun(preparedMove, move));
      return reply
        .code(201)
        .send(await createOnce(preparedMove, { request, reply, now }, move, [id, request.body]));
    },
  });

const toMoveInput = (endToEndId: string, body: Static<typeof PaymentMove>) => ({
  endToEndId,
  installmentId: body.installment_id,
  fromInstallmentId: body.from_installment_id,
  reason: body.reason,
});
