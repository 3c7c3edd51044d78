import { businessDaysAfter } from '#core/calendar.ts';
import { laterDay, saoPauloDay } from '#core/day.ts';
import { feeBack, feeOn } from '#core/merchant-fee.ts';
import { type Cents, cents, parseReais } from '#core/money.ts';
import { ppm } from '#core/percent.ts';
import { findSale, type Sale } from '#credit';
import type { EventHandler } from '#events';
import { postForMerchant } from '#ledger';
import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { insertLines, type NewLine } from './store.ts';

/** The kind of the postings for fees. */
export const FEE_POSTING = 'merchant_fee';

const feeReference = (hash: string) => `fee ${hash}`;
/** `returned`: the total of the sale's returns, in centavos; it identifies a return. */
const feeBackReference = (hash: string, returned: number) => `fee back ${hash} ${returned}`;

/** A sale is owed to its merchant, less the fee, after a number of business days. */
export const onCheckoutCreated: EventHandler<'checkout.created'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  const sale = (await findSale(tx, customerId, data.checkout_hash))!;
  const fee = feeOn(cents(sale.financed_cents), ppm(sale.merchant_fee_ppm));
  const line = lineOf(sale, now);
  await insertLines(tx, [line('sale', sale.financed_cents), line('fee', -fee)]);
  await postFee(tx, sale, { reference: feeReference(sale.hash), feeCents: fee, at: sale.purchased_at }, now);
};

/**
 * A return is debited to the merchant, and its fee credited. Not before the sale itself is due: a payout in between is not
 * reduced. If the sale was paid out, the next payout is reduced.
 */
export const onCheckoutReturned: EventHandler<'checkout.returned'> = async (tx, event) => {
  const { customerId, data, occurredAt: now } = event;
  const sale = (await findSale(tx, customerId, data.checkout_hash))!;
  const [amount, returned] = [parseReais(data.amount)!, parseReais(data.returned)!];
  const left = (gone: number): Cents => cents(sale.financed_cents - gone);
  const back = feeBack(left(returned - amount), left(returned), ppm(sale.merchant_fee_ppm));
  const at = new Date(data.returned_at);
  const line = lineOf(sale, now, at);
  await insertLines(tx, [line('return', -amount), line('return_fee', back)]);
  await postFee(tx, sale, { reference: feeBackReference(sale.hash, returned), feeCents: -back, at }, now);
};

/** `notBefore`: the earliest due day, if the sale was due earlier. */
function lineOf(sale: Sale, now: Date, notBefore: Date = sale.purchased_at) {
  const saleDueOn = businessDaysAfter(saoPauloDay(sale.purchased_at.getTime()), sale.payout_days);
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
  { reference, feeCents, at }: { reference: string; feeCents: number; at: Date },
  now: Date,
): Promise<void> {
  const entries = [
    { account: 'merchant_payable', amountCents: feeCents },
    { account: 'fee_income', amountCents: -feeCents },
  ] as const;
  postForMerchant(tx, { merchantId, reference, kind: FEE_POSTING, occurredAt: at, entries }, now);
}
