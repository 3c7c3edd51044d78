import { Type } from 'typebox';
import { findSellingMerchant } from '#catalog';
import { type Day, endOfDay, startOfDay } from '#core/day.ts';
import { inReais } from '#core/money.ts';
import { csvOf, wantsCsv } from '#platform/csv.ts';
import type { Db } from '#platform/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { pageParameters, paginationOf } from '#platform/http/pagination.ts';
import { Slug } from '#platform/http/schemas.ts';
import type { Payouts } from '../payouts.ts';
import { renderPayout } from '../render.ts';
import { DayParameter, PayoutPage } from '../schemas.ts';
import {
  listPayouts,
  listPayoutsAfter,
  PAYOUT_STATUSES,
  type PayoutFilter,
  type PayoutRow,
} from '../store.ts';

const ROWS_AT_ONCE = 1_000;

export const getAdminPayouts = ({ db }: Payouts) =>
  endpoint({
    method: 'GET',
    url: '/admin/payouts',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPayouts',
    tag: 'Payouts',
    summary: 'List payouts',
    description: 'Newest first. With `Accept: text/csv` all of them, for the bank, without pages.',
    query: Type.Object({
      ...pageParameters(),
      status: Type.Optional(Type.Enum([...PAYOUT_STATUSES])),
      merchant: Type.Optional(Slug({ description: 'Slug of the merchant.' })),
      from: Type.Optional(DayParameter('Made on or after this day')),
      to: Type.Optional(DayParameter('Made on or before this day')),
    }),
    answers: { 200: { description: 'A page of payouts.', schema: PayoutPage, csv: true } },
    async handler(request, reply) {
      const { page, limit, status, merchant, from, to } = request.query;
      const filter = {
        status,
        // No merchant has the id 0.
        merchantId: merchant === undefined ? undefined : ((await findSellingMerchant(db, merchant))?.id ?? 0),
        from: from === undefined ? undefined : new Date(startOfDay(from as Day)),
        before: to === undefined ? undefined : new Date(endOfDay(to as Day)),
      };
      if (wantsCsv(request.headers)) {
        reply.header('content-disposition', 'attachment; filename="payouts.csv"');
        return reply.type('text/csv; charset=utf-8').send(csvOf(COLUMNS, allOf(db, filter)));
      }
      const { total, payouts } = await listPayouts(db, filter, { offset: (page - 1) * limit, limit });
      return { data: payouts.map(renderPayout), pagination: paginationOf({ page, limit }, total) };
    },
  });

const COLUMNS = {
  id: ({ id }: PayoutRow) => id,
  merchant: ({ merchant_slug }: PayoutRow) => merchant_slug,
  name: ({ merchant_name }: PayoutRow) => merchant_name,
  amount: ({ amount_cents }: PayoutRow) => inReais(amount_cents),
  status: ({ status }: PayoutRow) => status,
  due_on: ({ due_on }: PayoutRow) => due_on,
  created_at: ({ created_at }: PayoutRow) => created_at.toISOString(),
  paid_at: (row: PayoutRow) => renderPayout(row).paid_at,
  reference: ({ reference }: PayoutRow) => reference,
  failed_at: (row: PayoutRow) => renderPayout(row).failed_at,
  reason: ({ reason }: PayoutRow) => reason,
};

async function* allOf(db: Db, filter: PayoutFilter): AsyncGenerator<PayoutRow[]> {
  let last: PayoutRow | undefined;
  for (;;) {
    const rows = await listPayoutsAfter(db, filter, last, ROWS_AT_ONCE);
    last = rows.at(-1);
    if (!last) return;
    yield rows;
  }
}
