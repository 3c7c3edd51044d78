import { type CustomerPartner, listCustomerPartners } from '#customers';
import { type AudienceScope, scopesOf, type WaitingEvent } from '#events';
import { type KeyHolder, listKeyHolders } from '#partners';
import type { Queryable } from '#platform/database/db.ts';

/** The attributes of an event that decide who gets it. */
export type Concerned = Pick<WaitingEvent, 'type' | 'occurredAt' | 'customerId' | 'merchantId' | 'partnerId'>;

/** A partner that gets an event, and which of its keys see it. */
export type Audience = {
  readonly partnerId: string;
  /** Keys without a merchant. */
  readonly unbound: boolean;
  /** Keys of this merchant. */
  readonly merchantId: number | null;
};

/**
 * Who gets each event. A partner with the scope `wallet`: events of customers who have logged in through it, from then on. With
 * the scope `merchant`: events of the merchant of its key. The partner through which something came, with the scope that this
 * requires. A partner whose keys of that scope are all revoked or expired gets nothing.
 */
export async function audienceOf(
  db: Queryable,
  events: readonly Concerned[],
  now: Date,
): Promise<Audience[][]> {
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
