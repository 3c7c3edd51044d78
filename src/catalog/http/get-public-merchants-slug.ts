import { endpoint } from '#platform/http/endpoint.ts';
import { cachedResponse, sendCached } from '#platform/http/response-cache.ts';
import { slugParams } from '#platform/http/schemas.ts';
import type { Catalog } from '../catalog.ts';
import { NO_MERCHANT } from '../problems.ts';
import { Merchant } from '../schemas.ts';

export const getPublicMerchantsSlug = ({ merchants, responses }: Catalog) =>
  endpoint('GET /public/merchants/:slug', {
    access: { scope: 'public' },
    id: 'getMerchant',
    summary: 'Show one merchant',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: NO_MERCHANT,
    answers: { 200: { description: 'The merchant.', schema: Merchant } },
    cache: responses.merchants,
    async handler(request, reply) {
      if (!merchants.current()) await merchants.whenCurrent();
      const merchant = merchants.find(request.params.slug);
      if (!merchant) throw request.notFound();
      const answer = cachedResponse(merchant);
      responses.merchants.put(request.raw.url!, answer, responses.merchants.epoch);
      return sendCached(request, reply, answer);
    },
  });
