import type { OutboxEvent } from '#events';

type OutboxEntry = { readonly event: OutboxEvent | null };

/**
 * Selects the entries to publish now, so that events of customers and events without a customer can be published in the order of their
 * occurrence: where one list is full, later events of the other one wait for the next batch. Each list keeps its own order.
 */
export function selectUpToSameInstant<C extends OutboxEntry, G extends OutboxEntry>(
  customerEntries: readonly C[],
  globalEntries: readonly G[],
  batchSize: number,
): { customerEntries: readonly C[]; globalEntries: readonly G[] } {
  const customerEnd = findEnd(customerEntries, batchSize);
  const globalEnd = findEnd(globalEntries, batchSize);
  return customerEnd < globalEnd
    ? { customerEntries, globalEntries: takeUntil(globalEntries, customerEnd) }
    : { customerEntries: takeUntil(customerEntries, globalEnd), globalEntries };
}

/** Returns when the last event of a full list occurred. A list that is not full has no later events. */
function findEnd(entries: readonly OutboxEntry[], batchSize: number): number {
  return entries.length < batchSize ? Infinity : (entries.at(-1)!.event?.occurredAt.getTime() ?? Infinity);
}

function takeUntil<T extends OutboxEntry>(entries: readonly T[], end: number): readonly T[] {
  const index = entries.findIndex(({ event }) => event !== null && event.occurredAt.getTime() > end);
  return index === -1 ? entries : entries.slice(0, index);
}

/**
 * Merges both lists by occurrence. Events of a customer keep their order, which is that of their sequences, even if a request had read the
 * clock before it waited for the customer.
 */
export function mergeByOccurrence(
  customerEvents: readonly OutboxEvent[],
  globalEvents: readonly OutboxEvent[],
): OutboxEvent[] {
  const merged: OutboxEvent[] = [];
  let next = 0;
  for (const event of customerEvents) {
    while (next < globalEvents.length && isBefore(globalEvents[next]!, event))
      merged.push(globalEvents[next++]!);
    merged.push(event);
  }
  return [...merged, ...globalEvents.slice(next)];
}

/** At the same instant, an offer is created before customers act, and ends after. */
function isBefore(global: OutboxEvent, { occurredAt }: OutboxEvent): boolean {
  const difference = global.occurredAt.getTime() - occurredAt.getTime();
  return difference === 0 ? global.type === 'offer.created' : difference < 0;
}
