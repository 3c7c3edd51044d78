import type { Static } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { cachedResponse, sendCached } from '#platform/http/response-cache.ts';
import type { Catalog } from '../catalog.ts';
import { CategoryList } from '../schemas.ts';

export const getPublicCategories = ({ merchants, responses }: Catalog) =>
  endpoint('GET /public/categories', {
    access: { scope: 'public' },
    id: 'listCategories',
    summary: 'List categories',
    description: 'All of them in order of name, each with the number of its merchants.',
    answers: { 200: { description: 'The categories.', schema: CategoryList } },
    cache: responses.merchants,
    async handler(request, reply) {
      if (!merchants.current()) await merchants.whenCurrent();
      const body: Static<typeof CategoryList> = { data: merchants.categories() };
      const answer = cachedResponse(JSON.stringify(body));
      responses.merchants.put(request.raw.url!, answer, responses.merchants.epoch);
      return sendCached(request, reply, answer);
    },
  });
