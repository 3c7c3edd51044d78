import { toCanonicalJson } from '#core/values/canonical-json.ts';
import { findIdentity, lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import { waitForAllOrThrow } from '#platform/jobs/concurrency.ts';
import { AcceptanceRefused, OFFER_TTL_MS } from '../acceptance.ts';
import type { CreditDeps } from '../deps.ts';
import { buildContractContent, type ContractContent } from '../documents/contract.ts';
import type { Creditor, Person } from '../documents/parties.ts';
import { generateCheckoutHash } from '../fields.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { type Contract, createContract } from '../purchases/contract-store.ts';
import {
  buildCheckoutRecord,
  openCheckout,
  requireAvailableCredit,
  requireGoodStanding,
} from '../purchases/open-checkout.ts';
import type { ApprovedPurchase, PlannedPurchase } from '../purchases/plan-purchase.ts';
import {
  buildOfferEvent,
  isOfferedToCustomer,
  planOffer,
  refuseOwnMerchantPurchase,
  toOfferPayoutTerms,
} from './offer.ts';
import { checkTransition } from './states.ts';
import { lockOffer, markOfferClaimed, markOfferClosed, type OfferRow } from './store.ts';

type Acceptance = { readonly customerId: string; readonly offerId: string; readonly installments?: number };
type AcceptOfferDeps = Pick<
  CreditDeps,
  'merchants' | 'selectCashbackDebt' | 'decideAcceptance' | 'listPayeeTaxIds'
>;

/**
 * Opens a purchase on the terms of the offer. Returns undefined if the customer has no such offer. Locks the customer first, as for
 * every purchase, and then the offer. Throws AcceptanceRefused if the credit policy does not approve the purchase. Stores the contract
 * in the same transaction; its PDF is rendered later.
 */
export async function acceptOffer(
  tx: CustomerTx,
  { customerId, offerId, installments }: Acceptance,
  deps: AcceptOfferDeps & { creditor: Creditor },
  { events, now }: EventContext,
): Promise<CheckoutRecord | undefined> {
  const { merchants, selectCashbackDebt, decideAcceptance, listPayeeTaxIds, creditor } = deps;
  const [customer, offer] = await Promise.all([lockCustomerById(tx, customerId), lockOffer(tx, offerId)]);
  if (!customer || !offer || !isOfferedToCustomer(offer, customer)) return undefined;
  checkTransition(offer, 'accept', now);
  const plan = planOffer(offer, now, installments);
  const { merchant_id: id, merchant_slug: slug } = offer;
  const { schedule } = plan;
  // The statements are sent together, so that they take one round trip.
  const identity = findIdentity(tx, customerId);
  const requirements = [
    refuseOwnMerchantPurchase(tx, { ...customer, identity }, offer, listPayeeTaxIds),
    requireAvailableCredit(tx, customer, schedule.total, { now, selectCashbackDebt }),
  ];
  const order = { buyer: customer, offerId, merchant: { id, slug }, total: schedule.total, now };
  const [decision, person] = await Promise.all([decideAcceptance(tx, order), identity, ...requirements]);
  if (decision.outcome !== 'approved') throw new AcceptanceRefused(decision);
  const purchase = buildPurchase(offer, plan, customerId, merchants);
  const contract = buildContract(purchase, { offer, person: person!, creditor });
  const checkout = await openCheckout(tx, { ...purchase, contract }, { events, now });
  const closedOffer = markOfferClosed(tx, offer, {
    status: 'accepted',
    closedAt: now,
    purchase: { customerId, checkoutHash: contract.hash, installments: schedule.installments.length },
  });
  const { merchantId, data } = buildOfferEvent(closedOffer);
  const event = { merchantId, data: { ...data, checkout_hash: contract.hash } };
  await events.emit(tx, { type: 'offer.accepted', customerId, ...event }, now);
  return checkout;
}

/** Builds the contract that would result if this customer accepted the offer now. Throws a problem if the offer cannot be accepted. */
export async function draftContract(
  db: Queryable,
  offer: OfferRow,
  { customerId, now, installments }: { customerId: string; now: Date; installments?: number | undefined },
  { merchants, creditor }: Pick<CreditDeps, 'merchants'> & { creditor: Creditor },
): Promise<ContractContent> {
  checkTransition(offer, 'accept', now);
  const purchase = buildPurchase(offer, planOffer(offer, now, installments), customerId, merchants);
  const person = await findIdentity(db, customerId);
  return buildContractContent(buildCheckoutRecord(purchase), {
    person: person!,
    creditor,
    items: offer.items,
  });
}

function buildContract(
  purchase: ApprovedPurchase,
  { offer, person, creditor }: { offer: OfferRow; person: Person; creditor: Creditor },
): Contract {
  const hash = generateCheckoutHash();
  const record = buildCheckoutRecord(purchase, { hash, installmentIds: [] });
  const content = buildContractContent(record, { person, creditor, items: offer.items });
  return createContract(hash, toCanonicalJson(content));
}

function buildPurchase(
  offer: OfferRow,
  plan: PlannedPurchase,
  customerId: string,
  merchants: CreditDeps['merchants'],
): ApprovedPurchase {
  const { merchant_id: id, merchant_slug: slug, merchant_name: name, description, reference } = offer;
  return {
    ...plan,
    customerId,
    merchant: { id, slug, name, logo_url: merchants.identify(id)?.logoUrl ?? null },
    payout: toOfferPayoutTerms(offer),
    description,
    offerId: offer.id,
    reference,
  };
}

/**
 * Assigns an open offer to this customer, who then has two days to accept it. Idempotent. Returns undefined if there is no such offer.
 * Throws a problem if the customer may not buy. Locks the customer and then the offer, like `acceptOffer`.
 */
export async function claimOffer(
  tx: CustomerTx,
  { customerId, offerId }: { customerId: string; offerId: string },
  { selectCashbackDebt, listPayeeTaxIds }: Pick<CreditDeps, 'selectCashbackDebt' | 'listPayeeTaxIds'>,
  { events, now }: EventContext,
): Promise<OfferRow | undefined> {
  const [customer, offer] = await Promise.all([lockCustomerById(tx, customerId), lockOffer(tx, offerId)]);
  if (!customer || !offer) return undefined;
  if (offer.customer_id === customerId) return offer;
  checkTransition(offer, 'claim', now);
  // Awaited by the first check below, so that all statements take one round trip.
  const identity = findIdentity(tx, customerId);
  await waitForAllOrThrow([
    refuseOwnMerchantPurchase(tx, { ...customer, identity }, offer, listPayeeTaxIds),
    requireGoodStanding(tx, customer, { now, selectCashbackDebt }),
  ]);
  const expiresAt = new Date(now.getTime() + OFFER_TTL_MS);
  const claimedOffer = markOfferClaimed(tx, offer, { customerId, now, expiresAt });
  await events.emit(tx, { type: 'offer.claimed', customerId, ...buildOfferEvent(claimedOffer) }, now);
  return claimedOffer;
}
