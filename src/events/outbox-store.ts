import { sql, type Tx } from '#platform/database/db.ts';
import type { EventType } from './catalog.ts';

/** An event of the outbox, with the attributes that decide who gets it. */
export type WaitingEvent = {
  readonly id: string;
  readonly type: EventType;
  readonly occurredAt: Date;
  readonly checkoutHash: string | null;
  readonly sequence: number | null;
  readonly data: unknown;
  readonly customerId: string | null;
  readonly merchantId: number | null;
  readonly partnerId: string | null;
};

type OutboxRow = { position: number } & (Omit<WaitingEvent, 'customerId'> | { id: null });

/**
 * The events in the outbox, a customer's events in order. Null stands for an event that was purged: it waited longer than events
 * are kept. Optionally of one customer.
 */
export async function listWaitingEvents(
  tx: Tx,
  limit: number,
  customerId?: string,
): Promise<Array<{ customerId: string; position: number; event: WaitingEvent | null }>> {
  const [whose, also] =
    customerId === undefined
      ? [sql``, sql``]
      : [sql`where customer_id = ${customerId}`, sql`and e.customer_id = ${customerId}`];
  const rows = await tx.rows<OutboxRow & { customerId: string }>(sql`
    select o.customer_id as "customerId", o.position, e.id, e.type, e.occurred_at as "occurredAt",
           e.checkout_hash as "checkoutHash", e.sequence, e.merchant_id as "merchantId",
           e.partner_id as "partnerId", e.data
    from (select customer_id, position, event_id from event_outbox ${whose} order by position limit ${limit}) as o
    left join events e on e.customer_id = o.customer_id and e.id = o.event_id ${also}
    order by o.position`);
  return rows.map(({ customerId: owner, position, ...event }) => ({
    customerId: owner,
    position,
    event: event.id === null ? null : { ...event, customerId: owner },
  }));
}

/** The same for events about no customer. */
export async function listWaitingGlobalEvents(
  tx: Tx,
  limit: number,
): Promise<Array<{ position: number; event: WaitingEvent | null }>> {
  const rows = await tx.rows<OutboxRow>(sql`
    select o.position, e.id, e.type, e.occurred_at as "occurredAt", null as "checkoutHash", null::int as sequence,
           e.merchant_id as "merchantId", e.partner_id as "partnerId", e.data
    from (select position from global_event_outbox order by position limit ${limit}) as o
    left join global_events e on e.position = o.position
    order by o.position`);
  return rows.map(({ position, ...event }) => ({
    position,
    event: event.id === null ? null : { ...event, customerId: null },
  }));
}

export async function deleteWaiting(
  tx: Tx,
  waiting: ReadonlyArray<{ customerId: string; position: number }>,
): Promise<void> {
  // Positions are unique across customers, also on Citus. The customers tell Citus which shards to ask.
  await tx.run(sql`
    delete from event_outbox
    where position = any(${waiting.map(({ position }) => position)}::bigint[])
      and customer_id = any(${[...new Set(waiting.map(({ customerId }) => customerId))]})`);
}

export const deleteWaitingGlobal = (tx: Tx, waiting: ReadonlyArray<{ position: number }>) =>
  tx.run(sql`
    delete from global_event_outbox where position = any(${waiting.map(({ position }) => position)}::bigint[])`);
