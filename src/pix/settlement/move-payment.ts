import { saoPauloDay } from '#core/values/day.ts';
import { centsToReais, sum, toReais } from '#core/values/money.ts';
import {
  detachPayment,
  findInstallmentCheckout,
  findInstallmentView,
  findNextPaymentPart,
  installmentPaid,
  loadInstallment,
} from '#credit';
import { customerErased, lockCustomerById } from '#customers';
import { type CustomerTx, forCustomers } from '#platform/database/customer-transaction.ts';
import type { Db, Queryable } from '#platform/database/db.ts';
import { newId, randomBase62 } from '#platform/ids.ts';
import { type AuditContext, createRowAuditEntity, withAuditedResult } from '#platform/privacy/audit-trail.ts';
import { clampInstant, type Pix, renderEventIds } from '../pix.ts';
import { installmentUnknown, paymentMoved, paymentNotWhole } from '../problems.ts';
import { requestRefunds } from '../refunds/request-refunds.ts';
import { type ChargeRow, findCharge, queueCharge } from '../store/charges.ts';
import {
  findPayment,
  insertMove,
  listPaymentOwners,
  type MoveRow,
  markMovedToOtherCustomer,
  type PaymentRow,
  reassignPayment,
} from '../store/payments.ts';
import { applyClaimedPayment } from './settle-payment.ts';

const TXID_LENGTH = 32;

type MoveInput = {
  readonly endToEndId: string;
  readonly installmentId: string;
  /** Optimistic check: the move fails unless the payment is still assigned to this installment. */
  readonly fromInstallmentId?: string | undefined;
  readonly reason: string;
};

async function findAssignedPayment(db: Queryable, endToEndId: string): Promise<PaymentRow | undefined> {
  const [owner] = await listPaymentOwners(db, [endToEndId]);
  return owner?.customer_id ? findPayment(db, owner.customer_id, endToEndId) : undefined;
}

const paymentAuditEntity = createRowAuditEntity(
  'pix_payment',
  findAssignedPayment,
  ({ customer_id, installment_id, amount_cents }) => ({
    customer_id,
    installment_id,
    value: centsToReais(amount_cents),
  }),
);

/** Returns the payment, and a transaction runner for both customers. Returns undefined if there is no such payment. */
export async function prepareMove(db: Db, input: MoveInput) {
  const payment = await findAssignedPayment(db, input.endToEndId);
  if (!payment) return undefined;
  const checkout = await findInstallmentCheckout(db, input.installmentId);
  if (!checkout) throw installmentUnknown(input.installmentId);
  return { payment, ...forCustomers(db, [payment.customer_id, checkout.customer_id]) };
}

/**
 * Moves a payment, records it in the audit trail, and returns what each side owes afterwards. Throws if the payment has changed since
 * `unlockedPayment` was read.
 */
export async function movePayment(
  tx: CustomerTx,
  pix: Pick<Pix, 'events' | 'clock' | 'pixKey'>,
  unlockedPayment: PaymentRow,
  input: MoveInput,
  auditContext: AuditContext,
) {
  const checkout = (await findInstallmentCheckout(tx, input.installmentId))!;
  // Locks in the order of ids, so that concurrent moves do not deadlock.
  for (const id of [...new Set([unlockedPayment.customer_id, checkout.customer_id])].toSorted()) {
    const customer = await lockCustomerById(tx, id);
    if (customer?.erased_at) throw customerErased();
  }
  const payment = await findAssignedPayment(tx, input.endToEndId);
  const expectedInstallmentId = input.fromInstallmentId ?? unlockedPayment.installment_id;
  if (
    payment?.installment_id !== expectedInstallmentId ||
    payment.customer_id !== unlockedPayment.customer_id
  )
    throw paymentMoved(payment?.installment_id);
  if (payment.installment_id === input.installmentId) throw paymentMoved(input.installmentId);
  const moveId = newId('mov', auditContext.now);
  const auditTarget = { entity: paymentAuditEntity, id: input.endToEndId };
  const auditedMove = await withAuditedResult(tx, auditContext, auditTarget, () =>
    moveUnaudited(tx, pix, { moveId, payment, checkout, input, movedBy: auditContext.actor.id }),
  );
  const now = auditContext.now.getTime();
  const renderSide = async ({ customer_id, checkout_hash, installment_id }: ChargeRow) => ({
    customer_id,
    checkout_hash,
    installment: (await findInstallmentView(tx, customer_id, installment_id, now))!,
  });
  const { fromCharge, toCharge, receivedAt, excessCents } = auditedMove!.result;
  return {
    id: moveId,
    end_to_end_id: input.endToEndId,
    value: centsToReais(payment.amount_cents),
    received_at: receivedAt.toISOString(),
    too_much: toReais(excessCents),
    from: await renderSide(fromCharge),
    to: await renderSide(toCharge),
  };
}

/**
 * Detaches the payment from its installment, whose debt is owed again from now on, as after a chargeback. Then applies it to the
 * other installment as of its arrival, like an assigned orphan. Existing receipts and postings do not change: both sides get new ones.
 */
async function moveUnaudited(
  tx: CustomerTx,
  pix: Pick<Pix, 'events' | 'clock' | 'pixKey'>,
  plan: {
    moveId: string;
    payment: PaymentRow;
    checkout: { customer_id: string; checkout_hash: string; purchased_at: Date };
    input: MoveInput;
    movedBy: string;
  },
) {
  const { moveId, payment, checkout, input, movedBy } = plan;
  const { end_to_end_id: endToEndId, amount_cents, paid_at } = payment;
  const now = pix.clock.now();
  const context = { events: pix.events, now };
  const target = { customerId: checkout.customer_id, installmentId: input.installmentId };
  if ((await loadInstallment(tx, target)).row.paid_at !== null) throw installmentPaid();
  const fromCharge = (await findCharge(tx, payment.customer_id, payment.charge_id))!;
  const source = { customerId: payment.customer_id, installmentId: payment.installment_id };
  const detachment = await detachPayment(tx, { ...source, reference: endToEndId, moveId }, context);
  if (detachment.amount !== amount_cents) throw paymentNotWhole(detachment.amount);
  // The detachment reallocates the installment's other payments, whose excess may change.
  await requestRefunds(tx, payment.customer_id, detachment, now);
  if (checkout.customer_id !== payment.customer_id) await markMovedToOtherCustomer(tx, payment, now);

  const receivedAt = clampInstant(paid_at, { earliest: checkout.purchased_at, now });
  const toCharge = insertAssignedCharge(tx, pix, { checkout, input, receivedAt, amountCents: amount_cents });
  if (!(await reassignPayment(tx, endToEndId, fromCharge, toCharge))) throw paymentMoved();
  const partNumber = await findNextPaymentPart(tx, checkout.customer_id, endToEndId);
  // Read after the detachment, which may have changed an installment of the same purchase.
  const installment = await loadInstallment(tx, target);
  const reallocation = await applyClaimedPayment(tx, pix, toCharge, payment, {
    receivedAt,
    installment,
    move: { id: moveId, part: partNumber },
  });

  const toMoveRow = (side: MoveRow['side'], charge: ChargeRow): MoveRow => ({
    customer_id: charge.customer_id,
    id: moveId,
    side,
    end_to_end_id: endToEndId,
    charge_id: charge.id,
    installment_id: charge.installment_id,
    checkout_hash: charge.checkout_hash,
    amount_cents,
    reason: input.reason,
    moved_at: now,
    moved_by: movedBy,
  });
  await insertMove(tx, toMoveRow('from', fromCharge));
  await insertMove(tx, toMoveRow('to', toCharge));
  const data = {
    ...renderEventIds(fromCharge),
    amount: centsToReais(amount_cents),
    moved_at: now.toISOString(),
    end_to_end_id: endToEndId,
  };
  await pix.events.emit(tx, { type: 'pix.moved', customerId: fromCharge.customer_id, data }, now);
  const excessCents = sum(reallocation.toRefund.map(({ amountCents }) => amountCents));
  return { fromCharge, toCharge, receivedAt, excessCents };
}

type Assignment = {
  checkout: { customer_id: string; checkout_hash: string };
  input: { endToEndId: string; installmentId: string };
  receivedAt: Date;
  amountCents: number;
};

/** Queues the insert of the charge of a payment that a staff user assigns. It is paid, and has no code. */
export function insertAssignedCharge(
  tx: CustomerTx,
  { clock, pixKey }: Pick<Pix, 'clock' | 'pixKey'>,
  { checkout, input, receivedAt, amountCents }: Assignment,
): ChargeRow {
  return queueCharge(tx, {
    customer_id: checkout.customer_id,
    id: newId('pix', clock.now()),
    installment_id: input.installmentId,
    checkout_hash: checkout.checkout_hash,
    type: 'settle_partial',
    value_cents: amountCents,
    txid: randomBase62(TXID_LENGTH),
    priced_on: saoPauloDay(receivedAt.getTime()),
    pix_key: pixKey,
    // Not used: the PSP does not have this charge.
    expiration_seconds: 1,
    created_at: receivedAt,
    expires_at: receivedAt,
    status: 'paid',
    paid_at: receivedAt,
    assigned_end_to_end_id: input.endToEndId,
  });
}
