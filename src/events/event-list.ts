import { Type } from 'typebox';
import { type Queryable, sql } from '#platform/database/db.ts';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { Id } from '#platform/http/schemas.ts';
import { STAFF_EVENT_TYPES } from './catalog.ts';
import type { StoredEvent } from './store.ts';

export type StaffEventRow = StoredEvent & {
  customer_id: string | null;
  checkout_hash: string | null;
  data: object;
};

/** The events of customers, and global events. */
export const eventList = defineList({
  select: sql`
    select * from (
      select id, type, customer_id, checkout_hash, sequence, data, occurred_at, position from events
      union all
      select id, type, null, null, null, data, occurred_at, - position from global_events) as e`,
  filters: {
    type: filterBy(Type.Enum([...STAFF_EVENT_TYPES]), sql`type`),
    customer: filterBy(Id('cus', { description: 'Id of the customer.' }), sql`customer_id`),
    checkout: {
      schema: Type.String({ pattern: '^[0-9A-Za-z]{22}$', description: 'Hash of the purchase.' }),
      // Events are stored by customer. An unknown purchase has none.
      resolve: async (hash: string, db: Queryable) => ({
        hash,
        customerId: (await findCheckoutCustomer(db, hash)) ?? '',
      }),
      where: ({ hash, customerId }: { hash: string; customerId: string }) =>
        sql`customer_id = ${customerId} and checkout_hash = ${hash}`,
    },
    ...filterByDays('Happened', sql`occurred_at`),
  },
  orderBy: [sql`occurred_at`, sql`position`],
  keyOf: ({ occurred_at, position }: StaffEventRow) => [occurred_at, position],
});

/** Finds the customer of a purchase; undefined if the purchase has no events. */
export const findCheckoutCustomer = (db: Queryable, checkoutHash: string) =>
  db.value<string>(sql`select customer_id from event_sequences where checkout_hash = ${checkoutHash}`);
