import { cents, toReais } from '#core/money.ts';
import { applyReceipt, releaseRefund, reverseReceipt, type ToRefund } from '#credit';
import { type Entry, post } from '#ledger';
import type { Tx } from '#platform/db.ts';
import type { Pix } from './pix.ts';
import type { ReceivedPix, Refund } from './psp/index.ts';
import { refundExcess } from './refund-excess.ts';
import type { ChargeRow } from './store/charges.ts';
import { findPayment, isReversed, listLiveReceipts, markReceipt, type PaymentRow } from './store/payments.ts';
import { insertRefund, listRefunds, markRefund, type RefundRow } from './store/refunds.ts';

/** How often one and the same money is tried to be given back, and how long after each failure. */
const RETRY_AFTER_MS = [60_000, 600_000, 3_600_000, 86_400_000];

/** The kind of posting this house makes. */
export const REFUND_POSTING = 'refund';

/** The refunds the PSP tells of, each once: those we asked for come to an end, those we did not ask for take money away. */
export async function noteRefunds(tx: Tx, pix: Pix, charge: ChargeRow, received: ReceivedPix): Promise<void> {
  for (const refund of received.refunds) {
    // Each changes what the next finds.
    const known = await listRefunds(tx, charge.customer_id, received.endToEndId);
    const ours = known.find(({ id }) => id === refund.id);
    if (ours) await noteOurs(tx, pix, charge, ours, refund);
    else if (refund.status === 'returned') await noteForced(tx, pix, charge, received, refund, known);
  }
}

/** How the PSP says a refund of ours stands. */
export async function noteOurs(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  ours: RefundRow,
  { status, settledAt, reason }: Refund,
): Promise<void> {
  if (status === 'processing') await markRefund(tx, ours, { status: 'processing' });
  else if (status === 'failed') await fail(tx, pix, charge, ours, { reason, isFinal: false });
  else if (status === 'returned') {
    const at = settledAt ?? pix.clock.now();
    if (!(await markRefund(tx, ours, { status: 'returned', settledAt: at }))) return;
    await book(tx, pix, charge, { id: ours.id, amountCents: ours.amount_cents, at });
    await tell(tx, pix, charge, ours, ours.amount_cents, 'too_much');
    pix.metrics.refunds.inc({ outcome: 'returned' });
  } else pix.log.warn({ refund_id: ours.id, status }, 'a refund is in a state we have no word for');
}

/**
 * The PSP did not do it. The money is here after all: it is applied if something is owed by now, and what is not is tried
 * again as another refund, since the PSP knows this one by its id. `isFinal`: it would not do another one either.
 */
export async function fail(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  refund: RefundRow,
  { reason, isFinal }: { reason: string | null; isFinal: boolean },
): Promise<void> {
  const delayMs = isFinal ? undefined : RETRY_AFTER_MS[refund.tries - 1];
  const status = delayMs === undefined ? 'given_up' : 'failed';
  if (!(await markRefund(tx, refund, { status, reason }))) return;
  const tooMuch = await release(tx, pix, charge, refund, refund.amount_cents);
  pix.metrics.refunds.inc({ outcome: status });
  if (delayMs === undefined) {
    pix.log.error({ refund_id: refund.id, reason }, 'money could not be given back: see semana pix refunds');
    return;
  }
  await refundExcess(tx, pix, charge, tooMuch, { tries: refund.tries + 1, delayMs });
}

/**
 * Money that was to go back with a refund does not: it is here after all. Answers what of it is too much even now. Where the
 * payer's bank took the receipt it was a part of, it becomes one of its own.
 */
async function release(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  { id: refundId, receipt: reference, end_to_end_id }: RefundRow,
  amountCents: number,
): Promise<ToRefund[]> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  const now = pix.clock.now();
  const held = { customerId, installmentId, reference, refundId, amountCents };
  const toRefund = await releaseRefund(tx, held, { events: pix.events, now });
  if (!(await isReversed(tx, customerId, reference)))
    return toRefund.filter((excess) => excess.reference === reference);
  return receiveAnew(tx, pix, charge, {
    reference: `${end_to_end_id} after ${refundId}`,
    amountCents,
    at: now,
  });
}

/** What is left of a payment of which the bank took something pays again. Answers what of it is too much. */
async function receiveAnew(
  tx: Tx,
  { events, clock }: Pix,
  { customer_id: customerId, installment_id: installmentId }: ChargeRow,
  { reference, amountCents, at }: { reference: string; amountCents: number; at: Date },
): Promise<ToRefund[]> {
  const place = { customerId, installmentId, reference };
  const received = { ...place, amountCents, receivedAt: at, purpose: 'pay' } as const;
  const { toRefund } = await applyReceipt(tx, received, { events, now: clock.now() });
  return toRefund.filter((excess) => excess.reference === reference);
}

/**
 * Money went back that nobody here sent: the payer's bank took it (MED), or somebody did it at the PSP's own desk. What it
 * had paid is owed again from that instant on. Where it took less than is here, the rest pays again, from that instant on;
 * where it took more, it took what refunds of ours were to return that had not reached the PSP.
 */
async function noteForced(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  received: ReceivedPix,
  refund: Refund,
  known: RefundRow[],
): Promise<void> {
  const { customer_id: customerId, installment_id: installmentId } = charge;
  const payment = (await findPayment(tx, customerId, received.endToEndId))!;
  const now = pix.clock.now();
  const at = refund.settledAt ?? refund.requestedAt ?? now;
  await insertRefund(tx, {
    ...{ customer_id: customerId, end_to_end_id: payment.end_to_end_id, id: refund.id },
    ...{ receipt: payment.receipt, amount_cents: refund.amountCents, forced: true, tries: 1 },
    ...{ status: 'returned', reason: refund.nature, created_at: now, due_at: now, settled_at: at },
  });
  let leftCents: number = refund.amountCents;
  for (const reference of await listLiveReceipts(tx, payment)) {
    if (leftCents <= 0) break;
    const reversal = { customerId, installmentId, reference, reversedAt: at };
    leftCents -= (await reverseReceipt(tx, reversal, { events: pix.events, now })).takenCents;
  }
  if (leftCents < 0) {
    const reference = `${payment.end_to_end_id} after ${refund.id}`;
    await markReceipt(tx, payment, reference);
    const tooMuch = await receiveAnew(tx, pix, charge, { reference, amountCents: -leftCents, at });
    await refundExcess(tx, pix, charge, tooMuch);
  }
  if (leftCents > 0) {
    await overtake(tx, pix, charge, known, leftCents);
    await book(tx, pix, charge, { id: refund.id, amountCents: leftCents, at });
  }
  await tell(tx, pix, charge, payment, refund.amountCents, 'taken_back');
  pix.metrics.refunds.inc({ outcome: 'forced' });
}

/**
 * Refunds of ours that the PSP cannot carry out any more, because money they were to return is gone. What is still there of
 * the last of them pays what is owed by now, or goes back with another one.
 */
async function overtake(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  known: RefundRow[],
  goneCents: number,
): Promise<void> {
  let leftCents = goneCents;
  for (const ours of known.filter(({ forced }) => !forced).toReversed()) {
    if (leftCents <= 0) return;
    if (!(await markRefund(tx, ours, { status: 'overtaken' }))) continue;
    leftCents -= ours.amount_cents;
    if (leftCents < 0) {
      const tooMuch = await release(tx, pix, charge, ours, -leftCents);
      await refundExcess(tx, pix, charge, tooMuch, { tries: ours.tries });
    }
  }
  if (leftCents > 0)
    pix.log.error({ centavos: leftCents }, 'more money was taken back than a payment had brought');
}

/** Money has left the PSP that was owed to the payer. */
async function book(
  tx: Tx,
  pix: Pix,
  { customer_id, installment_id }: ChargeRow,
  refund: { id: string; amountCents: number; at: Date },
): Promise<void> {
  const entries: Entry[] = [
    { account: 'pix_clearing', installmentId: installment_id, amountCents: -refund.amountCents },
    { account: 'refunds_payable', installmentId: installment_id, amountCents: refund.amountCents },
  ];
  const reference = `${REFUND_POSTING} ${refund.id}`;
  const posting = { customerId: customer_id, reference, kind: REFUND_POSTING, occurredAt: refund.at };
  await post(tx, { ...posting, entries }, pix.clock.now());
}

async function tell(
  tx: Tx,
  { events, clock }: Pix,
  charge: ChargeRow,
  { end_to_end_id }: Pick<PaymentRow, 'end_to_end_id'>,
  amountCents: number,
  reason: 'too_much' | 'taken_back',
): Promise<void> {
  const data = {
    checkout_hash: charge.checkout_hash,
    installment_id: charge.installment_id,
    pix_id: charge.id,
    amount: toReais(cents(amountCents)),
    reason,
    end_to_end_id,
  };
  const about = { customerId: charge.customer_id, checkoutHash: charge.checkout_hash };
  await events.emit(tx, { type: 'pix.refunded', ...about, data }, clock.now());
}
