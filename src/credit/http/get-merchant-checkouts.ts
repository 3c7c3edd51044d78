import { Type } from 'typebox';
import { type Day, day, endOfDay, laterDay, parseDay, saoPauloDay, startOfDay } from '#core/day.ts';
import { listNames } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { findSellers, isClerk, ownersOnly } from '../offers/made-by.ts';
import { showMerchants } from '../purchases/current-merchant.ts';
import { listSales } from '../purchases/reading-store.ts';
import { renderListedSale } from '../purchases/render-sale.ts';
import { rangeOf } from '../purchases/status-range.ts';
import { SalePage, STATUSES } from '../schemas.ts';

const FIRST = day('2000-01-01');
const LAST = day('2999-12-31');

export const getMerchantCheckouts = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint({
    method: 'GET',
    url: '/merchant/checkouts',
    access: { scope: 'merchant', member: 'clerk' },
    id: 'listSales',
    summary: 'List your sales',
    description: 'Newest first, with what is owed as of now. A clerk sees those of today.',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...STATUSES], { description: 'Only those in this status now.' })),
      from: Type.Optional(
        Type.String({ format: 'date', description: 'Only those bought on this day or later.' }),
      ),
      to: Type.Optional(
        Type.String({ format: 'date', description: 'Only those bought on this day or before.' }),
      ),
      ...pageParameters(),
    }),
    answers: { 200: { description: 'A page of sales.', schema: SalePage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const now = clock.now().getTime();
      const today = saoPauloDay(now);
      const { page, limit, status, from, to } = isClerk(request.caller)
        ? { ...request.query, ...onlyOn(today, request.query) }
        : request.query;
      const wanted = {
        merchantId: request.caller.merchantId,
        since: new Date(startOfDay(within(from, FIRST))),
        before: new Date(endOfDay(within(to, LAST))),
      };
      const window = { offset: (page - 1) * limit, limit };
      const { sales, total } = await listSales(db, wanted, rangeOf(status, today), today, window);
      const names = await listNames(db, [...new Set(sales.map(({ customer_id }) => customer_id))]);
      const view = { now, publicUrl: publicUrl() };
      const query = { page, limit, status, from, to };
      reply.header('link', linkHeader(`${view.publicUrl}/merchant/checkouts`, query, total));
      const shown = await showMerchants(sales, merchants);
      const by = await findSellers(
        db,
        sales.map(({ offer_id }) => offer_id),
      );
      return {
        data: shown.map((sale) =>
          renderListedSale(sale, names.get(sale.customer_id), { ...view, by: by(sale.offer_id) }),
        ),
        pagination: paginationOf({ page, limit }, total),
      };
    },
  });

/** A clerk sees the sales of the day, and is told who may see others. */
function onlyOn(today: Day, { from = today, to = today }: { from?: string; to?: string }) {
  if (from !== today || to !== today) throw ownersOnly();
  return { from, to };
}

/** Days are clamped to this range, so that the database can represent every timestamp. */
function within(text: string | undefined, otherwise: Day): Day {
  const wanted = laterDay(parseDay(text) ?? otherwise, FIRST);
  if (wanted > LAST) return LAST;
  return wanted;
}
