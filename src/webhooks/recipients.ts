import { findOfferRecipients } from '#credit';
import { type CustomerPartner, listCustomerPartners } from '#customers';
import { type EventData, getScopes, type OutboxEvent, type RecipientScope } from '#events';
import { type KeyGrant, listKeyGrants } from '#partners';
import type { Queryable } from '#platform/database/db.ts';

/** The fields of an event that decide who receives it. */
type RoutedEvent = Pick<
  OutboxEvent,
  'type' | 'occurredAt' | 'customerId' | 'merchantId' | 'partnerId' | 'data'
>;

/** A partner that receives an event, and which of its API keys see it. */
export type EventRecipient = {
  readonly partnerId: string;
  /** Whether keys that are not bound to a merchant see the event. */
  readonly reachesKeysWithoutMerchant: boolean;
  /** Keys that are bound to this merchant see the event. */
  readonly merchantId: number | null;
  /** The customer, whom only keys of the scope `wallet` see. Null if the partner must not see the customer of this event. */
  readonly customerId: string | null;
};

/**
 * Finds the partners that get each event. With the scope `wallet` a partner gets events of customers since their first login through the
 * partner. With the scope `merchant` it gets events of the merchant that its key is bound to. The partner that caused an event gets it if it
 * has the required scope. Partners whose keys of the scope are all revoked or expired get nothing. The customer with the phone of an offer is
 * looked up here and not when the offer is created, so that the merchant cannot infer it from the response or its duration.
 */
export async function findRecipients(db: Queryable, routedEvents: readonly RoutedEvent[], now: Date) {
  const events = await addCustomersOfOffers(db, routedEvents);
  const customerIds = listUniqueValues(events.map(({ customerId }) => customerId));
  const merchantIds = listUniqueValues(events.map(({ merchantId }) => merchantId));
  const customerPartners = customerIds.length > 0 ? await listCustomerPartners(db, customerIds) : [];
  const partnerIds = listUniqueValues([
    ...customerPartners.map(({ partnerId }) => partnerId),
    ...events.map(({ partnerId }) => partnerId),
  ]);
  if (partnerIds.length + merchantIds.length === 0) return events.map(() => []);
  const keyGrants = await listKeyGrants(db, { partnerIds, merchantIds }, now);
  const partnersByCustomer = Map.groupBy(customerPartners, ({ customerId }) => customerId);
  return events.map((event) => selectRecipients(event, partnersByCustomer, keyGrants));
}

async function addCustomersOfOffers(db: Queryable, events: readonly RoutedEvent[]) {
  const customerByOffer = await findOfferRecipients(db, listUniqueValues(events.map(findOfferId)));
  if (customerByOffer.size === 0) return events;
  return events.map((event) => ({
    ...event,
    customerId: event.customerId ?? customerByOffer.get(findOfferId(event) ?? '') ?? null,
  }));
}

/** Returns the offer of an event that is about a phone and not about a customer. */
function findOfferId({ customerId, type, data }: RoutedEvent): string | null {
  if (customerId !== null || !type.startsWith('offer.')) return null;
  return (data as EventData<'offer.created'>).offer_id;
}

function selectRecipients(
  event: RoutedEvent,
  partnersByCustomer: ReadonlyMap<string, CustomerPartner[]>,
  keyGrants: readonly KeyGrant[],
): EventRecipient[] {
  const { customerId, merchantId, partnerId, occurredAt } = event;
  const linkedPartners = (customerId === null ? undefined : partnersByCustomer.get(customerId)) ?? [];
  const candidatePartnerIds = new Set([
    ...linkedPartners.filter(({ since }) => since <= occurredAt).map((partner) => partner.partnerId),
    ...(partnerId === null ? [] : [partnerId]),
  ]);
  const scopes = getScopes(event.type);
  const matchingGrants = keyGrants.filter((grant) => {
    if (!scopes.includes(grant.scope as RecipientScope)) return false;
    return grant.scope === 'merchant'
      ? merchantId !== null && grant.merchantId === merchantId
      : candidatePartnerIds.has(grant.partnerId);
  });
  return [...Map.groupBy(matchingGrants, (grant) => grant.partnerId)].map(([id, grants]) => ({
    partnerId: id,
    reachesKeysWithoutMerchant: grants.some(({ scope }) => scope !== 'merchant'),
    merchantId: grants.some(({ scope }) => scope === 'merchant') ? merchantId : null,
    customerId: grants.some(({ scope }) => scope === 'wallet') ? customerId : null,
  }));
}

/** Omits null. */
const listUniqueValues = <T>(values: ReadonlyArray<T | null>): T[] =>
  [...new Set(values)].filter((value): value is T & {} => value !== null);
