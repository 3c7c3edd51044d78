import { Type } from 'typebox';
import { saoPauloDay, startOfDay } from '#core/values/day.ts';
import { parseReais } from '#core/values/money.ts';
import { pluck, type Queryable, type Tx } from '#platform/database/db.ts';
import { shareTransactions } from '#platform/database/shared-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { LINK_HEADER, pageParameters, respondWithPage, toPageRange } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { cancelOffer } from '../offers/close-offer.ts';
import { createOffer, requireListedMerchant } from '../offers/create-offer.ts';
import { buildRecordCreatorLookup, isClerk, ownerRoleRequired } from '../offers/offer-authors.ts';
import { type LinkSettings, renderOfferForMerchant } from '../offers/render-offer.ts';
import {
  codeParameter,
  MerchantOffer,
  MerchantOfferPage,
  OfferOrder,
  ownOfferRoute,
  QuoteOrder,
  QuoteOrQuotes,
  referenceParameter,
  statusParameter,
} from '../offers/schemas.ts';
import { findOffer, listOffers, lockOffer, type OfferRow } from '../offers/store.ts';
import {
  amountOverLimit,
  merchantUnlisted,
  offerClosed,
  offerExpired,
  offerProblems,
  quoteProblems,
  returnUrlNotAllowed,
} from '../problems.ts';
import { computeAllQuotes, computeQuote, renderQuote } from '../purchases/plan-purchase.ts';

/** Renders offers for their merchant, with the members who created them. */
async function renderOffers(db: Queryable, offers: readonly OfferRow[], settings: LinkSettings, now: Date) {
  const getRecordCreator = await buildRecordCreatorLookup(db, pluck(offers, 'member_id'));
  return offers.map((offer) =>
    renderOfferForMerchant(db.vault, offer, settings, { now, author: getRecordCreator(offer.member_id) }),
  );
}

async function renderOffer(db: Queryable, offer: OfferRow, settings: LinkSettings, now: Date) {
  const [offerView] = await renderOffers(db, [offer], settings, now);
  return offerView!;
}

export const getMerchantOffers = (deps: CreditDeps) =>
  endpoint('GET /merchant/offers', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'listOffers',
    summary: 'List your offers',
    description:
      'Newest first. Offers that were not accepted are deleted after 90 days. A clerk sees the offers of today, and any offer they look up by ' +
      '`code` or `reference`.',
    query: Type.Object({ ...statusParameter, ...referenceParameter, ...codeParameter, ...pageParameters() }),
    responses: { 200: { description: 'A page of offers.', schema: MerchantOfferPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { db, clock, publicUrl } = deps;
      const { page, limit, status, code } = request.query;
      const reference = request.query.reference?.trim();
      const now = clock.now();
      const startOfToday = new Date(startOfDay(saoPauloDay(now.getTime())));
      const since = isClerk(request.caller) ? startOfToday : undefined;
      const scope = { merchantId: request.caller.merchantId, reference, code, since };
      const query = { page, limit, status, reference, code };
      const { offers, total } = await listOffers(db, scope, status ?? null, now, toPageRange(query));
      return respondWithPage(
        reply,
        { url: `${publicUrl()}/merchant/offers`, query, total },
        await renderOffers(db, offers, deps, now),
      );
    },
  });

export const postMerchantOffers = (deps: CreditDeps) =>
  endpoint('POST /merchant/offers', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'createOffer',
    summary: 'Create an offer',
    description:
      'With `phone`, the offer is sent to that phone as a message with a link. Its owner has two days to accept, in as many installments as offered ' +
      'or fewer. The response is the same whether or not the phone belongs to a customer. In live mode a phone can receive at most 5 offers per day ' +
      'from one merchant, 20 from all merchants together, and have 10 pending offers, unless the operator has configured other limits. Without `phone` ' +
      'the offer is open: show its QR code or `code`, or send the customer to its link. The first customer who claims it has two days from then to accept.',
    idempotent: true,
    body: OfferOrder,
    responses: {
      200: { description: 'The pending or accepted offer with this reference.', schema: MerchantOffer },
      201: {
        description: 'The offer.',
        schema: MerchantOffer,
        headers: { Location: 'URL of the offer.' },
      },
    },
    problems: [...offerProblems, returnUrlNotAllowed, amountOverLimit],
    async handler(request, reply) {
      const { db, clock } = deps;
      const { merchantId, keyId, returnOrigins, member } = request.caller;
      const now = clock.now();
      const maxAmount = isClerk(request.caller) ? member!.maxAmount : null;
      if (maxAmount !== null && parseReais(request.body.amount)! > maxAmount)
        throw amountOverLimit(maxAmount);
      const offerContext = { ...deps, keyId, returnOrigins, memberId: member?.id ?? null };
      const create = async (tx: Tx) => {
        const { offer, isNew } = await createOffer(tx, merchantId, request.body, offerContext, now);
        return { isNew, offer: await renderOffer(tx, offer, deps, now) };
      };
      // One partner may have keys for several merchants.
      const fingerprint = [merchantId, request.body];
      const { phone, reference } = request.body;
      // Offers to different phones, with different references and idempotency keys, share transactions under load.
      const exclusiveKeys = [
        phone,
        reference && `${merchantId} ${reference}`,
        request.headers['idempotency-key'],
      ].filter((key) => key !== undefined);
      const transactions = shareTransactions(db, exclusiveKeys);
      const { offer, isNew } = await createOnce(transactions, { request, reply, now }, create, fingerprint);
      return reply
        .code(isNew ? 201 : 200)
        .header('location', `/merchant/offers/${offer.id}`)
        .send(offer);
    },
  });

export const postMerchantQuotes = ({ db, clock, maxWeeklyRate }: CreditDeps) =>
  endpoint('POST /merchant/quotes', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'quoteSale',
    summary: 'Get a quote for a sale',
    description:
      'The schedule, cost and CET of a purchase made today. With `installments: "all"`, the quotes of all numbers of installments that ' +
      'your plan allows for the amount, as `data`. Nothing is written.',
    body: QuoteOrder,
    responses: {
      200: {
        description: 'The quote, or all quotes.',
        schema: QuoteOrQuotes,
      },
    },
    problems: [...quoteProblems, merchantUnlisted],
    async handler(request) {
      const merchant = await requireListedMerchant(db, request.caller.merchantId);
      const { amount, installments } = request.body;
      const context = { now: clock.now(), maxWeeklyRate };
      if (installments === 'all')
        return { data: computeAllQuotes(merchant, amount, context).map(renderQuote) };
      return renderQuote(computeQuote(merchant, { amount, installments }, context));
    },
  });

export const getMerchantOffersId = (deps: CreditDeps) =>
  endpoint('GET /merchant/offers/:id', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'getOffer',
    summary: 'Get one of your offers',
    description: 'The quote applies if the offer is accepted now, or is the quote that was accepted.',
    ...ownOfferRoute,
    responses: { 200: { description: 'The offer.', schema: MerchantOffer } },
    async handler(request) {
      const offer = await findOffer(deps.db, request.params.id);
      if (offer?.merchant_id !== request.caller.merchantId) throw request.notFound();
      return renderOffer(deps.db, offer, deps, deps.clock.now());
    },
  });

export const postMerchantOffersIdCancel = (deps: CreditDeps) =>
  endpoint('POST /merchant/offers/:id/cancel', {
    access: { scope: 'merchant', memberRole: 'clerk' },
    id: 'cancelOffer',
    summary: 'Cancel an offer',
    description:
      'Only a pending offer can be cancelled. Cancelling a cancelled offer changes nothing. A clerk can cancel only their own offers.',
    ...ownOfferRoute,
    idempotent: true,
    responses: {
      200: { description: 'The cancelled offer.', schema: MerchantOffer },
    },
    problems: [offerClosed, offerExpired],
    async handler(request, reply) {
      const { db, clock, events } = deps;
      const { merchantId, memberId } = request.caller;
      const { id: offerId } = request.params;
      const now = clock.now();
      const cancel = async (tx: Tx) => {
        const offer = await lockOffer(tx, offerId);
        if (offer?.merchant_id !== merchantId) throw request.notFound();
        if (isClerk(request.caller) && offer.member_id !== memberId) throw ownerRoleRequired();
        return renderOffer(tx, await cancelOffer(tx, offer, { events, now }), deps, now);
      };
      return createOnce(db, { request, reply, now }, cancel, { merchantId, offerId });
    },
  });
