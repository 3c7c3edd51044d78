import { type CustomerPartner, listCustomerPartners } from '#customers';
import { type AudienceScope, scopesOf, type WaitingEvent } from '#events';
import { type KeyHolder, listKeyHolders } from '#partners';
import type { Queryable } from '#platform/database/db.ts';

/** What decides who is told of an event. */
export type Concerned = Pick<WaitingEvent, 'type' | 'occurredAt' | 'customerId' | 'merchantId' | 'partnerId'>;

/**
 * Who is told of each event. A partner with the scope `wallet`: of customers who have logged in through it, from then on. One with
 * the scope `merchant`: of what is sold by the merchant its key is bound to. The partner through which it came, with the scope
 * that this takes. Nobody whose keys of that scope are all revoked or have expired.
 */
export async function audienceOf(
  db: Queryable,
  events: readonly Concerned[],
  now: Date,
): Promise<string[][]> {
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
): string[] {
  const { customerId, merchantId, partnerId, occurredAt } = event;
  const followers = (customerId === null ? undefined : byCustomer.get(customerId)) ?? [];
  const candidates = new Set([
    ...followers.filter(({ since }) => since <= occurredAt).map((follower) => follower.partnerId),
    ...(partnerId === null ? [] : [partnerId]),
  ]);
  const scopes = scopesOf(event.type);
  const concerns = ({ partnerId: holder, scope, merchantId: bound }: KeyHolder): boolean =>
    scopes.includes(scope as AudienceScope) &&
    (scope === 'merchant' ? merchantId !== null && bound === merchantId : candidates.has(holder));
  return [...new Set(holders.filter(concerns).map((holder) => holder.partnerId))];
}

const present = <T>(values: ReadonlyArray<T | null>): T[] =>
  [...new Set(values)].filter((value): value is T & {} => value !== null);
