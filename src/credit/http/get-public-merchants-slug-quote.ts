import { findSellingMerchant } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import type { CreditDeps } from '../deps.ts';
import { Quote, QuoteQuery } from '../offers/schemas.ts';
import { quoteProblems } from '../problems.ts';
import { quote, renderQuote } from '../purchases/quote.ts';

export const getPublicMerchantsSlugQuote = ({ db, clock, maxWeeklyRate }: CreditDeps) =>
  endpoint('GET /public/merchants/:slug/quote', {
    access: { scope: 'public' },
    id: 'quotePurchase',
    summary: 'What a purchase at a merchant would be',
    description:
      'If it were made today, São Paulo time: what is due when, what it costs, and the CET. It changes with the day and with the ' +
      'merchant’s plan, so it is not to be kept.',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: { en: 'No merchant has this slug.', pt: 'Nenhuma loja tem este slug.' },
    query: QuoteQuery,
    answers: { 200: { description: 'The quote.', schema: Quote } },
    problems: quoteProblems,
    async handler(request) {
      const merchant = await findSellingMerchant(db, request.params.slug);
      if (!merchant?.listed) throw request.notFound();
      return renderQuote(quote(merchant, request.query, { now: clock.now(), maxWeeklyRate }));
    },
  });
