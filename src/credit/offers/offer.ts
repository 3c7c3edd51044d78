import { cents, centsToReais } from '#core/values/money.ts';
import { ppm } from '#core/values/percent.ts';
import type { Identity, LockedCustomer } from '#customers';
import type { EventData } from '#events';
import { isActiveMember } from '#members';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { defineService } from '#platform/service.ts';
import { amountOutOfRange, ownMerchantPurchase, tooManyInstallments } from '../problems.ts';
import { buildPlan, type PlannedPurchase } from '../purchases/plan-purchase.ts';
import { type PayoutTerms, toTerms } from '../purchases/terms.ts';
import { computeStatus } from './states.ts';
import type { OfferRow } from './store.ts';

/** Whether the offer was sent to the customer's current phone or claimed by them. */
export const isOfferedToCustomer = (
  offer: OfferRow,
  customer: { id: string; phone_hash: Buffer },
): boolean =>
  offer.phone_hash === null
    ? offer.customer_id === customer.id
    : offer.phone_hash.equals(customer.phone_hash);

/** Lists the CPFs and CNPJs of the current and pending payout accounts of a merchant. The payouts module provides this function. */
export type ListPayeeTaxIds = (db: Queryable, buyer: MerchantBuyer) => Promise<readonly string[]>;
/** `customerId` identifies the caller's rows in a statement that several callers share. */
export type MerchantBuyer = { readonly customerId: string; readonly merchantId: number };
export const payeeTaxIdsLister = defineService<ListPayeeTaxIds>('payees');

/** Throws a problem if the customer is a member or payee of the merchant, who could turn credit into cash for themselves. */
export async function refuseOwnMerchantPurchase(
  tx: Tx,
  customer: Pick<LockedCustomer, 'id' | 'phone_hash'> & { readonly identity: Promise<Identity | undefined> },
  { merchant_id }: OfferRow,
  listPayeeTaxIds: ListPayeeTaxIds,
): Promise<void> {
  const [isMember, taxIds, identity] = await Promise.all([
    isActiveMember(tx, merchant_id, customer.phone_hash),
    listPayeeTaxIds(tx, { customerId: customer.id, merchantId: merchant_id }),
    customer.identity,
  ]);
  if (isMember || (identity && taxIds.includes(identity.cpf))) throw ownMerchantPurchase();
}

/**
 * Computes the schedule and cost of an acceptance now or, for a closed offer, at the time of its closing, on the terms of the offer.
 * Due days count from the day of acceptance.
 */
export function planOffer(offer: OfferRow, now: Date, requestedInstallments?: number): PlannedPurchase {
  const status = computeStatus(offer, now);
  const acceptedAt = status === 'pending' ? now : (offer.closed_at ?? offer.expires_at);
  const installments = requestedInstallments ?? offer.accepted_installments ?? offer.installments;
  if (installments > offer.installments) throw tooManyInstallments(offer.installments);
  const result = buildPlan({ amount: cents(offer.amount_cents), installments }, toTerms(offer), acceptedAt);
  // Possible only if a few centavos are split into another number of installments than offered.
  if (!result.ok) throw amountOutOfRange(result.refusal);
  return result.plan;
}

export const toOfferPayoutTerms = (offer: OfferRow): PayoutTerms => ({
  merchantFee: ppm(offer.merchant_fee_ppm),
  days: offer.payout_days,
});

/** Builds the fields that all events about an offer share. Partners receive `data`. */
export function buildOfferEvent(offer: OfferRow): { merchantId: number; data: EventData<'offer.created'> } {
  const data = {
    offer_id: offer.id,
    merchant: offer.merchant_slug,
    amount: centsToReais(offer.amount_cents),
    installments: offer.accepted_installments ?? offer.installments,
    status: offer.status,
    expires_at: offer.expires_at.toISOString(),
    reference: offer.reference,
  };
  return { merchantId: offer.merchant_id, data };
}
