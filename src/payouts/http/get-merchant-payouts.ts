import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listPage } from '#platform/http/listing.ts';
import { answerPage, LINK_HEADER, pageParameters } from '#platform/http/pagination.ts';
import type { Payouts } from '../payouts.ts';
import { renderPayout } from '../render.ts';
import { PayoutPage } from '../schemas.ts';
import { listedPayouts, PAYOUT_STATUSES } from '../store.ts';

export const getMerchantPayouts = ({ db, publicUrl }: Payouts) =>
  endpoint('GET /merchant/payouts', {
    access: { scope: 'merchant', member: 'owner' },
    id: 'listOwnPayouts',
    summary: 'List what you were and are being paid',
    description: 'Newest first.',
    query: Type.Object({ ...pageParameters(), status: Type.Optional(Type.Enum([...PAYOUT_STATUSES])) }),
    answers: { 200: { description: 'A page of payouts.', schema: PayoutPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const mine = {
        ...listedPayouts({ merchantId: request.caller.merchantId, status }),
        isCounted: true,
      } as const;
      const { total, rows } = await listPage(db, mine, { page, limit });
      const query = { page, limit, status };
      return answerPage(
        reply,
        { url: `${publicUrl()}/merchant/payouts`, query, total },
        rows.map(renderPayout),
      );
    },
  });
