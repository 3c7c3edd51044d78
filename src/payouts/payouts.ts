import { computeFeeRefund, computeMerchantFee } from '#core/finance/merchant-fee.ts';
import { addBusinessDays } from '#core/values/calendar.ts';
import { type Day, laterDay, saoPauloDay } from '#core/values/day.ts';
import { cents, centsToReais, parseReais } from '#core/values/money.ts';
import { ppm } from '#core/values/percent.ts';
import { findSale, type Sale } from '#credit';
import type { EventContext, EventHandler } from '#events';
import { queueMerchantPosting } from '#ledger';
import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { createRowAuditEntity } from '#platform/privacy/audit-trail.ts';
import { payoutClosed } from './problems.ts';
import { renderPayout } from './render.ts';
import {
  insertPayouts,
  listDueMerchantIds,
  lockPayout,
  markPayoutClosed,
  type NewLine,
  type PayoutRow,
  queueLines,
} from './store.ts';

/**
 * Creates a payout for every merchant with a positive balance of due lines that are in no payout yet. A second call includes only
 * new lines. A merchant with a negative balance gets no payout; its next due lines reduce the debt first.
 */
export async function createPayouts(tx: Tx, until: Day, now: Date): Promise<PayoutRow[]> {
  // Serializes batches. Only other batches and `lockBalance` wait for this lock.
  await lockAdvisory(tx, 'payoutBatches');
  const merchantIds = await listDueMerchantIds(tx, until);
  if (merchantIds.length === 0) return [];
  const payees = merchantIds.map((merchantId) => ({
    merchantId,
    payoutId: newId('pay', now),
    lineId: newId('mln', now),
  }));
  return insertPayouts(tx, payees, until, now);
}

export const PAYOUT_POSTING = 'payout';

export const buildPayoutReference = (id: string) => `payout ${id}`;

/** Audits a payout by its id. Reading the payout locks it. */
export const payoutAuditEntity = createRowAuditEntity('payout', lockPayout, renderPayout);

/** Records that the bank has paid the payout, which must exist. Idempotent with the same reference. */
export async function markPayoutPaid(tx: Tx, id: string, reference: string, context: EventContext) {
  const { events, now } = context;
  const payout = (await lockPayout(tx, id))!;
  if (payout.status === 'paid' && payout.reference === reference) return;
  throwIfClosed(payout);
  await markPayoutClosed(tx, id, { status: 'paid', reference }, now);
  const entries = [
    { account: 'merchant_payable', amountCents: payout.amount_cents },
    { account: 'payout_clearing', amountCents: -payout.amount_cents },
  ] as const;
  const { merchant_id: merchantId, merchant_slug: merchant } = payout;
  const posting = { merchantId, reference: buildPayoutReference(id), kind: PAYOUT_POSTING, occurredAt: now };
  queueMerchantPosting(tx, { ...posting, entries }, now);
  const amount = centsToReais(payout.amount_cents);
  const data = { payout_id: id, merchant, amount, paid_at: now.toISOString(), reference };
  await events.emit(tx, { type: 'payout.paid', customerId: null, merchantId, data }, now);
}

function throwIfClosed({ status, reference, reason }: PayoutRow): void {
  if (status === 'paid') throw payoutClosed({ reference });
  if (status === 'failed') throw payoutClosed({ reason });
}

/** Records that the bank did not pay the payout, which must exist. The merchant is owed the amount again. Idempotent with the same reason. */
export async function markPayoutFailed(tx: Tx, id: string, reason: string, now: Date): Promise<void> {
  const payout = (await lockPayout(tx, id))!;
  if (payout.status === 'failed' && payout.reason === reason) return;
  throwIfClosed(payout);
  await markPayoutClosed(tx, id, { status: 'failed', reason }, now);
  const { merchant_id, merchant_slug, merchant_name, amount_cents } = payout;
  queueLines(tx, [
    {
      merchant_id,
      merchant_slug,
      merchant_name,
      id: newId('mln', now),
      kind: 'payout_failed',
      amount_cents,
      due_on: saoPauloDay(now.getTime()),
      checkout_hash: null,
      of_payout_id: id,
      occurred_at: now,
    },
  ]);
}

/** The kind of postings of merchant fees. */
export const FEE_POSTING = 'merchant_fee';

const buildFeeReference = (hash: string) => `fee ${hash}`;
/** The total of the sale's returns identifies the return. */
const buildFeeRefundReference = (hash: string, totalReturnedCents: number) =>
  `fee back ${hash} ${totalReturnedCents}`;

/** Credits a sale to its merchant, minus the fee. The lines are due a number of business days after the sale. */
export const onCheckoutCreated: EventHandler<'checkout.created'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  const sale = (await findSale(tx, customerId, data.checkout_hash))!;
  const fee = computeMerchantFee(cents(sale.financed_cents), ppm(sale.merchant_fee_ppm));
  const buildLine = createLineBuilder(sale, now);
  queueLines(tx, [buildLine('sale', sale.financed_cents), buildLine('fee', -fee)]);
  const reference = buildFeeReference(sale.hash);
  postFee(tx, sale, { reference, feeCents: fee, occurredAt: sale.purchased_at }, now);
};

/**
 * Debits a return to the merchant, and credits the fee. The lines are due no earlier than the sale, so earlier payouts are not reduced.
 * If the sale was already paid out, the next payout is reduced.
 */
export const onCheckoutReturned: EventHandler<'checkout.returned'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  const sale = (await findSale(tx, customerId, data.checkout_hash))!;
  const amount = parseReais(data.amount)!;
  const totalReturned = parseReais(data.returned)!;
  const remainingSaleCents = sale.financed_cents - totalReturned;
  const feeRefund = computeFeeRefund(
    cents(remainingSaleCents + amount),
    cents(remainingSaleCents),
    ppm(sale.merchant_fee_ppm),
  );
  const returnedAt = new Date(data.returned_at);
  const buildLine = createLineBuilder(sale, now, returnedAt);
  queueLines(tx, [buildLine('return', -amount), buildLine('return_fee', feeRefund)]);
  const reference = buildFeeRefundReference(sale.hash, totalReturned);
  postFee(tx, sale, { reference, feeCents: -feeRefund, occurredAt: returnedAt }, now);
};

/** Returns a function that builds lines of the merchant's statement, which are due with the sale, but not before `earliestDueAt`. */
function createLineBuilder(sale: Sale, now: Date, earliestDueAt: Date = sale.purchased_at) {
  const saleDueOn = addBusinessDays(saoPauloDay(sale.purchased_at.getTime()), sale.payout_days);
  return (kind: NewLine['kind'], amountCents: number): NewLine => ({
    merchant_id: sale.merchant_id,
    merchant_slug: sale.merchant_slug,
    merchant_name: sale.merchant_name,
    id: newId('mln', now),
    kind,
    amount_cents: amountCents,
    checkout_hash: sale.hash,
    of_payout_id: null,
    occurred_at: now,
    due_on: laterDay(saleDueOn, saoPauloDay(earliestDueAt.getTime())),
  });
}

/** Queues the posting of a fee, or of the refund of a fee if `feeCents` is negative. */
function postFee(
  tx: Tx,
  { merchant_id: merchantId }: Sale,
  { reference, feeCents, occurredAt }: { reference: string; feeCents: number; occurredAt: Date },
  now: Date,
): void {
  const entries = [
    { account: 'merchant_payable', amountCents: feeCents },
    { account: 'fee_income', amountCents: -feeCents },
  ] as const;
  queueMerchantPosting(tx, { merchantId, reference, kind: FEE_POSTING, occurredAt, entries }, now);
}
