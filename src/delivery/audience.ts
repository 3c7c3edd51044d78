import { findOfferedTo } from '#credit';
import { type CustomerPartner, listCustomerPartners } from '#customers';
import { type AudienceScope, type EventData, scopesOf, type WaitingEvent } from '#events';
import { type KeyHolder, listKeyHolders } from '#partners';
import type { Queryable } from '#platform/database/db.ts';

/** What decides who gets an event. */
type Concerned = Pick<
  WaitingEvent,
  'type' | 'occurredAt' | 'customerId' | 'merchantId' | 'partnerId' | 'data'
>;

/** A partner that gets an event, and which of its keys see it. */
export type Audience = {
  readonly partnerId: string;
  /** Keys without a merchant. */
  readonly unbound: boolean;
  /** Keys of this merchant. */
  readonly merchantId: number | null;
};

/**
 * Who gets each event. A partner with the scope `wallet`: events of customers who have logged in through it, from then on. One with
 * the scope `merchant`: sales of the merchant its key is bound to. The partner through which it came, with the scope that takes.
 * None whose keys of that scope are all revoked or expired. The owner of an offer's phone is looked up here and not when the offer is
 * made, so that the merchant cannot learn it from the answer or its duration.
 */
export async function audienceOf(db: Queryable, concerned: readonly Concerned[], now: Date) {
  const events = await withOfferedTo(db, concerned);
  const customerIds = present(events.map(({ customerId }) => customerId));
  const merchantIds = present(events.map(({ merchantId }) => merchantId));
  const through = customerIds.length > 0 ? await listCustomerPartners(db, customerIds) : [];
  const partnerIds = present([
    ...through.map(({ partnerId }) => partnerId),
    ...events.map(({ partnerId }) => partnerId),
  ]);
  if (partnerIds.length + merchantIds.length === 0) return events.map(() => []);
  const holders = await listKeyHolders(db, { partnerIds, merchantIds }, now);
  const byCustomer = Map.groupBy(through, ({ customerId }) => customerId);
  return events.map((event) => partnersOf(event, byCustomer, holders));
}

async function withOfferedTo(db: Queryable, events: readonly Concerned[]): Promise<readonly Concerned[]> {
  const offeredTo = await findOfferedTo(db, present(events.map(offerOf)));
  if (offeredTo.size === 0) return events;
  return events.map((event) => ({
    ...event,
    customerId: event.customerId ?? offeredTo.get(offerOf(event) ?? '') ?? null,
  }));
}

/** The offer of an event that happened to a phone rather than to a customer. */
function offerOf({ customerId, type, data }: Concerned): string | null {
  if (customerId !== null || !type.startsWith('offer.')) return null;
  return (data as EventData<'offer.created'>).offer_id;
}

function partnersOf(
  event: Concerned,
  byCustomer: ReadonlyMap<string, CustomerPartner[]>,
  holders: readonly KeyHolder[],
): Audience[] {
  const { customerId, merchantId, partnerId, occurredAt } = event;
  const followers = (customerId === null ? undefined : byCustomer.get(customerId)) ?? [];
  const candidates = new Set([
    ...followers.filter(({ since }) => since <= occurredAt).map((follower) => follower.partnerId),
    ...(partnerId === null ? [] : [partnerId]),
  ]);
  const scopes = scopesOf(event.type);
  const concerned = holders.filter(({ partnerId: holder, scope, merchantId: bound }) => {
    if (!scopes.includes(scope as AudienceScope)) return false;
    return scope === 'merchant' ? merchantId !== null && bound === merchantId : candidates.has(holder);
  });
  return [...Map.groupBy(concerned, (holder) => holder.partnerId)].map(([id, own]) => ({
    partnerId: id,
    unbound: own.some(({ scope }) => scope !== 'merchant'),
    merchantId: own.some(({ scope }) => scope === 'merchant') ? merchantId : null,
  }));
}

const present = <T>(values: ReadonlyArray<T | null>): T[] =>
  [...new Set(values)].filter((value): value is T & {} => value !== null);
