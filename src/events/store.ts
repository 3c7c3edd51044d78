import { sql, type Tx } from '#platform/db.ts';
import type { Event } from './events.ts';

/**
 * The sequence of a checkout is the next number; the caller has locked the customer, and the unique index refuses a
 * number that was taken all the same.
 */
export async function insertEvent(tx: Tx, event: Event & { id: string }, now: Date): Promise<void> {
  const { id, type, customerId, checkoutHash, data } = event;
  await tx.run(sql`
    insert into events (customer_id, id, type, checkout_hash, sequence, data, occurred_at)
    select ${customerId ?? ''}, ${id}, ${type}, ${checkoutHash}::text,
           case when ${checkoutHash}::text is not null then 1 + coalesce((
             select max(sequence) from events
             where customer_id = ${customerId ?? ''} and checkout_hash = ${checkoutHash}), 0) end,
           ${JSON.stringify(data)}::jsonb, ${now}`);
}
