import { endpoint } from '#platform/http/endpoint.ts';
import { readyAnswer, sendReady } from '#platform/http/ready-answers.ts';
import { SlugParams } from '#platform/http/schemas.ts';
import { notFound } from '#platform/problem.ts';
import type { Content } from '../content.ts';
import { Merchant } from '../schemas.ts';

export const getPublicMerchantsSlug = ({ shelf, ready }: Content) =>
  endpoint({
    method: 'GET',
    url: '/public/merchants/:slug',
    access: { scope: 'public' },
    id: 'getMerchant',
    tag: 'Catalog',
    summary: 'Show one merchant',
    params: SlugParams,
    answers: { 200: { description: 'The merchant.', schema: Merchant } },
    problems: [notFound],
    ready: ready.merchants,
    async handler(request, reply) {
      if (!shelf.current()) await shelf.whenCurrent();
      const merchant = shelf.find(request.params.slug);
      if (!merchant) throw notFound('No merchant has this slug.');
      const answer = readyAnswer(merchant);
      ready.merchants.put(request.raw.url!, answer, ready.merchants.epoch);
      return sendReady(request, reply, answer);
    },
  });
