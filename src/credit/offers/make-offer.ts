import { findSellingMerchantById, type SellingMerchant } from '#catalog';
import { parseReais } from '#core/money.ts';
import { type Messenger, phoneNotSupported } from '#customers';
import type { EventContext, Events } from '#events';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { giveBackAttempts } from '#platform/http/attempt-limits.ts';
import { newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs/jobs.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import { merchantUnlisted, referenceReused } from '../problems.ts';
import { payoutTerms } from '../purchases/merchant-plan.ts';
import { quote, type Wish } from '../purchases/quote.ts';
import { type MerchantBalances, refuseBelowFloor } from '../returns/merchant-floor.ts';
import type { CreditSettings } from '../settings.ts';
import { expireOffer } from './close-offer.ts';
import { newPhoneCaps, offersTo, takeOfferAttempts } from './limits.ts';
import { OFFER_LIFE_MS, offerEvent, statusOf } from './offer.ts';
import { findLiveOffer, insertOffer, type NewOffer, type OfferRow, phoneOf } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** Sends the message of an offer to a phone. */
    send_offer: { id: string };
  }
}
/** The retry budget is about eleven minutes. The sweep finds messages that were lost or abandoned. */
const MOST_ATTEMPTS_TO_SEND = 7;

/** The merchant's request; names and units as on the wire. */
export type OfferOrder = Wish & { phone: string; description?: string; reference?: string };

type Maker = {
  messenger: Pick<Messenger, 'canReach' | 'count'>;
  /** The API key that makes it; undefined at the command line. */
  keyId?: string;
  vault: Vault;
  events: Events;
  balances: MerchantBalances;
} & CreditSettings;

/** The merchant of a key, which must be one that sells. */
export async function findSeller(db: Queryable, merchantId: number): Promise<SellingMerchant> {
  const merchant = await findSellingMerchantById(db, merchantId);
  if (!merchant?.listed) throw merchantUnlisted();
  return merchant;
}

/**
 * Offers a purchase to a phone. The owner of the phone is not looked up, so that the merchant learns nothing about it. Idempotent
 * by reference while the offer is pending or accepted; after that the same reference makes a new offer.
 */
export async function makeOffer(
  tx: Tx,
  merchantId: number,
  order: OfferOrder,
  maker: Maker,
  now: Date,
): Promise<{ offer: OfferRow; isNew: boolean }> {
  const known = await findSame(tx, merchantId, order, { events: maker.events, now });
  if (known) return { offer: known, isNew: false };
  const { messenger, vault, maxWeeklyRate, newPhonesPerMerchant, keyId } = maker;
  const merchant = await findSeller(tx, merchantId);
  await refuseBelowFloor(tx, merchantId, maker);
  const { schedule, terms } = quote(merchant, order, { now, maxWeeklyRate });
  if (!messenger.canReach(order.phone))
    throw phoneNotSupported({
      en: 'Offers are sent to mobile numbers only, of the countries the operator has chosen.',
      pt: 'Só enviamos ofertas a celulares dos países que a operadora escolheu.',
    });
  const counted = offersTo(vault, merchantId, order.phone);
  await takeOfferAttempts(tx, counted, order.phone, now);
  const further = await newPhoneCaps(tx, { merchantId, phone: order.phone, most: newPhonesPerMerchant });
  const draft = { ...named(order), merchant, phone: order.phone, amount: schedule.financed, terms };
  const offer = await writeOffer(
    tx,
    { ...draft, installments: order.installments, payout: payoutTerms(merchant), message: 'queued' },
    { events: maker.events, now },
  );
  if (!offer) {
    await giveBackAttempts(tx, counted, now);
    // A concurrent request inserted the same reference: start again.
    return makeOffer(tx, merchantId, order, maker, now);
  }
  await enqueueMessage(tx, offer.id);
  await messenger.count(tx, { ...(keyId !== undefined && { keyId }), further }, now);
  return { offer, isNew: true };
}

/** Inserts an offer and emits its event. Undefined when the merchant has a live one of this reference. */
export async function writeOffer(
  tx: Tx,
  draft: Omit<NewOffer, 'id' | 'createdAt' | 'expiresAt'>,
  { events, now }: { events: Events; now: Date },
): Promise<OfferRow | undefined> {
  const expiresAt = new Date(now.getTime() + OFFER_LIFE_MS);
  const offer = await insertOffer(tx, { ...draft, id: newId('off', now), createdAt: now, expiresAt });
  if (!offer) return undefined;
  const told = { type: 'offer.created', customerId: null, merchantId: offer.merchant_id } as const;
  await events.emit(tx, { ...told, data: offerEvent(offer) }, now);
  return offer;
}

export const enqueueMessage = (tx: Tx, offerId: string): Promise<void> =>
  enqueue(tx, 'send_offer', { id: offerId }, MOST_ATTEMPTS_TO_SEND, { key: `offer ${offerId}` });

const named = ({ reference, description }: OfferOrder) => ({
  reference: reference?.trim() ?? null,
  description: description?.trim() ?? null,
});

/** The live offer of the same reference. One past its deadline is expired here, so that the reference is free. */
async function findSame(
  tx: Tx,
  merchantId: number,
  order: OfferOrder,
  context: EventContext,
): Promise<OfferRow | undefined> {
  const { reference, description } = named(order);
  const offer = reference === null ? undefined : await findLiveOffer(tx, merchantId, reference);
  if (!offer) return undefined;
  if (statusOf(offer, context.now) === 'expired') {
    await expireOffer(tx, offer.id, context);
    return undefined;
  }
  const isSame =
    phoneOf(tx.vault, offer) === order.phone &&
    offer.amount_cents === parseReais(order.amount) &&
    offer.installments === order.installments &&
    offer.description === description;
  if (!isSame) throw referenceReused(reference);
  return offer;
}
