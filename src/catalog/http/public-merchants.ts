import { type Static, Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import {
  buildLinkHeader,
  LINK_HEADER,
  pageParameters,
  toPageRange,
  toPagination,
} from '#platform/http/pagination.ts';
import { createCachedResponse } from '#platform/http/response-cache.ts';
import { slugParams } from '#platform/http/schemas.ts';
import type { Catalog } from '../catalog.ts';
import { MERCHANT_NOT_FOUND } from '../problems.ts';
import { CategoryList, Merchant, MerchantPage } from '../schemas.ts';

export const getPublicMerchants = ({ merchants, responses, publicUrl }: Catalog) =>
  endpoint('GET /public/merchants', {
    access: { scope: 'public' },
    id: 'listMerchants',
    summary: 'List merchants',
    description:
      'Lists merchants in order of name, or with `q` best match first. The search ignores case and accents, and matches beginnings of words and words ' +
      'with one typo. `category` and `q` can be combined.',
    query: Type.Object({
      category: Type.Optional(
        Type.String({ maxLength: 100, description: 'Slug of a category.', examples: ['farmacias'] }),
      ),
      q: Type.Optional(
        Type.String({ maxLength: 200, description: 'Text to search for.', examples: ['farmacia'] }),
      ),
      ...pageParameters(),
    }),
    responses: { 200: { description: 'A page of merchants.', schema: MerchantPage, headers: LINK_HEADER } },
    cache: responses.merchants,
    async handler(request, reply) {
      if (!merchants.isCurrent()) await merchants.waitUntilCurrent();
      const { page, limit } = request.query;
      // HTML forms send empty fields too.
      const q = request.query.q?.trim() || undefined;
      const category = request.query.category || undefined;
      return responses.merchants.respond({ request, reply }, () => {
        const { total, items } = merchants.selectPage({ q, category, ...toPageRange({ page, limit }) });
        return createCachedResponse(joinPage(items, toPagination({ page, limit }, total)), {
          link: buildLinkHeader(`${publicUrl()}/public/merchants`, { q, category, page, limit }, total),
        });
      });
    },
  });

const COMMA = Buffer.from(',');

function joinPage(items: Buffer[], pagination: object): Buffer {
  const separatedItems = items.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item]));
  const end = Buffer.from(`],"pagination":${JSON.stringify(pagination)}}`);
  return Buffer.concat([Buffer.from('{"data":['), ...separatedItems, end]);
}

export const getPublicMerchantsSlug = ({ merchants, responses }: Catalog) =>
  endpoint('GET /public/merchants/:slug', {
    access: { scope: 'public' },
    id: 'getMerchant',
    summary: 'Get a merchant',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: MERCHANT_NOT_FOUND,
    responses: { 200: { description: 'The merchant.', schema: Merchant } },
    cache: responses.merchants,
    async handler(request, reply) {
      if (!merchants.isCurrent()) await merchants.waitUntilCurrent();
      const merchant = merchants.findJson(request.params.slug);
      if (!merchant) throw request.notFound();
      return responses.merchants.respond({ request, reply }, () => createCachedResponse(merchant));
    },
  });

export const getPublicCategories = ({ merchants, responses }: Catalog) =>
  endpoint('GET /public/categories', {
    access: { scope: 'public' },
    id: 'listCategories',
    summary: 'List categories',
    description: 'Lists all categories in order of name, each with the number of its listed merchants.',
    responses: { 200: { description: 'The categories.', schema: CategoryList } },
    cache: responses.merchants,
    async handler(request, reply) {
      if (!merchants.isCurrent()) await merchants.waitUntilCurrent();
      const body: Static<typeof CategoryList> = { data: merchants.listCategories() };
      return responses.merchants.respond({ request, reply }, () =>
        createCachedResponse(JSON.stringify(body)),
      );
    },
  });
