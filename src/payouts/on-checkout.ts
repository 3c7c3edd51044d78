import { computeFeeRefund, computeMerchantFee } from '#core/finance/merchant-fee.ts';
import { addBusinessDays } from '#core/values/calendar.ts';
import { laterDay, saoPauloDay } from '#core/values/day.ts';
import { type Cents, cents, parseReais } from '#core/values/money.ts';
import { ppm } from '#core/values/percent.ts';
import { findSale, type Sale } from '#credit';
import type { EventHandler } from '#events';
import { postForMerchant } from '#ledger';
import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { insertLines, type NewLine } from './store.ts';

/** The kind of postings for fees. */
export const FEE_POSTING = 'merchant_fee';

const buildFeeReference = (hash: string) => `fee ${hash}`;
/** `returned` is the total of the sale's returns in centavos, which identifies the return. */
const buildFeeRefundReference = (hash: string, returned: number) => `fee back ${hash} ${returned}`;

/** Credits a sale to its merchant, minus the fee. It is due after a number of business days. */
export const onCheckoutCreated: EventHandler<'checkout.created'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  const sale = (await findSale(tx, customerId, data.checkout_hash))!;
  const fee = computeMerchantFee(cents(sale.financed_cents), ppm(sale.merchant_fee_ppm));
  const buildLine = createLineBuilder(sale, now);
  await insertLines(tx, [buildLine('sale', sale.financed_cents), buildLine('fee', -fee)]);
  const reference = buildFeeReference(sale.hash);
  await postFee(tx, sale, { reference, feeCents: fee, occurredAt: sale.purchased_at }, now);
};

/**
 * Debits a return to the merchant, and credits the fee. Due no earlier than the sale itself, so a payout before that is not reduced. If
 * the sale was already paid out, the next payout is reduced.
 */
export const onCheckoutReturned: EventHandler<'checkout.returned'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  const sale = (await findSale(tx, customerId, data.checkout_hash))!;
  const [amount, returned] = [parseReais(data.amount)!, parseReais(data.returned)!];
  const remainingAfter = (returnedCents: number): Cents => cents(sale.financed_cents - returnedCents);
  const feeRefund = computeFeeRefund(
    remainingAfter(returned - amount),
    remainingAfter(returned),
    ppm(sale.merchant_fee_ppm),
  );
  const returnedAt = new Date(data.returned_at);
  const buildLine = createLineBuilder(sale, now, returnedAt);
  await insertLines(tx, [buildLine('return', -amount), buildLine('return_fee', feeRefund)]);
  const reference = buildFeeRefundReference(sale.hash, returned);
  await postFee(tx, sale, { reference, feeCents: -feeRefund, occurredAt: returnedAt }, now);
};

/** Builds lines of the merchant's statement. They are due with the sale, but not before `notBefore`. */
function createLineBuilder(sale: Sale, now: Date, notBefore: Date = sale.purchased_at) {
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
    due_on: laterDay(saleDueOn, saoPauloDay(notBefore.getTime())),
  });
}

async function postFee(
  tx: Tx,
  { merchant_id: merchantId }: Sale,
  { reference, feeCents, occurredAt }: { reference: string; feeCents: number; occurredAt: Date },
  now: Date,
): Promise<void> {
  const entries = [
    { account: 'merchant_payable', amountCents: feeCents },
    { account: 'fee_income', amountCents: -feeCents },
  ] as const;
  postForMerchant(tx, { merchantId, reference, kind: FEE_POSTING, occurredAt, entries }, now);
}
