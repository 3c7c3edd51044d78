import { Type } from 'typebox';
import { type Day, day, endOfDay, laterDay, parseDay, saoPauloDay, startOfDay } from '#core/day.ts';
import { listNames } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPage, LINK_HEADER, pageParameters, windowOf } from '#platform/http/pagination.ts';
import { Id, Text } from '#platform/http/schemas.ts';
import type { CreditDeps } from '../deps.ts';
import { HASH_PATTERN } from '../hash.ts';
import { findSellers, isClerk, ownersOnly } from '../offers/made-by.ts';
import { showMerchants } from '../purchases/current-merchant.ts';
import { listSales } from '../purchases/reading-store.ts';
import { renderListedSale } from '../purchases/render-sale.ts';
import { rangeOf } from '../purchases/status-range.ts';
import { MOST_SEARCHED, readSearch } from '../reports/find-sales.ts';
import { SalePage, STATUSES } from '../schemas.ts';

const FIRST = day('2000-01-01');
const LAST = day('2999-12-31');

const onDay = (which: string) =>
  Type.Optional(Type.String({ format: 'date', description: `Only those bought ${which}.` }));

export const getMerchantCheckouts = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint('GET /merchant/checkouts', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'listSales',
    summary: 'List your sales',
    description:
      'Newest first, with what is owed as of now. What is sent must all be so. A clerk sees those of today, and any they look up by ' +
      '`hash` or `code`.',
    query: Type.Object({
      status: Type.Optional(Type.Enum([...STATUSES], { description: 'Only those in this status now.' })),
      on: onDay('on this day'),
      from: onDay('on this day or later'),
      to: onDay('on this day or before'),
      hash: Type.Optional(
        Type.String({ pattern: HASH_PATTERN, description: 'Only the one with this hash.' }),
      ),
      code: Type.Optional(Text(40, { description: 'Only what came of the open offer with this code.' })),
      amount: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          format: 'reais',
          description: 'Only those for exactly this much.',
        }),
      ),
      q: Type.Optional(
        Text(60, {
          description: `Only of customers whose name, as far as you see it, has this text in it; among the newest ${MOST_SEARCHED} of the period.`,
        }),
      ),
      by: Type.Optional(Id('mbr', { description: 'Only those from offers of this member.' })),
      ...pageParameters(),
    }),
    answers: { 200: { description: 'A page of sales.', schema: SalePage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const now = clock.now().getTime();
      const today = saoPauloDay(now);
      const { page, limit, status, ...search } = request.query;
      const { on, from = on, to = on } = search;
      const isLookedUp = search.hash !== undefined || search.code !== undefined;
      const days = isClerk(request.caller) && !isLookedUp ? onlyOn(today, { from, to }) : { from, to };
      const period = {
        merchantId: request.caller.merchantId,
        since: new Date(startOfDay(within(days.from, FIRST))),
        before: new Date(endOfDay(within(days.to, LAST))),
      };
      const filter = await readSearch(db, period, search);
      const { sales, total } = filter
        ? await listSales(db, filter, rangeOf(status, today), today, windowOf({ page, limit }))
        : { sales: [], total: 0 };
      const names = await listNames(db, [...new Set(sales.map(({ customer_id }) => customer_id))]);
      const view = { now, publicUrl: publicUrl() };
      const shown = await showMerchants(sales, merchants);
      const by = await findSellers(
        db,
        sales.map(({ offer_id }) => offer_id),
      );
      const query = { page, limit, status, ...search };
      return answerPage(
        reply,
        { url: `${view.publicUrl}/merchant/checkouts`, query, total },
        shown.map((sale) =>
          renderListedSale(sale, names.get(sale.customer_id), { ...view, by: by(sale.offer_id) }),
        ),
      );
    },
  });

type Days = { from?: string | undefined; to?: string | undefined };

/** A clerk sees the sales of the day, and is told who may see others. */
function onlyOn(today: Day, { from = today, to = today }: Days): Days {
  if (from !== today || to !== today) throw ownersOnly();
  return { from, to };
}

/** Days are clamped to this range, so that the database can represent every timestamp. */
function within(text: string | undefined, otherwise: Day): Day {
  const wanted = laterDay(parseDay(text) ?? otherwise, FIRST);
  if (wanted > LAST) return LAST;
  return wanted;
}
