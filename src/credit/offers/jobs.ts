import { SECOND_MS } from '#core/duration.ts';
import type { Prepare } from '#messages';
import type { Deps } from '#module';
import type { Tx } from '#platform/database/db.ts';
import { type CronItem, enqueue, enqueueSoon, type Tasks } from '#platform/jobs/jobs.ts';
import { expireOffers } from './close-offer.ts';
import { statusOf } from './states.ts';
import { findOffer, listExpiries, lockDue } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    offers_sweep: NoPayload;
    offers_expire: NoPayload;
  }
}

const BATCH_SIZE = 100;
/** A sweep schedules all expiries until well after the next sweep. An offer lives for at least a minute, so no expiry is missed. */
const AHEAD_MS = 90_000;
const ATTEMPTS = 3;

type Parts = Pick<Deps, 'db' | 'clock' | 'events'>;

export const offerTasks = (deps: Parts): Tasks => ({
  offers_sweep: () => sweepOffers(deps),
  offers_expire: () => expireDue(deps),
});

export const OFFERS_CRON: CronItem[] = [{ task: 'offers_sweep', match: '* * * * *' }];

/** The message of an offer is not sent once the offer was answered or has expired. */
export const prepareOffer =
  ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Prepare<'offer'> =>
  async ({ parts }) => {
    const offer = await findOffer(db.shared, parts.offerId);
    return offer && statusOf(offer, clock.now()) === 'pending' ? parts : null;
  };

/** Enqueues a sweep now, for any node: for offers that expired while no node ran, or after the clock was moved. */
export const sweepOffersSoon = (deps: Pick<Deps, 'db' | 'log'>): Promise<void> =>
  enqueueSoon(deps, 'offers_sweep', {}, 'the next minute sweeps the offers');

/** Marks offers as expired and emits their events, once. */
async function expireDue({ db, clock, events }: Parts): Promise<void> {
  const now = clock.now();
  for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
    count = await db.transaction(async (tx) => {
      const due = await lockDue(tx, now, BATCH_SIZE);
      await expireOffers(tx, due, { events, now });
      return due.length;
    });
  }
}

/** Enqueues a job for each second in which offers expire, up to the time after the next sweep. */
async function scheduleExpiries(tx: Tx, now: Date): Promise<void> {
  const until = new Date(now.getTime() + AHEAD_MS);
  const expiries = await listExpiries(tx, { after: now, until });
  const seconds = new Set(expiries.map((at) => Math.floor(at.getTime() / SECOND_MS) + 1));
  for (const second of seconds) {
    const delayMs = second * SECOND_MS - now.getTime();
    await enqueue(tx, 'offers_expire', {}, ATTEMPTS, { key: `offers_expire ${second}`, delayMs });
  }
}

/** Expires offers and schedules the next expiries. */
async function sweepOffers(deps: Parts): Promise<void> {
  await expireDue(deps);
  const now = deps.clock.now();
  await deps.db.transaction((tx) => scheduleExpiries(tx, now));
}
