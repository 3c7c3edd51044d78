import { isDeepStrictEqual } from 'node:util';
import { findIdentity, findPhoneHash, lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import type { Paper } from '#platform/papers/paper.ts';
import { NotGranted } from '../acceptance.ts';
import type { CreditDeps } from '../deps.ts';
import { newHash } from '../hash.ts';
import { contractOf, type Lender, type Person } from '../papers/contract.ts';
import { refuseBadStanding } from '../purchases/approve-purchase.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import type { Contract } from '../purchases/contract-store.ts';
import { checkoutRecordOf, openCheckout } from '../purchases/open-checkout.ts';
import type { ApprovedPurchase, Plan } from '../purchases/plan-purchase.ts';
import { renderContract } from './fix-contract.ts';
import { isOffered, offerEvent, payoutOf, planOffer, refuseOwnMerchant } from './offer.ts';
import { stateOf, transition } from './states.ts';
import { findOffer, lockOffer, markClosed, type OfferRow } from './store.ts';

type Acceptance = { readonly customerId: string; readonly offerId: string; readonly installments?: number };

/** A contract as it would be if the offer was accepted now. */
export type ContractDraft = Contract & { readonly paper: Paper };

/**
 * Draws the contract before the transaction that accepts the offer: a page takes some ten milliseconds, in which nobody should wait for
 * the customer's lock. Undefined if the offer cannot be accepted: the transaction throws the reason.
 */
export async function draftContract(
  { db, merchants, lender }: Pick<CreditDeps, 'merchants'> & { db: Db; lender: Lender },
  { customerId, offerId, installments }: Acceptance,
  now: Date,
): Promise<ContractDraft | undefined> {
  const [offer, phoneHash, person] = await Promise.all([
    findOffer(db.shared, offerId),
    findPhoneHash(db.shared, customerId),
    findIdentity(db.shared, customerId),
  ]);
  if (!offer || !phoneHash || !person) return undefined;
  if (!isOffered(offer, { id: customerId, phone_hash: phoneHash }) || stateOf(offer, now) !== 'bound')
    return undefined;
  const purchase = purchaseOf(offer, planOffer(offer, now, installments), customerId, merchants);
  const hash = newHash();
  const paper = contractPaper(hash, purchase, { offer, person, lender });
  return { ...(await renderContract(hash, paper)), paper };
}

/**
 * Turns the offer into a purchase, on its terms. Undefined when the customer has no such offer. The customer is
 * locked first, as for every purchase, then the offer, which serializes it with everything else that happens to either. Throws
 * NotGranted where the credit policy does not approve.
 */
export async function acceptOffer(
  tx: CustomerTx,
  { customerId, offerId, installments }: Acceptance,
  deps: Pick<CreditDeps, 'merchants' | 'cashbackDebt' | 'acceptance'> & {
    lender: Lender;
    draft: ContractDraft | undefined;
  },
  { events, now }: EventContext,
): Promise<CheckoutRecord | undefined> {
  const { merchants, cashbackDebt, acceptance, lender, draft } = deps;
  const [buyer, offer] = await Promise.all([lockCustomerById(tx, customerId), lockOffer(tx, offerId)]);
  if (!buyer || !offer || !isOffered(offer, buyer)) return undefined;
  transition(offer, 'accept', now);
  const plan = planOffer(offer, now, installments);
  const { merchant_id: id, merchant_slug: slug } = offer;
  const { total } = plan.schedule;
  // One round trip.
  const [, , decision, person] = await Promise.all([
    refuseOwnMerchant(tx, buyer, offer),
    refuseBadStanding(tx, buyer, total, { now, cashbackDebt }),
    acceptance(tx, { buyer, offerId, merchant: { id, slug }, total, now }),
    findIdentity(tx, customerId),
  ]);
  if (decision.outcome !== 'approved') throw new NotGranted(decision);
  const purchase = purchaseOf(offer, plan, customerId, merchants);
  const contract = await contractFor(purchase, draft, { offer, person: person!, lender });
  const checkout = await openCheckout(tx, { ...purchase, contract }, { events, now });
  const { hash } = contract;
  const accepted = { customerId, checkoutHash: hash, installments: plan.schedule.installments.length };
  const { merchantId, data } = offerEvent(await markClosed(tx, offerId, 'accepted', now, accepted));
  const closed = { merchantId, data: { ...data, checkout_hash: hash } };
  await events.emit(tx, { type: 'offer.accepted', customerId, ...closed }, now);
  return checkout;
}

type Parties = { offer: OfferRow; person: Person; lender: Lender };

/** The draft, unless a fact in it has changed since. */
async function contractFor(
  purchase: ApprovedPurchase,
  draft: ContractDraft | undefined,
  parties: Parties,
): Promise<Contract> {
  const hash = draft?.hash ?? newHash();
  const paper = contractPaper(hash, purchase, parties);
  return draft && isDeepStrictEqual(draft.paper, paper) ? draft : renderContract(hash, paper);
}

const contractPaper = (hash: string, purchase: ApprovedPurchase, { offer, person, lender }: Parties): Paper =>
  contractOf(checkoutRecordOf(purchase, { hash, installmentIds: [] }), {
    person,
    lender,
    items: offer.items,
  });

function purchaseOf(
  offer: OfferRow,
  plan: Plan,
  customerId: string,
  merchants: CreditDeps['merchants'],
): ApprovedPurchase {
  const { merchant_id: id, merchant_slug: slug, merchant_name: name, description, reference } = offer;
  return {
    ...plan,
    customerId,
    merchant: { id, slug, name, logo_url: merchants.identify(id)?.logoUrl ?? null },
    payout: payoutOf(offer),
    description,
    offerId: offer.id,
    reference,
  };
}
