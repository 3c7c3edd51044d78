import { sql, type Tx } from '#platform/database/db.ts';
import type { EventType } from './catalog.ts';

/** An event of the outbox, with the attributes that decide who receives it. */
export type OutboxEvent = {
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

type OutboxRow = { position: number } & (Omit<OutboxEvent, 'customerId'> | { id: null });

/**
 * Lists the events in the outbox, with each customer's events in order; optionally of one customer. `event` is null if the event was
 * purged because it waited longer than the retention period.
 */
export async function listOutboxEvents(
  tx: Tx,
  limit: number,
  customerId?: string,
): Promise<Array<{ customerId: string; position: number; event: OutboxEvent | null }>> {
  const [outboxCondition, eventCondition] =
    customerId === undefined
      ? [sql``, sql``]
      : [sql`where customer_id = ${customerId}`, sql`and e.customer_id = ${customerId}`];
  const rows = await tx.rows<OutboxRow & { customerId: string }>(sql`
    select o.customer_id as "customerId", o.position, e.id, e.type, e.occurred_at as "occurredAt",
           e.checkout_hash as "checkoutHash", e.sequence, e.merchant_id as "merchantId",
           e.partner_id as "partnerId", e.data
    from (select customer_id, position, event_id from event_outbox ${outboxCondition} order by position limit ${limit}) as o
    left join events e on e.customer_id = o.customer_id and e.id = o.event_id ${eventCondition}
    order by o.position`);
  return rows.map(({ customerId: eventCustomerId, position, ...event }) => ({
    customerId: eventCustomerId,
    position,
    event: event.id === null ? null : { ...event, customerId: eventCustomerId },
  }));
}

/** Like `listOutboxEvents`, for events that concern no customer. */
export async function listGlobalOutboxEvents(
  tx: Tx,
  limit: number,
): Promise<Array<{ position: number; event: OutboxEvent | null }>> {
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

export async function deleteOutboxEvents(
  tx: Tx,
  entries: ReadonlyArray<{ customerId: string; position: number }>,
): Promise<void> {
  // Positions are unique across customers, also on Citus. The customer ids let Citus know which shards are involved.
  await tx.run(sql`
    delete from event_outbox
    where position = any(${entries.map(({ position }) => position)}::bigint[])
      and customer_id = any(${[...new Set(entries.map(({ customerId }) => customerId))]})`);
}

export const deleteGlobalOutboxEvents = (tx: Tx, entries: ReadonlyArray<{ position: number }>) =>
  tx.run(sql`
    delete from global_event_outbox where position = any(${entries.map(({ position }) => position)}::bigint[])`);
