import { SECOND_MS } from '#core/values/duration.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { PrepareMessage } from '#messages';
import type { Deps } from '#module';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import { pluck } from '#platform/database/db.ts';
import { type CronItem, enqueue, type Tasks } from '#platform/jobs/jobs.ts';
import { buildOfferEvent, isOfferedToCustomer } from './offer.ts';
import { checkTransition, computeState, computeStatus } from './states.ts';
import {
  findOffer,
  listExpiries,
  lockExpiredOffers,
  lockOffer,
  markOfferClosed,
  markOffersExpired,
  type OfferRow,
} from './store.ts';

/** Declines an offer for its customer. Idempotent. Returns undefined if the customer has no such offer. */
export async function declineOffer(
  tx: CustomerTx,
  { customerId, offerId }: { customerId: string; offerId: string },
  { events, now }: EventContext,
): Promise<OfferRow | undefined> {
  const customer = await lockCustomerById(tx, customerId);
  const offer = await lockOffer(tx, offerId);
  if (!customer || !offer || !isOfferedToCustomer(offer, customer)) return undefined;
  if (checkTransition(offer, 'decline', now) === offer.status) return offer;
  const declinedOffer = markOfferClosed(tx, offer, { status: 'declined', closedAt: now });
  await events.emit(tx, { type: 'offer.declined', customerId, ...buildOfferEvent(declinedOffer) }, now);
  return declinedOffer;
}

/** Cancels an offer, which the caller has locked. Idempotent. */
export async function cancelOffer(tx: Tx, offer: OfferRow, { events, now }: EventContext): Promise<OfferRow> {
  if (checkTransition(offer, 'cancel', now) === offer.status) return offer;
  const cancelledOffer = markOfferClosed(tx, offer, { status: 'cancelled', closedAt: now });
  await events.emit(
    tx,
    { type: 'offer.cancelled', customerId: null, ...buildOfferEvent(cancelledOffer) },
    now,
  );
  return cancelledOffer;
}

/** Sets pending offers past their deadline to expired and emits their events. Skips other offers. The caller has locked all of them. */
export async function expireOffers(tx: Tx, lockedOffers: readonly OfferRow[], { events, now }: EventContext) {
  const expiredOffers = lockedOffers.filter(
    (offer) => computeState(offer, now) === 'expired' && offer.status !== 'expired',
  );
  if (expiredOffers.length === 0) return;
  for (const offer of await markOffersExpired(tx, pluck(expiredOffers, 'id')))
    await events.emit(tx, { type: 'offer.expired', customerId: null, ...buildOfferEvent(offer) }, now);
}

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    offers_sweep: NoPayload;
    offers_expire: NoPayload;
  }
}

const BATCH_SIZE = 100;
/** Longer than the interval of sweeps. An offer is valid for at least a minute, so a sweep schedules its expiry in time. */
const SCHEDULE_AHEAD_MS = 90_000;
const MAX_ATTEMPTS = 3;

type OfferJobDeps = Pick<Deps, 'db' | 'clock' | 'events'>;

export const createOfferTasks = (deps: OfferJobDeps): Tasks => ({
  offers_sweep: () => sweepOffers(deps),
  offers_expire: () => expireDueOffers(deps),
});

export const OFFERS_CRON: CronItem[] = [
  { task: 'offers_sweep', match: '* * * * *', atStart: {}, afterClockMove: {} },
];

/** Returns a function that skips the message if the offer was closed or has expired since. */
export const createOfferMessagePreparer =
  ({ db, clock }: Pick<Deps, 'db' | 'clock'>): PrepareMessage<'offer'> =>
  async ({ data }) => {
    const offer = await findOffer(db.shared, data.offerId);
    return offer && computeStatus(offer, clock.now()) === 'pending' ? data : null;
  };

async function expireDueOffers({ db, clock, events }: OfferJobDeps): Promise<void> {
  const now = clock.now();
  let expiredCount: number;
  do {
    expiredCount = await db.transaction(async (tx) => {
      const expiredOffers = await lockExpiredOffers(tx, now, BATCH_SIZE);
      await expireOffers(tx, expiredOffers, { events, now });
      return expiredOffers.length;
    });
  } while (expiredCount === BATCH_SIZE);
}

/** Enqueues a job for the end of each second in which an offer expires, for all offers that expire before the next sweep has run. */
async function scheduleExpiries(tx: Tx, now: Date): Promise<void> {
  const until = new Date(now.getTime() + SCHEDULE_AHEAD_MS);
  const expiries = await listExpiries(tx, { after: now, until });
  const runTimes = new Set(expiries.map((expiresAt) => Math.floor(expiresAt.getTime() / SECOND_MS) + 1));
  for (const runTimeSeconds of runTimes) {
    const delayMs = runTimeSeconds * SECOND_MS - now.getTime();
    await enqueue(tx, 'offers_expire', {}, MAX_ATTEMPTS, { key: `offers_expire ${runTimeSeconds}`, delayMs });
  }
}

async function sweepOffers(deps: OfferJobDeps): Promise<void> {
  await expireDueOffers(deps);
  const now = deps.clock.now();
  await deps.db.transaction((tx) => scheduleExpiries(tx, now));
}
