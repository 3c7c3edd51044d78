import { Type } from 'typebox';
import { pluck } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { buildListQuery } from '#platform/http/list.ts';
import { queryListPage } from '#platform/http/list-query.ts';
import { LINK_HEADER, pageParameters, respondWithPage } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { buildRecordCreatorLookup } from '../offers/offer-authors.ts';
import { renderWaitingReturn } from '../returns/render-return.ts';
import { WaitingReturnPage, waitingStatusParameter } from '../returns/schemas.ts';
import { waitingReturnList } from '../returns/waiting-store.ts';

export const getMerchantReturns = ({ db, clock, publicUrl }: CreditDeps) =>
  endpoint('GET /merchant/returns', {
    access: { scope: 'merchant', memberRole: 'owner' },
    id: 'listWaitingReturns',
    summary: 'List your returns that needed approval',
    description:
      'Returns that would have left you owing more than your limit, newest first, with the operator’s decision.',
    query: Type.Object({ ...waitingStatusParameter, ...pageParameters() }),
    responses: {
      200: { description: 'A page of returns.', schema: WaitingReturnPage, headers: LINK_HEADER },
    },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const listQuery = {
        ...buildListQuery(waitingReturnList, { merchant: request.caller.merchantId, status }, clock.now()),
        hasExactTotal: true,
      } as const;
      const { total, rows } = await queryListPage(db, listQuery, { page, limit });
      const getRecordCreator = await buildRecordCreatorLookup(db, pluck(rows, 'asked_by'));
      return respondWithPage(
        reply,
        { url: `${publicUrl()}/merchant/returns`, query: { page, limit, status }, total },
        rows.map((row) => renderWaitingReturn(row, getRecordCreator(row.asked_by))),
      );
    },
  });
