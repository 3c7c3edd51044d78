import type { Static } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { createCachedResponse, sendCached } from '#platform/http/response-cache.ts';
import type { Catalog } from '../catalog.ts';
import { CategoryList } from '../schemas.ts';

export const getPublicCategories = ({ merchants, responses }: Catalog) =>
  endpoint('GET /public/categories', {
    access: { scope: 'public' },
    id: 'listCategories',
    summary: 'List categories',
    description: 'All categories in order of name, each with the number of its listed merchants.',
    responses: { 200: { description: 'The categories.', schema: CategoryList } },
    cache: responses.merchants,
    async handler(request, reply) {
      if (!merchants.isCurrent()) await merchants.waitUntilCurrent();
      const body: Static<typeof CategoryList> = { data: merchants.listCategories() };
      const response = createCachedResponse(JSON.stringify(body));
      responses.merchants.put(request.raw.url!, response, responses.merchants.epoch);
      return sendCached(request, reply, response);
    },
  });
