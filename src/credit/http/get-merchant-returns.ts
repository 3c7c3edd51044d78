import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listPage } from '#platform/http/listing.ts';
import { answerPage, LINK_HEADER, pageParameters } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { findBy } from '../offers/made-by.ts';
import { renderWaiting } from '../returns/render-return.ts';
import { WaitingReturnPage, waitingParameter } from '../returns/schemas.ts';
import { listedWaiting } from '../returns/waiting-store.ts';

export const getMerchantReturns = ({ db, publicUrl }: CreditDeps) =>
  endpoint('GET /merchant/returns', {
    access: { scope: 'merchant', member: 'owner' },
    id: 'listWaitingReturns',
    summary: 'List your returns that had to wait',
    description:
      'Those that would have left you owing more than you may, newest first, and what became of them.',
    query: Type.Object({ ...waitingParameter, ...pageParameters() }),
    answers: { 200: { description: 'A page of returns.', schema: WaitingReturnPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const mine = {
        ...listedWaiting({ merchantId: request.caller.merchantId, status }),
        isCounted: true,
      } as const;
      const { total, rows } = await listPage(db, mine, { page, limit });
      const by = await findBy(
        db,
        rows.map(({ asked_by }) => asked_by),
      );
      return answerPage(
        reply,
        { url: `${publicUrl()}/merchant/returns`, query: { page, limit, status }, total },
        rows.map((row) => renderWaiting(row, by(row.asked_by))),
      );
    },
  });
