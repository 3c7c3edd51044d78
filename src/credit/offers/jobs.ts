import { cents, toReaisText } from '#core/money.ts';
import type { Messenger } from '#customers';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db, Tx } from '#platform/database/db.ts';
import { type CronItem, enqueue, type Task, type Tasks } from '#platform/jobs/jobs.ts';
import { withoutLinks } from '#platform/messages/without-links.ts';
import type { Log } from '#platform/observability/log.ts';
import { expireOffers } from './close-offer.ts';
import { enqueueMessage } from './make-offer.ts';
import { offerLink } from './render-offer.ts';
import { statusOf } from './states.ts';
import {
  findOffer,
  listExpiries,
  listUntold,
  lockDue,
  markMessage,
  type OfferRow,
  phoneOf,
} from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    offers_sweep: NoPayload;
    offers_expire: NoPayload;
  }
}

const LOT = 100;
/** By then its job has ended, successfully or not. */
const UNTOLD_MS = 30 * 60_000;
/** A sweep sees to what expires until well after the next one. An offer lives for a minute at least: a sweep comes before its end. */
const AHEAD_MS = 90_000;
const SECOND_MS = 1_000;
const ATTEMPTS = 3;
const LONGEST_NAME = 40;

type Parts = { db: Db; clock: Clock; events: Events; messenger: Messenger; offerLink: string };

export const offerTasks = (parts: Parts): Tasks => ({
  send_offer: { queue: 'messages', run: sendOffer(parts) },
  offers_sweep: sweepOffers(parts),
  offers_expire: () => expireDue(parts),
});

export const OFFERS_CRON: CronItem[] = [{ task: 'offers_sweep', match: '* * * * *' }];

/** The job that sends the message of an offer. */
const sendOffer =
  ({ db, clock, messenger, offerLink: link }: Parts): Task<'send_offer'> =>
  async ({ id }, attempt) => {
    const offer = await findOffer(db, id);
    if (!offer || statusOf(offer, clock.now()) !== 'pending') return;
    const phone = phoneOf(db.vault, offer);
    if (phone === null) return;
    const message = { to: phone, text: textOf(offer, link) };
    const sent = await messenger.deliver(message, { id, purpose: 'offer' }, attempt);
    await markMessage(db, id, sent ? 'sent' : 'failed');
  };

function textOf(offer: OfferRow, link: string): string {
  const whole = withoutLinks(offer.merchant_name) || 'Uma loja';
  const name = whole.length > LONGEST_NAME ? `${whole.slice(0, LONGEST_NAME - 1)}…` : whole;
  const amount = toReaisText(cents(offer.amount_cents)).replace('.', ',');
  const times = offer.installments === 1 ? 'em 1 parcela' : `em até ${offer.installments} parcelas semanais`;
  return `Semana: ${name} oferece R$ ${amount} ${times}. Veja e responda em 2 dias: ${offerLink(link, offer.id)}`;
}

/** Enqueues a sweep now, for any node: for offers that expired while no node ran, or after the clock was moved. */
export async function sweepOffersSoon({ db, log }: { db: Db; log: Log }): Promise<void> {
  await db
    .transaction((tx) => enqueue(tx, 'offers_sweep', {}, ATTEMPTS, { key: 'offers_sweep' }))
    .catch((error: unknown) => log.warn({ err: error }, 'the next minute sweeps the offers'));
}

/** Writes down what time has expired, and tells, once. */
async function expireDue({ db, clock, events }: Parts): Promise<void> {
  const now = clock.now();
  for (let count = LOT; count === LOT; ) {
    count = await db.transaction(async (tx) => {
      const due = await lockDue(tx, now, LOT);
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

/** Expires offers, schedules the next expiries, and enqueues messages whose job was lost again. */
const sweepOffers =
  (parts: Parts): Task<'offers_sweep'> =>
  async () => {
    await expireDue(parts);
    const { db, clock } = parts;
    const now = clock.now();
    await db.transaction(async (tx) => {
      await scheduleExpiries(tx, now);
      const untold = await listUntold(tx, new Date(now.getTime() - UNTOLD_MS), now, LOT);
      for (const id of untold) await enqueueMessage(tx, id);
    });
  };
