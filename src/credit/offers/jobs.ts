import { cents, toReaisText } from '#core/money.ts';
import type { Messenger } from '#customers';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { CronItem, Task, Tasks } from '#platform/jobs/jobs.ts';
import { enqueueMessage } from './make-offer.ts';
import { offerEvent, statusOf } from './offer.ts';
import { offerLink } from './render-offer.ts';
import { findOffer, listUntold, markExpired, markMessage, type OfferRow, phoneOf } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    offers_sweep: NoPayload;
  }
}

const LOT = 100;
/** By then its job has ended, successfully or not. */
const UNTOLD_MS = 30 * 60_000;
const LONGEST_NAME = 40;

type Parts = { db: Db; clock: Clock; events: Events; messenger: Messenger; offerLink: string };

export const offerTasks = (parts: Parts): Tasks => ({
  send_offer: { queue: 'messages', run: sendOffer(parts) },
  offers_sweep: sweepOffers(parts),
});

export const OFFERS_CRON: CronItem[] = [{ task: 'offers_sweep', match: '* * * * *' }];

/** The job that sends the message of an offer. */
const sendOffer =
  ({ db, clock, messenger, offerLink: link }: Parts): Task<'send_offer'> =>
  async ({ id }, attempt) => {
    const offer = await findOffer(db, id);
    if (!offer || statusOf(offer, clock.now()) !== 'pending') return;
    const message = { to: phoneOf(db.vault, offer), text: textOf(offer, link) };
    const sent = await messenger.deliver(message, { id, purpose: 'offer' }, attempt);
    await markMessage(db, id, sent ? 'sent' : 'failed');
  };

function textOf(offer: OfferRow, link: string): string {
  const name =
    offer.merchant_name.length > LONGEST_NAME
      ? `${offer.merchant_name.slice(0, LONGEST_NAME - 1)}…`
      : offer.merchant_name;
  const amount = toReaisText(cents(offer.amount_cents)).replace('.', ',');
  const times = offer.installments === 1 ? 'em 1 parcela' : `em até ${offer.installments} parcelas semanais`;
  return `Semana: ${name} oferece R$ ${amount} ${times}. Veja e responda em 2 dias: ${offerLink(link, offer.id)}`;
}

/** Marks expired offers and emits their events, once. Enqueues messages whose job was lost. */
const sweepOffers =
  ({ db, clock, events }: Parts): Task<'offers_sweep'> =>
  async () => {
    const now = clock.now();
    for (let count = LOT; count === LOT; ) {
      count = await db.transaction(async (tx) => {
        const expired = await markExpired(tx, now, LOT);
        for (const offer of expired) {
          const told = { type: 'offer.expired', customerId: null, merchantId: offer.merchant_id } as const;
          await events.emit(tx, { ...told, data: offerEvent(offer) }, now);
        }
        return expired.length;
      });
    }
    await db.transaction(async (tx) => {
      const untold = await listUntold(tx, new Date(now.getTime() - UNTOLD_MS), now, LOT);
      for (const id of untold) await enqueueMessage(tx, id);
    });
  };
