import { isDeepStrictEqual } from 'node:util';
import { findSellingMerchantById, type SellingMerchant } from '#catalog';
import { parseReais } from '#core/money.ts';
import { type Messenger, phoneNotSupported } from '#customers';
import type { EventContext, Events } from '#events';
import { tellPhone } from '#messages';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { giveBackAttempts } from '#platform/http/attempt-limits.ts';
import { newId } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';
import { merchantUnlisted, referenceReused } from '../problems.ts';
import { payoutTerms } from '../purchases/merchant-plan.ts';
import { type QuoteRequest, quote } from '../purchases/quote.ts';
import { type MerchantBalances, refuseBelowFloor } from '../returns/merchant-floor.ts';
import type { CreditSettings } from '../settings.ts';
import { newClaimKeys } from './claim-keys.ts';
import { expireOffers } from './close-offer.ts';
import { newPhoneCaps, offersTo, takeOfferAttempts } from './limits.ts';
import { offerEvent } from './offer.ts';
import { type OfferContent, type OfferOrder, type ReturnRules, readOrder } from './read-order.ts';
import { offerLink } from './render-offer.ts';
import { statusOf } from './states.ts';
import { findLiveOffer, insertOffer, lockOffer, type NewOffer, type OfferRow, phoneOf } from './store.ts';

type Maker = {
  messenger: Pick<Messenger, 'canReach' | 'count'>;
  /** The API key that makes it; undefined at the command line. */
  keyId?: string;
  /** The member of the merchant who makes it. */
  memberId?: string | null;
  vault: Vault;
  events: Events;
  balances: MerchantBalances;
} & ReturnRules &
  CreditSettings;

/** The merchant of a key, which must be one that sells. */
export async function findSeller(db: Queryable, merchantId: number): Promise<SellingMerchant> {
  const merchant = await findSellingMerchantById(db, merchantId);
  if (!merchant?.listed) throw merchantUnlisted();
  return merchant;
}

/**
 * Offers a purchase: to a phone, or to whoever claims it first. The owner of the phone is not looked up, so that the merchant learns
 * nothing of them. Idempotent by reference, unless that offer was closed without a purchase: then a new one is made.
 */
export async function makeOffer(
  tx: Tx,
  merchantId: number,
  order: OfferOrder,
  maker: Maker,
  now: Date,
): Promise<{ offer: OfferRow; isNew: boolean }> {
  const content = readOrder(order, maker);
  const known = await findSame(tx, merchantId, { ...order, ...content }, { events: maker.events, now });
  if (known) return { offer: known, isNew: false };
  const { maxWeeklyRate, events } = maker;
  const merchant = await findSeller(tx, merchantId);
  await refuseBelowFloor(tx, merchantId, maker);
  const { schedule, terms } = quote(merchant, order, { now, maxWeeklyRate });
  const { phone, ...rest } = content;
  const draft = {
    ...rest,
    merchant,
    memberId: maker.memberId ?? null,
    amount: schedule.financed,
    installments: order.installments,
    terms,
    payout: payoutTerms(merchant),
  };
  const write = (to: NewOffer['to']) => writeOffer(tx, { ...draft, to }, { events, now });
  const offer =
    phone === null
      ? await write({ claimKeys: newClaimKeys() })
      : await offerToPhone(tx, { merchantId, phone }, maker, now, () => write({ phone }));
  // A concurrent offer has the reference, or had it and was closed; or the code was taken.
  return offer ? { offer, isNew: true } : makeOffer(tx, merchantId, order, maker, now);
}

/** Within the limits for messages to people who may not have asked for them. Undefined when `write` wrote nothing. */
async function offerToPhone(
  tx: Tx,
  { merchantId, phone }: { merchantId: number; phone: string },
  { messenger, vault, offersPerPhone: most, newPhonesPerMerchant, keyId, offerLink: link }: Maker,
  now: Date,
  write: () => Promise<OfferRow | undefined>,
): Promise<OfferRow | undefined> {
  if (!messenger.canReach(phone))
    throw phoneNotSupported({
      en: 'Offers are sent to mobile numbers only, of the countries the operator has chosen.',
      pt: 'Só enviamos ofertas a celulares dos países que a operadora escolheu.',
    });
  const counted = offersTo(vault, { merchantId, phone, most });
  await takeOfferAttempts(tx, counted, { phone, most }, now);
  const further = await newPhoneCaps(tx, { merchantId, phone, most: newPhonesPerMerchant });
  const offer = await write();
  if (!offer) {
    await giveBackAttempts(tx, counted, now);
    return undefined;
  }
  const { id: offerId, merchant_name, amount_cents, installments } = offer;
  const parts = {
    offerId,
    merchant: merchant_name,
    amountCents: amount_cents,
    installments,
    link: offerLink(link, offerId),
  };
  await tellPhone(tx, phone, { template: 'offer', parts, now });
  await messenger.count(tx, { ...(keyId !== undefined && { keyId }), further }, now);
  return offer;
}

type Draft = Omit<NewOffer, 'id' | 'createdAt' | 'expiresAt'> & { lifeMs: number };

/** Writes an offer and emits its event. Undefined when the merchant has a live one of this reference, or the code is taken. */
export async function writeOffer(
  tx: Tx,
  { lifeMs, ...draft }: Draft,
  { events, now }: EventContext,
): Promise<OfferRow | undefined> {
  const expiresAt = new Date(now.getTime() + lifeMs);
  const offer = await insertOffer(tx, { ...draft, id: newId('off', now), createdAt: now, expiresAt });
  if (!offer) return undefined;
  await events.emit(tx, { type: 'offer.created', customerId: null, ...offerEvent(offer) }, now);
  return offer;
}

/** An expired offer frees its reference at once. */
async function findSame(
  tx: Tx,
  merchantId: number,
  wanted: QuoteRequest & OfferContent,
  context: EventContext,
): Promise<OfferRow | undefined> {
  const { reference } = wanted;
  const offer = reference === null ? undefined : await findLiveOffer(tx, merchantId, reference);
  if (!offer) return undefined;
  if (statusOf(offer, context.now) === 'expired') {
    const locked = await lockOffer(tx, offer.id);
    await expireOffers(tx, locked ? [locked] : [], context);
    return undefined;
  }
  const isSame =
    phoneOf(tx.vault, offer) === wanted.phone &&
    offer.amount_cents === parseReais(wanted.amount) &&
    offer.installments === wanted.installments &&
    offer.description === wanted.description &&
    offer.return_url === wanted.returnUrl &&
    isDeepStrictEqual(offer.items, wanted.items);
  if (!isSame) throw referenceReused(reference);
  return offer;
}
