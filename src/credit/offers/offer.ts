import { cents, toReais } from '#core/money.ts';
import { ppm } from '#core/percent.ts';
import type { EventData } from '#events';
import type { Problem } from '#platform/problem.ts';
import { amountOutOfRange, offerClosed, offerExpired, tooManyInstallments } from '../problems.ts';
import type { PayoutTerms } from '../purchases/merchant-plan.ts';
import { makePlan, type Plan } from '../purchases/plan-purchase.ts';
import { termsOf } from '../purchases/terms-columns.ts';
import type { OfferRow, OfferStatus } from './store.ts';

/** The time to consider an offer (CDC art. 54-B). */
export const OFFER_LIFE_MS = 2 * 86_400_000;

/** After its deadline an offer is expired, whether a job has marked it or not. */
export function statusOf(offer: OfferRow, now: Date): OfferStatus {
  return offer.status === 'pending' && offer.expires_at <= now ? 'expired' : offer.status;
}

/** Why it can no longer be accepted, declined or cancelled. */
export function closedProblem(offer: OfferRow, now: Date): Problem | null {
  const status = statusOf(offer, now);
  if (status === 'pending') return null;
  return status === 'expired' ? offerExpired(offer.expires_at) : offerClosed(status);
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

/** The event that partners receive. */
export function offerEvent(offer: OfferRow): EventData<'offer.created'> {
  return {
    offer_id: offer.id,
    merchant: offer.merchant_slug,
    amount: toReais(cents(offer.amount_cents)),
    installments: offer.accepted_installments ?? offer.installments,
    status: offer.status,
    expires_at: offer.expires_at.toISOString(),
    reference: offer.reference,
  };
}
