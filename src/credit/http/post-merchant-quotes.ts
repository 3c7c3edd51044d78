import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { findSeller } from '../offers/make-offer.ts';
import { Quote, QuoteOrder } from '../offers/schemas.ts';
import { merchantUnlisted, quoteProblems } from '../problems.ts';
import { quote, renderQuote } from '../purchases/quote.ts';

export const postMerchantQuotes = ({ db, clock, maxWeeklyRate }: CreditDeps) =>
  endpoint('POST /merchant/quotes', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'quoteSale',
    summary: 'What a purchase at your shop would be',
    description: 'If it were made today: what is due when, what it costs, and the CET. Nothing is written.',
    body: QuoteOrder,
    answers: { 200: { description: 'The quote.', schema: Quote } },
    problems: [...quoteProblems, merchantUnlisted],
    async handler(request) {
      const merchant = await findSeller(db, request.caller.merchantId);
      return renderQuote(quote(merchant, request.body, { now: clock.now(), maxWeeklyRate }));
    },
  });
