import { type Queryable, sql } from '#platform/database/db.ts';
import { type Listing, onDays } from '#platform/http/listing.ts';
import type { WrittenEvent } from './store.ts';

export type StaffEventRow = WrittenEvent & {
  customer_id: string | null;
  checkout_hash: string | null;
  data: object;
};

type EventFilter = {
  type?: string | undefined;
  customerId?: string | undefined;
  checkoutHash?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** Events of customers and global events. */
export const listedEvents = (filter: EventFilter): Listing<StaffEventRow> => ({
  of: sql`
    select * from (
      select id, type, customer_id, checkout_hash, sequence, data, occurred_at, position from events
      union all
      select id, type, null, null, null, data, occurred_at, - position from global_events) as e`,
  where: [
    ...(filter.type === undefined ? [] : [sql`type = ${filter.type}`]),
    ...(filter.customerId === undefined ? [] : [sql`customer_id = ${filter.customerId}`]),
    ...(filter.checkoutHash === undefined ? [] : [sql`checkout_hash = ${filter.checkoutHash}`]),
    ...onDays(sql`occurred_at`, filter),
  ],
  by: [sql`occurred_at`, sql`position`],
  keyOf: ({ occurred_at, position }) => [occurred_at, position],
});

/** The customer of a purchase; undefined when it has no events. */
export async function findCheckoutCustomer(db: Queryable, checkoutHash: string): Promise<string | undefined> {
  const row = await db.row<{ customer_id: string }>(
    sql`select customer_id from event_sequences where checkout_hash = ${checkoutHash}`,
  );
  return row?.customer_id;
}

/** Events of a purchase are searched among those of its customer. */
export async function narrowed(db: Queryable, filter: EventFilter): Promise<EventFilter> {
  const { checkoutHash, customerId } = filter;
  if (checkoutHash === undefined || customerId !== undefined) return filter;
  return { ...filter, customerId: (await findCheckoutCustomer(db, checkoutHash)) ?? '' };
}
