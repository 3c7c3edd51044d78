import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { renderForMerchant } from '../offers/render-offer.ts';
import { MerchantOfferPage, referenceParameter, statusParameter } from '../offers/schemas.ts';
import { listOffers } from '../offers/store.ts';

export const getMerchantOffers = ({ db, clock, publicUrl, offerLink, payLink }: CreditDeps) =>
  endpoint({
    method: 'GET',
    url: '/merchant/offers',
    access: { scope: 'merchant', member: 'owner' },
    id: 'listOffers',
    summary: 'List your offers',
    description: 'Newest first. One of which nothing came is kept for 90 days.',
    query: Type.Object({ ...statusParameter, ...referenceParameter, ...pageParameters() }),
    answers: { 200: { description: 'A page of offers.', schema: MerchantOfferPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const reference = request.query.reference?.trim();
      const now = clock.now();
      const whose = { merchantId: request.caller.merchantId, reference };
      const window = { offset: (page - 1) * limit, limit };
      const { offers, total } = await listOffers(db, whose, status ?? null, now, window);
      reply.header(
        'link',
        linkHeader(`${publicUrl()}/merchant/offers`, { page, limit, status, reference }, total),
      );
      return {
        data: offers.map((offer) => renderForMerchant(db.vault, offer, { offerLink, payLink }, now)),
        pagination: paginationOf({ page, limit }, total),
      };
    },
  });
