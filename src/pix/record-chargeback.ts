import { holdRefund, reverseReceipt } from '#credit';
import type { Tx } from '#platform/db.ts';
import type { Pix } from './pix.ts';
import { emitRefunded, postRefund } from './post-refund.ts';
import type { ReceivedPix, Refund } from './psp/index.ts';
import { refundExcess } from './refund-excess.ts';
import { applyRemainder, releaseRefundedMoney } from './release-refunded-money.ts';
import type { ChargeRow } from './store/charges.ts';
import {
  findPayment,
  listLiveReceipts,
  markReceipt,
  type PaymentRow,
  remainderReference,
} from './store/payments.ts';
import { insertRefund, isMoneyOf, markRefund, type RefundRow } from './store/refunds.ts';

/**
 * Money went back that nobody here sent: the payer's bank took it (MED), or somebody did it at the PSP's own desk. What was
 * never applied leaves first: what is too much, then what refunds of ours were to return that have not reached the PSP. Only
 * what is beyond that had paid something, which is owed again from that instant on; of that, what is left pays again. Refunds
 * that are in process at the PSP are not counted on, unless nothing else is left.
 */
export async function recordChargeback(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  received: ReceivedPix,
  refund: Refund,
  known: readonly RefundRow[],
): Promise<void> {
  const { customer_id: customerId } = charge;
  const payment = (await findPayment(tx, customerId, received.endToEndId))!;
  const now = pix.clock.now();
  const at = refund.settledAt ?? refund.requestedAt ?? now;
  await insertRefund(tx, {
    ...{ customer_id: customerId, end_to_end_id: payment.end_to_end_id, id: refund.id },
    ...{ receipt: payment.receipt, amount_cents: refund.amountCents, forced: true, tries: 1 },
    ...{ status: 'returned', reason: refund.nature, created_at: now, due_at: now, settled_at: at },
  });
  const ours = known.filter(({ forced }) => !forced).toReversed();
  const unsent = ours.filter(({ id }) => !received.refunds.some((theirs) => theirs.id === id));
  const afterExcess = await takeExcess(tx, pix, payment, refund, known);
  const afterUnsent = await supersede(tx, pix, charge, unsent, { goneCents: afterExcess, from: ['asked'] });
  const beyondCents = await takeApplied(tx, pix, charge, payment, { refund, goneCents: afterUnsent, at });
  const from = ['asked', 'processing'] as const;
  if ((await supersede(tx, pix, charge, ours, { goneCents: beyondCents, from })) > 0)
    pix.log.error({ refund_id: refund.id }, 'more money was taken back than a payment had brought');
  const amountCents = refund.amountCents - afterUnsent + beyondCents;
  if (amountCents > 0) await postRefund(tx, pix, charge, { id: refund.id, amountCents, at });
  const refunded = { amountCents: refund.amountCents, reason: 'taken_back' } as const;
  await emitRefunded(tx, pix, charge, payment, refunded);
  pix.metrics.refunds.inc({ outcome: 'forced' });
}

/**
 * What of the payment is too much, most of all what we had given up to return: from here on it is applied to nothing. Answers
 * how much of the refund is not covered by it.
 */
async function takeExcess(
  tx: Tx,
  { events, clock }: Pix,
  payment: PaymentRow,
  refund: Refund,
  known: readonly RefundRow[],
): Promise<number> {
  const { customer_id: customerId, installment_id: installmentId } = payment;
  let leftCents: number = refund.amountCents;
  for (const { reference, excess_cents } of await listLiveReceipts(tx, payment)) {
    const amountCents = Math.min(leftCents, excess_cents);
    if (amountCents === 0) continue;
    leftCents -= amountCents;
    const refundId = `${refund.id} of ${reference}`;
    const held = { customerId, installmentId, reference, refundId, amountCents };
    await holdRefund(tx, held, { events, now: clock.now() });
    const givenUp = known.filter((ours) => ours.status === 'given_up' && isMoneyOf(ours, reference));
    let goneCents = amountCents === excess_cents ? Number.POSITIVE_INFINITY : amountCents;
    for (const ours of givenUp) {
      goneCents -= ours.amount_cents;
      if (goneCents >= 0) await markRefund(tx, ours, { status: 'overtaken' }, ['given_up']);
    }
  }
  return leftCents;
}

/** What the payment had paid, from the last of it on. Answers how much of the refund is not covered by it. */
async function takeApplied(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  payment: PaymentRow,
  { refund, goneCents, at }: { refund: Refund; goneCents: number; at: Date },
): Promise<number> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  const context = { events: pix.events, now: pix.clock.now() };
  let leftCents = goneCents;
  if (leftCents === 0) return 0;
  for (const { reference } of await listLiveReceipts(tx, payment)) {
    if (leftCents <= 0) break;
    const reversal = { customerId, installmentId, reference, reversedAt: at };
    leftCents -= (await reverseReceipt(tx, reversal, context)).takenCents;
  }
  if (leftCents >= 0) return leftCents;
  const reference = remainderReference(payment.end_to_end_id, refund.id);
  await markReceipt(tx, payment, reference);
  const tooMuch = await applyRemainder(tx, pix, charge, { reference, amountCents: -leftCents, at });
  await refundExcess(tx, pix, charge, tooMuch);
  return 0;
}

/**
 * Refunds of ours that are not to be carried out any more, because money they were to return is gone. What is still there of
 * the last of them pays what is owed by now, or goes back with another one. Answers how much is not covered by them.
 */
async function supersede(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  refunds: readonly RefundRow[],
  { goneCents, from }: { goneCents: number; from: ReadonlyArray<'asked' | 'processing'> },
): Promise<number> {
  let leftCents = goneCents;
  for (const ours of refunds) {
    if (leftCents === 0) return 0;
    if (!(await markRefund(tx, ours, { status: 'overtaken' }, from))) continue;
    const restCents = Math.max(0, ours.amount_cents - leftCents);
    leftCents -= ours.amount_cents - restCents;
    if (restCents > 0) {
      const tooMuch = await releaseRefundedMoney(tx, pix, charge, ours, restCents);
      await refundExcess(tx, pix, charge, tooMuch, { tries: ours.tries });
    }
  }
  return leftCents;
}
