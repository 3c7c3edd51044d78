import { cents, toReais } from '#core/money.ts';
import { applyReceipt, holdRefund, releaseRefund, reverseReceipt } from '#credit';
import { type Entry, post } from '#ledger';
import type { Tx } from '#platform/db.ts';
import type { Pix } from './pix.ts';
import type { ReceivedPix, Refund } from './psp/index.ts';
import { refundExcess } from './refund-excess.ts';
import type { ChargeRow } from './store/charges.ts';
import { findPayment, markReceipt, type PaymentRow } from './store/payments.ts';
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
  const { customer_id: customerId, installment_id: installmentId } = charge;
  const held = { customerId, installmentId, reference: refund.receipt, refundId: refund.id };
  const given = { events: pix.events, now: pix.clock.now() };
  const toRefund = await releaseRefund(tx, { ...held, amountCents: refund.amount_cents }, given);
  pix.metrics.refunds.inc({ outcome: status });
  if (delayMs === undefined) {
    pix.log.error({ refund_id: refund.id, reason }, 'money could not be given back: see semana pix refunds');
    return;
  }
  const same = toRefund.filter(({ reference }) => reference === refund.receipt);
  await refundExcess(tx, pix, charge, same, { tries: refund.tries + 1, delayMs });
}

/**
 * Money went back that nobody here sent: the payer's bank took it (MED), or somebody did it at the PSP's own desk. What it
 * had paid is owed again from that instant on. Where it took more than was applied, refunds of ours that had not reached
 * the PSP are overtaken; where it took less, the rest pays again, from that instant on.
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
  const given = { events: pix.events, now };
  const place = { customerId, installmentId };
  await insertRefund(tx, {
    ...{ customer_id: customerId, end_to_end_id: payment.end_to_end_id, id: refund.id },
    ...{ receipt: payment.receipt, amount_cents: refund.amountCents, forced: true, tries: 1 },
    ...{ status: 'returned', reason: refund.nature, created_at: now, due_at: now, settled_at: at },
  });
  const reversal = { ...place, reference: payment.receipt, reversedAt: at };
  const { owedAgainCents, toRefund } = await reverseReceipt(tx, reversal, given);
  const beyondCents = refund.amountCents - owedAgainCents;
  if (beyondCents > 0) {
    const excessCents = toRefund.find(({ reference }) => reference === payment.receipt)?.amountCents ?? 0;
    const heldCents = Math.min(excessCents, beyondCents);
    if (heldCents > 0)
      await holdRefund(
        tx,
        { ...place, reference: payment.receipt, refundId: refund.id, amountCents: heldCents },
        given,
      );
    await overtake(tx, pix, known, beyondCents - heldCents);
    await book(tx, pix, charge, { id: refund.id, amountCents: beyondCents, at });
  }
  if (beyondCents < 0) {
    const rest = { ...place, amountCents: -beyondCents, receivedAt: at, purpose: 'pay' } as const;
    const reference = `${payment.end_to_end_id} after ${refund.id}`;
    await markReceipt(tx, payment, reference);
    await applyReceipt(tx, { ...rest, reference }, given);
  }
  await tell(tx, pix, charge, payment, refund.amountCents, 'taken_back');
  pix.metrics.refunds.inc({ outcome: 'forced' });
}

/** Refunds of ours that the PSP cannot have carried out, because the money they were to return is gone. */
async function overtake(tx: Tx, pix: Pix, known: RefundRow[], beyondCents: number): Promise<void> {
  let left = beyondCents;
  for (const ours of known.filter(({ forced }) => !forced).toReversed()) {
    if (left <= 0) return;
    if (await markRefund(tx, ours, { status: 'overtaken' })) left -= ours.amount_cents;
  }
  if (left > 0) pix.log.error({ centavos: left }, 'more money was taken back than a payment had brought');
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
