import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { CreditDeps } from '../deps.ts';
import type { Lender } from '../papers/contract.ts';
import { fixContract } from '../papers/fix-contract.ts';
import { refuseBadStanding } from '../purchases/approve-purchase.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { openCheckout } from '../purchases/open-checkout.ts';
import { NotGranted } from './acceptance.ts';
import { isOffered, offerEvent, payoutOf, planOffer, refuseOwnMerchant } from './offer.ts';
import { transition } from './states.ts';
import { lockOffer, markClosed } from './store.ts';

/**
 * Turns the offer into a purchase, on its terms. Undefined when the customer has no such offer. The customer is
 * locked first, as for every purchase, then the offer, which serializes it with everything else that happens to either. Throws
 * NotGranted where the credit policy does not approve.
 */
export async function acceptOffer(
  tx: CustomerTx,
  { customerId, offerId, installments }: { customerId: string; offerId: string; installments?: number },
  {
    merchants,
    cashbackDebt,
    acceptance,
    lender,
  }: Pick<CreditDeps, 'merchants' | 'cashbackDebt' | 'acceptance'> & { lender: Lender },
  { events, now }: EventContext,
): Promise<CheckoutRecord | undefined> {
  const buyer = await lockCustomerById(tx, customerId);
  const offer = await lockOffer(tx, offerId);
  if (!buyer || !offer || !isOffered(offer, buyer)) return undefined;
  transition(offer, 'accept', now);
  const plan = planOffer(offer, now, installments);
  const { merchant_id: id, merchant_slug: slug, merchant_name: name } = offer;
  const { total } = plan.schedule;
  // One round trip.
  const [, , decision] = await Promise.all([
    refuseOwnMerchant(tx, buyer, offer),
    refuseBadStanding(tx, buyer, total, { now, cashbackDebt }),
    acceptance(tx, { buyer, offerId, merchant: { id, slug }, total, now }),
  ]);
  if (decision.outcome !== 'approved') throw new NotGranted(decision);
  const merchant = { id, slug, name, logo_url: merchants.identify(id)?.logoUrl ?? null };
  const { description, reference } = offer;
  const purchase = {
    ...plan,
    customerId,
    merchant,
    payout: payoutOf(offer),
    description,
    offerId,
    reference,
  };
  const checkout = await openCheckout(tx, purchase, { events, now });
  const accepted = {
    customerId,
    checkoutHash: checkout.hash!,
    installments: plan.schedule.installments.length,
  };
  const data = {
    ...offerEvent(await markClosed(tx, offerId, 'accepted', now, accepted)),
    checkout_hash: checkout.hash!,
  };
  await events.emit(tx, { type: 'offer.accepted', customerId, merchantId: id, data }, now);
  const contract = await fixContract(tx, checkout as CheckoutRecord<string>, { lender, now });
  return { ...checkout, contractSha256: contract?.sha256 ?? null };
}
