import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { cachedResponse, sendCached } from '#platform/http/response-cache.ts';
import type { Catalog } from '../catalog.ts';
import { MerchantPage } from '../schemas.ts';

export const getPublicMerchants = ({ merchants, responses, publicUrl }: Catalog) =>
  endpoint('GET /public/merchants', {
    access: { scope: 'public' },
    id: 'listMerchants',
    summary: 'List merchants',
    description:
      'In order of name, or with `q` in order of closeness: case and accents do not matter, the start of a word is enough, ' +
      'and a typo is forgiven. `category` and `q` may be combined.',
    query: Type.Object({
      category: Type.Optional(
        Type.String({ maxLength: 100, description: 'Slug of a category.', examples: ['farmacias'] }),
      ),
      q: Type.Optional(
        Type.String({ maxLength: 200, description: 'Text to search for.', examples: ['farmacia'] }),
      ),
      ...pageParameters(),
    }),
    answers: { 200: { description: 'A page of merchants.', schema: MerchantPage, headers: LINK_HEADER } },
    cache: responses.merchants,
    async handler(request, reply) {
      if (!merchants.current()) await merchants.whenCurrent();
      const { page, limit } = request.query;
      // HTML forms send empty fields, too.
      const q = request.query.q?.trim() || undefined;
      const category = request.query.category || undefined;
      const { total, items } = merchants.select({ q, category, offset: (page - 1) * limit, limit });
      const answer = cachedResponse(joinPage(items, paginationOf({ page, limit }, total)), {
        link: linkHeader(`${publicUrl()}/public/merchants`, { q, category, page, limit }, total),
      });
      responses.merchants.put(request.raw.url!, answer, responses.merchants.epoch);
      return sendCached(request, reply, answer);
    },
  });

const COMMA = Buffer.from(',');

function joinPage(items: Buffer[], pagination: object): Buffer {
  const parts: Buffer[] = [Buffer.from('{"data":[')];
  items.forEach((item, i) => {
    if (i > 0) parts.push(COMMA);
    parts.push(item);
  });
  parts.push(Buffer.from(`],"pagination":${JSON.stringify(pagination)}}`));
  return Buffer.concat(parts);
}
