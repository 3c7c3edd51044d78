import { setTimeout as sleep } from 'node:timers/promises';
import { listOfferMetadata } from '#credit';
import {
  deleteGlobalOutboxEvents,
  deleteOutboxEvents,
  EVENTS_TOPIC,
  GLOBAL_KEY,
  listGlobalOutboxEvents,
  listOutboxEvents,
  type OutboxEvent,
} from '#events';
import type { Deps } from '#module';
import { isPartialOutage, type Tx } from '#platform/database/db.ts';
import { insertMerchantEvents, selectMerchantEvents } from './merchant-store.ts';
import { publishToPartners, tryLockRelay } from './publish-store.ts';
import { type EventRecipient, findRecipients } from './recipients.ts';

/** Streams of partners listen to this topic. The keys are ids of partners. */
export const FEED_TOPIC = 'feed';
/** Streams of merchants listen to this topic. The keys are ids of merchants. */
export const MERCHANTS_TOPIC = 'merchant-events';

const RELAY_BATCH_SIZE = 500;
/** How long events are collected, so that many share a transaction. With 25 ms settlements cost a tenth more. */
const COLLECT_MS = 200;
/** Polling finds commits that this node was not notified of. */
const POLL_INTERVAL_MS = 2_000;

/**
 * Moves committed events from the outbox to the partners and to the streams of merchants. All nodes are notified, and one at a time moves
 * the events. After a crash the events are still in the outbox, and the next run continues. During a partial outage of the database the
 * events of available customers are moved when this node is notified of them.
 */
export class Relay {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  /** The customers whose events this node was notified of since the last full run. */
  readonly #notifiedCustomerIds = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #currentRun: Promise<void> | undefined;
  #mustRunAgain = false;
  #isStopped = false;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'changeFeed'>) {
    this.#deps = deps;
    deps.changeFeed.listen({
      topic: EVENTS_TOPIC,
      onChange: (customerIds) => {
        for (const id of customerIds.split(' ')) this.#notifiedCustomerIds.add(id);
        this.wake();
      },
      onMissedChanges: () => this.wake(),
    });
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_INTERVAL_MS);
    this.wake();
  }

  wake(): void {
    this.#mustRunAgain = true;
    if (this.#isStopped || this.#timer === undefined) return;
    this.#currentRun ??= this.#run().finally(() => {
      this.#currentRun = undefined;
      if (this.#mustRunAgain) this.wake();
    });
  }

  /** Waits for the running batch. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#currentRun;
  }

  async #run(): Promise<void> {
    try {
      while (this.#mustRunAgain && !this.#isStopped) {
        this.#mustRunAgain = false;
        const movedCount = await this.#relayPendingBatch();
        if (movedCount === RELAY_BATCH_SIZE) this.#mustRunAgain = true;
        else if (movedCount > 0 || this.#mustRunAgain) await sleep(COLLECT_MS);
      }
    } catch (error) {
      this.#mustRunAgain = false; // the timer retries
      this.#deps.log.warn({ err: error }, 'publishing events to partners is postponed');
    }
  }

  async #relayPendingBatch(): Promise<number> {
    const customerIds = [...this.#notifiedCustomerIds];
    this.#notifiedCustomerIds.clear();
    try {
      return (await relayBatch(this.#deps)) ?? 0;
    } catch (error) {
      if (isPartialOutage(error))
        for (const id of customerIds) {
          const movedCount = await relayBatch(this.#deps, id).catch(() => undefined);
          if (movedCount === undefined) this.#notifiedCustomerIds.add(id);
        }
      throw error;
    }
  }
}

/**
 * Moves a batch. Returns the number of moved customer events or global events, whichever is larger, or undefined while another node moves
 * events. With `customerId` it moves only this customer's events and global events, and with `GLOBAL_KEY` only global events.
 */
async function relayBatch({ db, clock }: Pick<Deps, 'db' | 'clock'>, customerId?: string) {
  return db.transaction(async (tx) => {
    if (!(await tryLockRelay(tx))) return undefined;
    const customerOutbox =
      customerId === GLOBAL_KEY ? [] : await listOutboxEvents(tx, RELAY_BATCH_SIZE, customerId);
    // Read after the events of customers, so that the list contains the creation of every offer that a customer has claimed.
    const globalOutbox = await listGlobalOutboxEvents(tx, RELAY_BATCH_SIZE);
    const { customerEntries, globalEntries } = selectUpToSameInstant(customerOutbox, globalOutbox);
    const events = mergeByOccurrence(
      customerEntries.flatMap(({ event }) => event ?? []),
      globalEntries.flatMap(({ event }) => event ?? []),
    );
    const recipientLists = await findRecipients(tx, events, clock.now());
    const metadata = await listEventMetadata(tx, events);
    await publishToPartners(
      tx,
      events.map((event, i) => ({
        event: { ...event, metadata: metadata[i] },
        recipients: recipientLists[i]!,
      })),
    );
    const merchantEvents = selectMerchantEvents(
      events.map((event, i) =>
        metadata[i] ? { ...event, data: { ...(event.data as object), metadata: metadata[i] } } : event,
      ),
    );
    await insertMerchantEvents(tx, merchantEvents);
    if (customerEntries.length > 0) await deleteOutboxEvents(tx, customerEntries);
    if (globalEntries.length > 0) await deleteGlobalOutboxEvents(tx, globalEntries);
    notifyPartnerStreams(tx, recipientLists);
    for (const id of new Set(merchantEvents.map(({ merchantId }) => merchantId)))
      tx.notifyAfterCommit(MERCHANTS_TOPIC, String(id));
    return Math.max(customerEntries.length, globalEntries.length);
  });
}

/** Returns the metadata of the offer that each event is about. Only events for merchants get metadata. */
async function listEventMetadata(tx: Tx, events: readonly OutboxEvent[]) {
  const offerIds = events.map(findMerchantOfferId);
  const metadataByOffer = await listOfferMetadata(tx, [...new Set(offerIds.flatMap((id) => id ?? []))]);
  return offerIds.map((id) => (id === null ? undefined : metadataByOffer.get(id)));
}

function findMerchantOfferId({ merchantId, data }: OutboxEvent): string | null {
  return merchantId === null ? null : ((data as { offer_id?: string | null }).offer_id ?? null);
}

function notifyPartnerStreams(tx: Tx, recipientLists: readonly EventRecipient[][]): void {
  const partnerIds = new Set(recipientLists.flat().map(({ partnerId }) => partnerId));
  for (const partnerId of partnerIds) tx.notifyAfterCommit(FEED_TOPIC, partnerId);
}

type OutboxEntry = { readonly event: OutboxEvent | null };

/**
 * Selects the entries to publish now, so that events of customers and events without a customer can be published in the order of their
 * occurrence: if one list is full, later events of the other list wait for the next batch. Each list keeps its own order.
 */
function selectUpToSameInstant<C extends OutboxEntry, G extends OutboxEntry>(
  customerEntries: readonly C[],
  globalEntries: readonly G[],
): { customerEntries: readonly C[]; globalEntries: readonly G[] } {
  const lastCustomerOccurrence = findLastOccurrence(customerEntries);
  const lastGlobalOccurrence = findLastOccurrence(globalEntries);
  return lastCustomerOccurrence < lastGlobalOccurrence
    ? { customerEntries, globalEntries: takeOccurredUntil(globalEntries, lastCustomerOccurrence) }
    : { customerEntries: takeOccurredUntil(customerEntries, lastGlobalOccurrence), globalEntries };
}

/** Returns when the last event of a full list occurred. A list that is not full contains all events: returns Infinity. */
function findLastOccurrence(entries: readonly OutboxEntry[]): number {
  if (entries.length < RELAY_BATCH_SIZE) return Infinity;
  return entries.at(-1)!.event?.occurredAt.getTime() ?? Infinity;
}

function takeOccurredUntil<T extends OutboxEntry>(
  entries: readonly T[],
  lastOccurrence: number,
): readonly T[] {
  const index = entries.findIndex(
    ({ event }) => event !== null && event.occurredAt.getTime() > lastOccurrence,
  );
  return index === -1 ? entries : entries.slice(0, index);
}

/**
 * Merges both lists by occurrence. Events of a customer keep their order, which is that of their sequences, even if a request had read the
 * clock before it waited for the customer.
 */
function mergeByOccurrence(customerEvents: readonly OutboxEvent[], globalEvents: readonly OutboxEvent[]) {
  const mergedEvents: OutboxEvent[] = [];
  let nextIndex = 0;
  for (const event of customerEvents) {
    while (nextIndex < globalEvents.length && mustPrecede(globalEvents[nextIndex]!, event)) {
      mergedEvents.push(globalEvents[nextIndex]!);
      nextIndex += 1;
    }
    mergedEvents.push(event);
  }
  return [...mergedEvents, ...globalEvents.slice(nextIndex)];
}

/** At the same instant, an offer is created before the events of customers, and ends after them. */
function mustPrecede(globalEvent: OutboxEvent, { occurredAt }: OutboxEvent): boolean {
  const difference = globalEvent.occurredAt.getTime() - occurredAt.getTime();
  return difference === 0 ? globalEvent.type === 'offer.created' : difference < 0;
}
