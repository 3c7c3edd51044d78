import { cents, reaisOf } from '#core/money.ts';
import { ppm } from '#core/percent.ts';
import type { LockedCustomer } from '#customers';
import type { EventData } from '#events';
import { isMember } from '#members';
import type { Tx } from '#platform/database/db.ts';
import { amountOutOfRange, tooManyInstallments } from '../problems.ts';
import type { PayoutTerms } from '../purchases/merchant-plan.ts';
import { makePlan, type Plan } from '../purchases/plan-purchase.ts';
import { termsOf } from '../purchases/terms-columns.ts';
import { ownMerchant } from './problems.ts';
import { statusOf } from './states.ts';
import type { OfferRow } from './store.ts';

/** Whether it is this customer's: made to the phone they have, or claimed by them. */
export const isOffered = (offer: OfferRow, customer: { id: string; phone_hash: Buffer }): boolean =>
  offer.phone_hash === null
    ? offer.customer_id === customer.id
    : offer.phone_hash.equals(customer.phone_hash);

/** A member of the merchant may not buy from it: that would be a loan to themselves. */
export async function refuseOwnMerchant(
  tx: Tx,
  { phone_hash }: Pick<LockedCustomer, 'phone_hash'>,
  { merchant_id }: OfferRow,
): Promise<void> {
  if (await isMember(tx, merchant_id, phone_hash)) throw ownMerchant();
}

/**
 * The cost if it is accepted now, or the cost when it was closed; with fewer installments on request. Amounts and terms are as
 * offered; due days count from the day of acceptance.
 */
export function planOffer(offer: OfferRow, now: Date, wanted?: number): Plan {
  const status = statusOf(offer, now);
  const at = status === 'pending' ? now : (offer.closed_at ?? offer.expires_at);
  const installments = wanted ?? offer.accepted_installments ?? offer.installments;
  if (installments > offer.installments) throw tooManyInstallments(offer.installments);
  const made = makePlan({ amount: cents(offer.amount_cents), installments }, termsOf(offer), at);
  // A few centavos, in another number of installments than offered.
  if (!made.ok) throw amountOutOfRange(made.refusal);
  return made.plan;
}

export const payoutOf = (offer: OfferRow): PayoutTerms => ({
  merchantFee: ppm(offer.merchant_fee_ppm),
  days: offer.payout_days,
});

/** The merchant and the data of an event about it, which partners receive. */
export function offerEvent(offer: OfferRow): { merchantId: number; data: EventData<'offer.created'> } {
  const data = {
    offer_id: offer.id,
    merchant: offer.merchant_slug,
    amount: reaisOf(offer.amount_cents),
    installments: offer.accepted_installments ?? offer.installments,
    status: offer.status,
    expires_at: offer.expires_at.toISOString(),
    reference: offer.reference,
  };
  return { merchantId: offer.merchant_id, data };
}
