import { Type } from 'typebox';
import type { Deps } from '#module';
import { endpoint } from '#platform/http/endpoint.ts';
import { buildListQuery } from '#platform/http/list.ts';
import { queryListPage } from '#platform/http/list-query.ts';
import { LINK_HEADER, pageParameters, respondWithPage } from '#platform/http/pagination.ts';
import { renderPayout, renderPayoutWithLines } from '../render.ts';
import { PayoutPage, PayoutParams, PayoutWithLines } from '../schemas.ts';
import { findPayout, PAYOUT_STATUSES, payoutList } from '../store.ts';

export const getMerchantPayouts = ({ db, clock, publicUrl }: Deps) =>
  endpoint('GET /merchant/payouts', {
    access: { scope: 'merchant', memberRole: 'owner' },
    id: 'listOwnPayouts',
    summary: 'List your payouts',
    description: 'Newest first.',
    query: Type.Object({ ...pageParameters(), status: Type.Optional(Type.Enum([...PAYOUT_STATUSES])) }),
    responses: { 200: { description: 'A page of payouts.', schema: PayoutPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const listQuery = {
        ...buildListQuery(payoutList, { merchant: request.caller.merchantId, status }, clock.now()),
        hasExactTotal: true,
      } as const;
      const { total, rows } = await queryListPage(db, listQuery, { page, limit });
      const query = { page, limit, status };
      return respondWithPage(
        reply,
        { url: `${publicUrl()}/merchant/payouts`, query, total },
        rows.map(renderPayout),
      );
    },
  });

export const getMerchantPayoutsId = ({ db }: Deps) =>
  endpoint('GET /merchant/payouts/:id', {
    access: { scope: 'merchant', memberRole: 'owner' },
    id: 'getOwnPayout',
    summary: 'Get a payout',
    description: 'Includes a page of the lines that it settled, the earliest first.',
    params: PayoutParams,
    notFound: { en: 'You have no payout with this id.', pt: 'Você não tem repasse com este id.' },
    query: Type.Object(pageParameters()),
    responses: { 200: { description: 'The payout.', schema: PayoutWithLines } },
    async handler(request) {
      const payout = await findPayout(db, request.params.id, request.caller.merchantId);
      if (!payout) throw request.notFound();
      return renderPayoutWithLines(db, payout, request.query);
    },
  });
