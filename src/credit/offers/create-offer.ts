import { isDeepStrictEqual } from 'node:util';
import { findMerchantWithPlanById, type MerchantWithPlan } from '#catalog';
import { parseReais } from '#core/values/money.ts';
import { type MessageLimits, phoneNotSupported } from '#customers';
import type { EventContext, Events } from '#events';
import { queuePhoneMessage } from '#messages';
import { isAllowedReturnUrl } from '#partners';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { undoAttempts } from '#platform/http/attempt-limits.ts';
import { newId } from '#platform/ids.ts';
import { waitForAllOrThrow } from '#platform/jobs/concurrency.ts';
import { invalidField } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import type { Vault } from '#platform/vault.ts';
import { OFFER_TTL_MS } from '../acceptance.ts';
import type { OfferMetadata } from '../fields.ts';
import { itemsMismatch, merchantUnlisted, referenceReused, returnUrlNotAllowed } from '../problems.ts';
import { computeQuote, type QuoteRequest } from '../purchases/plan-purchase.ts';
import { toPayoutTerms } from '../purchases/terms.ts';
import { type MerchantBalances, refuseBelowFloor } from '../returns/return-purchase.ts';
import type { CreditSettings } from '../settings.ts';
import { generateClaimKeys } from './claim-keys.ts';
import { expireOffers } from './close-offer.ts';
import { buildNewPhoneCaps, buildOfferCounters, recordOfferAttempt } from './limits.ts';
import { buildOfferEvent } from './offer.ts';
import { buildOfferLink } from './render-offer.ts';
import { computeStatus } from './states.ts';
import {
  decryptPhone,
  findActiveOffer,
  insertOffer,
  lockOffer,
  type NewOffer,
  type OfferItem,
  type OfferRow,
} from './store.ts';

type OfferContext = {
  messageLimits: Pick<MessageLimits, 'canReach' | 'countMessage'>;
  keyId?: string;
  memberId?: string | null;
  vault: Vault;
  events: Events;
  balances: MerchantBalances;
} & ReturnUrlRules &
  CreditSettings;

export async function requireListedMerchant(db: Queryable, merchantId: number): Promise<MerchantWithPlan> {
  const merchant = await findMerchantWithPlanById(db, merchantId);
  if (!merchant?.listed) throw merchantUnlisted();
  return merchant;
}

/**
 * Creates an offer to a phone, or an open offer, which is for the first customer who claims it. Does not look up the owner of the phone,
 * so that the merchant learns nothing about them. Idempotent by reference while the offer is pending or accepted.
 */
export async function createOffer(
  tx: Tx,
  merchantId: number,
  request: OfferRequest,
  context: OfferContext,
  now: Date,
): Promise<{ offer: OfferRow; isNew: boolean }> {
  const content = parseOfferRequest(request, context);
  const existingOffer = await findExistingOffer(
    tx,
    merchantId,
    { ...request, ...content },
    { events: context.events, now },
  );
  if (existingOffer) return { offer: existingOffer, isNew: false };
  const { maxWeeklyRate, events } = context;
  const [merchant] = await Promise.all([
    requireListedMerchant(tx, merchantId),
    refuseBelowFloor(tx, merchantId, context),
  ]);
  const { schedule, terms } = computeQuote(merchant, request, { now, maxWeeklyRate });
  const { phone, ...offerFields } = content;
  const draftOffer = {
    ...offerFields,
    merchant,
    memberId: context.memberId ?? null,
    amount: schedule.financed,
    installments: request.installments,
    terms,
    payout: toPayoutTerms(merchant),
  };
  const recordWithRecipient = (recipient: NewOffer['recipient']) =>
    recordOffer(tx, { ...draftOffer, recipient }, { events, now });
  const offer =
    phone === null
      ? await recordWithRecipient({ claimKeys: generateClaimKeys() })
      : await sendOfferToPhone(tx, { merchantId, phone }, context, now, () => recordWithRecipient({ phone }));
  // Retries if nothing was inserted, because a concurrent offer has the reference or another offer has the code.
  return offer ? { offer, isNew: true } : createOffer(tx, merchantId, request, context, now);
}

/** Calls `record` if the limits for unsolicited messages allow the offer, and queues its message. Returns undefined if nothing was recorded. */
async function sendOfferToPhone(
  tx: Tx,
  { merchantId, phone }: { merchantId: number; phone: string },
  { messageLimits, vault, offersPerPhone, newPhonesPerMerchant, keyId, offerLink }: OfferContext,
  now: Date,
  record: () => Promise<OfferRow | undefined>,
): Promise<OfferRow | undefined> {
  if (!messageLimits.canReach(phone))
    throw phoneNotSupported({
      en: 'Offers are sent to mobile numbers only, in the countries that the operator supports.',
      pt: 'Só enviamos ofertas a celulares dos países que a operadora escolheu.',
    });
  const counters = buildOfferCounters(vault, { merchantId, phone, offersPerPhone });
  // The statements are sent together, so that they take one round trip.
  const recordingAttempt = recordOfferAttempt(tx, counters, { phone, offersPerPhone }, now);
  const buildingExtraCaps = buildNewPhoneCaps(tx, { merchantId, phone, newPhonesPerMerchant });
  await waitForAllOrThrow([recordingAttempt, buildingExtraCaps]);
  const offer = await record();
  if (!offer) {
    await undoAttempts(tx, counters, now);
    return undefined;
  }
  const { id: offerId, merchant_name, amount_cents, installments } = offer;
  const messageData = {
    offerId,
    merchant: merchant_name,
    amountCents: amount_cents,
    installments,
    link: buildOfferLink(offerLink, offerId),
  };
  await queuePhoneMessage(tx, phone, { template: 'offer', data: messageData, now });
  const extraCaps = await buildingExtraCaps;
  messageLimits.countMessage(tx, { ...(keyId !== undefined && { keyId }), extraCaps }, now);
  return offer;
}

type OfferDraft = Omit<NewOffer, 'id' | 'createdAt' | 'expiresAt'> & { ttlMs: number };

/**
 * Stores an offer and emits its event. Returns undefined if the merchant has an active offer with this reference, or another offer
 * has the code.
 */
export async function recordOffer(tx: Tx, { ttlMs, ...draft }: OfferDraft, { events, now }: EventContext) {
  const expiresAt = new Date(now.getTime() + ttlMs);
  const offer = await insertOffer(tx, { ...draft, id: newId('off', now), createdAt: now, expiresAt });
  if (!offer) return undefined;
  await events.emit(tx, { type: 'offer.created', customerId: null, ...buildOfferEvent(offer) }, now);
  return offer;
}

/** Finds the active offer with the same reference. Sets an offer past its deadline to expired instead, which frees the reference. */
async function findExistingOffer(
  tx: Tx,
  merchantId: number,
  request: QuoteRequest & OfferContent,
  eventContext: EventContext,
): Promise<OfferRow | undefined> {
  const { reference } = request;
  const offer = reference === null ? undefined : await findActiveOffer(tx, merchantId, reference);
  if (!offer) return undefined;
  if (computeStatus(offer, eventContext.now) === 'expired') {
    const lockedOffer = await lockOffer(tx, offer.id);
    await expireOffers(tx, lockedOffer ? [lockedOffer] : [], eventContext);
    return undefined;
  }
  const isSameRequest =
    decryptPhone(tx.vault, offer) === request.phone &&
    offer.amount_cents === parseReais(request.amount) &&
    offer.installments === request.installments &&
    offer.description === request.description &&
    offer.return_url === request.returnUrl &&
    isDeepStrictEqual(offer.items, request.items) &&
    isDeepStrictEqual(offer.metadata, request.metadata);
  if (!isSameRequest) throw referenceReused(reference);
  return offer;
}

/** The request of the merchant, with the names and units of the API. */
type OfferRequest = QuoteRequest & {
  phone?: string;
  description?: string;
  reference?: string;
  metadata?: OfferMetadata;
  items?: ReadonlyArray<{ name: string; quantity: number; amount: number }>;
  return_url?: string;
  expires_in?: number;
};

/** Within this time a customer at the counter can claim the offer. */
const DEFAULT_TTL_S = 900;
/** Online shops send a return URL, and their customers may take longer. */
const DEFAULT_TTL_WITH_RETURN_URL_S = 3_600;

/** The rules for return URLs in offers of an API key. */
type ReturnUrlRules = { readonly returnOrigins: readonly string[]; readonly mode: Mode };

/** Parses the fields of the request that are not part of the quote. Throws a problem if a field is invalid. */
function parseOfferRequest(request: OfferRequest, rules: ReturnUrlRules) {
  return {
    phone: request.phone ?? null,
    reference: request.reference?.trim() ?? null,
    description: request.description?.trim() ?? null,
    items: parseItems(request),
    metadata: request.metadata ?? {},
    returnUrl: request.return_url === undefined ? null : parseReturnUrl(request.return_url, rules),
    ttlMs: computeTtlMs(request),
  };
}
type OfferContent = ReturnType<typeof parseOfferRequest>;

function computeTtlMs({ phone, return_url, expires_in }: OfferRequest): number {
  if (phone === undefined)
    return (expires_in ?? (return_url === undefined ? DEFAULT_TTL_S : DEFAULT_TTL_WITH_RETURN_URL_S)) * 1_000;
  if (expires_in === undefined || expires_in * 1_000 === OFFER_TTL_MS) return OFFER_TTL_MS;
  const message = {
    en: 'an offer to a phone is valid for two days (CDC art. 54-B)',
    pt: 'uma oferta a um telefone vale por dois dias (CDC art. 54-B)',
  };
  throw invalidField('/expires_in', message);
}

function parseItems({ amount, items = [] }: OfferRequest): OfferItem[] {
  const parsedItems = items.map((item) => ({
    name: item.name.trim(),
    quantity: item.quantity,
    amount_cents: parseReais(item.amount)!,
  }));
  // The sum of 100 amounts is below 2^53 centavos.
  const totalCents = parsedItems.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const amountCents = parseReais(amount)!;
  if (items.length > 0 && totalCents !== amountCents) throw itemsMismatch(totalCents, amountCents);
  return parsedItems;
}

/** Returns the URL unchanged. Throws a problem for URLs that other programs might parse differently. */
function parseReturnUrl(text: string, { returnOrigins, mode }: ReturnUrlRules): string {
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) throw returnUrlNotAllowed('malformed');
  const url = new URL(text);
  if (!isAllowedReturnUrl(url, mode)) throw returnUrlNotAllowed('insecure');
  if (url.username !== '' || url.password !== '') throw returnUrlNotAllowed('credentials');
  if (text.includes('#')) throw returnUrlNotAllowed('fragment');
  if (!returnOrigins.includes(url.origin)) throw returnUrlNotAllowed('origin', returnOrigins);
  return text;
}
