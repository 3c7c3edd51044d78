import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { pageParameters, paginationOf, windowOf } from '#platform/http/pagination.ts';
import type { Payouts } from '../payouts.ts';
import { renderLine, renderPayout } from '../render.ts';
import { PayoutParams, PayoutWithLines } from '../schemas.ts';
import { findPayout, listPayoutLines } from '../store.ts';

export const getMerchantPayoutsId = ({ db }: Payouts) =>
  endpoint('GET /merchant/payouts/:id', {
    access: { scope: 'merchant', member: 'owner' },
    id: 'getOwnPayout',
    summary: 'Show one payout with what it settled',
    description: 'Its lines come in pages, in the order in which they happened.',
    params: PayoutParams,
    notFound: { en: 'You have no payout with this id.', pt: 'Você não tem repasse com este id.' },
    query: Type.Object(pageParameters()),
    answers: { 200: { description: 'The payout.', schema: PayoutWithLines } },
    async handler(request) {
      const payout = await findPayout(db, request.params.id, request.caller.merchantId);
      if (!payout) throw request.notFound();
      const { total, lines } = await listPayoutLines(db, payout.id, windowOf(request.query));
      return {
        ...renderPayout(payout),
        lines: lines.map(renderLine),
        pagination: paginationOf(request.query, total),
      };
    },
  });
