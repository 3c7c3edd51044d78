import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { etagOf } from '#platform/http/etag.ts';
import { pageParameters, paginationOf, windowOf } from '#platform/http/pagination.ts';
import type { Payouts } from '../payouts.ts';
import { renderLine, renderPayout } from '../render.ts';
import { ofPayout, PayoutWithLines } from '../schemas.ts';
import { findPayout, listPayoutLines } from '../store.ts';

export const getAdminPayoutsId = ({ db }: Payouts) =>
  endpoint('GET /admin/payouts/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPayout',
    summary: 'Show one payout with what it settled',
    description: 'Its lines come in pages, in the order in which they happened.',
    ...ofPayout,
    query: Type.Object(pageParameters()),
    answers: { 200: { description: 'The payout.', schema: PayoutWithLines, etag: true } },
    async handler(request, reply) {
      const payout = await findPayout(db, request.params.id);
      if (!payout) throw request.notFound();
      const { total, lines } = await listPayoutLines(db, payout.id, windowOf(request.query));
      const shown = renderPayout(payout);
      reply.header('etag', etagOf(shown));
      return { ...shown, lines: lines.map(renderLine), pagination: paginationOf(request.query, total) };
    },
  });
