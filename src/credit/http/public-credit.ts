import { findMerchantWithPlan } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import type { CreditDeps } from '../deps.ts';
import { toCreditor } from '../documents/parties.ts';
import { renderOfferForPublic } from '../offers/render-offer.ts';
import { OfferTokenParams, PublicOffer, Quote, QuoteQuery } from '../offers/schemas.ts';
import { findOfferByLink } from '../offers/store.ts';
import { OPEN_OFFER_NOT_FOUND, quoteProblems } from '../problems.ts';
import { computeQuote, renderQuote } from '../purchases/plan-purchase.ts';
import { Creditor } from '../schemas.ts';

export const getPublicCreditor = (deps: CreditDeps) =>
  endpoint('GET /public/creditor', {
    access: { scope: 'partner' },
    id: 'getCreditor',
    summary: 'Get the creditor',
    description:
      'Name, CNPJ, address and e-mail of the creditor. Show them wherever you offer credit (CDC art. 54-B). They rarely change.',
    responses: { 200: { description: 'The creditor.', schema: Creditor } },
    async handler(_request, reply) {
      return reply.header('cache-control', 'private, max-age=300').send(toCreditor(deps));
    },
  });

export const getPublicOffersToken = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint('GET /public/offers/:token', {
    access: { scope: 'public' },
    id: 'getOpenOffer',
    summary: 'Get an offer by its link',
    description:
      'The items and the cost, without personal data. Reading an offer does not claim it; only a customer who is logged in can. The link ' +
      'of an offer to a phone ends with the id of the offer, which is accepted as well.',
    params: OfferTokenParams,
    notFound: OPEN_OFFER_NOT_FOUND,
    responses: { 200: { description: 'The offer.', schema: PublicOffer } },
    async handler(request) {
      const offer = await findOfferByLink(db.shared, request.params.token);
      if (!offer) throw request.notFound();
      await merchants.waitUntilCurrent();
      return renderOfferForPublic(offer, merchants, { now: clock.now().getTime(), publicUrl: publicUrl() });
    },
  });

export const getPublicMerchantsSlugQuote = ({ db, clock, maxWeeklyRate }: CreditDeps) =>
  endpoint('GET /public/merchants/:slug/quote', {
    access: { scope: 'public' },
    id: 'quotePurchase',
    summary: 'Get a quote for a purchase',
    description:
      'The schedule, cost and CET of a purchase made today, São Paulo time. Do not cache it: it changes with the day and with the ' +
      'merchant’s plan.',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: { en: 'No merchant has this slug.', pt: 'Nenhuma loja tem este slug.' },
    query: QuoteQuery,
    responses: { 200: { description: 'The quote.', schema: Quote } },
    problems: quoteProblems,
    async handler(request) {
      const merchant = await findMerchantWithPlan(db, request.params.slug);
      if (!merchant?.listed) throw request.notFound();
      return renderQuote(computeQuote(merchant, request.query, { now: clock.now(), maxWeeklyRate }));
    },
  });
