import { setTimeout as sleep } from 'node:timers/promises';
import {
  deleteWaiting,
  deleteWaitingGlobal,
  EVENTS_TOPIC,
  listWaitingEvents,
  listWaitingGlobalEvents,
  NOBODY,
} from '#events';
import type { Deps } from '#module';
import { isPartlyAway, type Tx } from '#platform/database/db.ts';
import { type Audience, audienceOf } from './audience.ts';
import { insertMerchantEvents, ofMerchants } from './merchant-store.ts';
import { publishToPartners } from './publish.ts';
import { lockRelay } from './publish-store.ts';

/** Streams of partners listen to it; the keys are ids of partners. */
export const FEED_TOPIC = 'feed';
/** Streams of merchants listen to it; the keys are ids of merchants. */
export const MERCHANTS_TOPIC = 'merchant-events';

const RELAY_BATCH_SIZE = 500;
/** How long events are collected, so that many share a transaction. At 25 ms settlements cost a tenth more. */
const GATHER_MS = 200;
/** Polling interval: finds commits that were not announced. */
const LOOK_MS = 2_000;

/**
 * Moves committed events from the outbox to the partners, and to the streams of merchants. All nodes are notified, one at a time moves them. After a crash they
 * are still in the outbox, and the next run continues. While the events of some customers cannot be read, those of others are
 * moved as they are announced.
 */
export class Relay {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  /** Customers announced since the last full pass. */
  readonly #heard = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'changeFeed'>) {
    this.#deps = deps;
    deps.changeFeed.listen({
      topic: EVENTS_TOPIC,
      hear: (customerIds) => {
        for (const id of customerIds.split(' ')) this.#heard.add(id);
        this.wake();
      },
      catchUp: () => this.wake(),
    });
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_MS);
    this.wake();
  }

  wake(): void {
    this.#again = true;
    if (this.#stopped || this.#timer === undefined) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Lets the running batch end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        const moved = await this.#relay();
        if (moved === RELAY_BATCH_SIZE) this.#again = true;
        else if (moved > 0 || this.#again) await sleep(GATHER_MS);
      }
    } catch (error) {
      this.#again = false; // the timer retries
      this.#deps.log.warn({ err: error }, 'telling partners of events is put off');
    }
  }

  async #relay(): Promise<number> {
    const heard = [...this.#heard];
    this.#heard.clear();
    try {
      return (await relayBatch(this.#deps)) ?? 0;
    } catch (error) {
      if (isPartlyAway(error))
        for (const id of heard) {
          const moved = await relayBatch(this.#deps, id).catch(() => undefined);
          if (moved === undefined) this.#heard.add(id);
        }
      throw error;
    }
  }
}

/**
 * How many were moved: customers' events or global ones, whichever are more. Undefined while another node moves some. `only`: of
 * customers' events only this customer's.
 */
async function relayBatch(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  only?: string,
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    if (!(await lockRelay(tx))) return undefined;
    const ofCustomers = only === NOBODY ? [] : await listWaitingEvents(tx, RELAY_BATCH_SIZE, only);
    const global = await listWaitingGlobalEvents(tx, RELAY_BATCH_SIZE);
    const events = [...global, ...ofCustomers].flatMap(({ event }) => event ?? []);
    const audiences = await audienceOf(tx, events, clock.now());
    await publishToPartners(
      tx,
      events.map((event, i) => ({ event, audience: audiences[i]! })),
    );
    const ofTheirs = ofMerchants(events);
    await insertMerchantEvents(tx, ofTheirs);
    if (ofCustomers.length > 0) await deleteWaiting(tx, ofCustomers);
    if (global.length > 0) await deleteWaitingGlobal(tx, global);
    announce(tx, audiences);
    for (const id of new Set(ofTheirs.map(({ merchantId }) => merchantId)))
      tx.announce(MERCHANTS_TOPIC, String(id));
    return Math.max(ofCustomers.length, global.length);
  });
}

function announce(tx: Tx, audiences: readonly Audience[][]): void {
  const partnerIds = new Set(audiences.flat().map(({ partnerId }) => partnerId));
  for (const partnerId of partnerIds) tx.announce(FEED_TOPIC, partnerId);
}
