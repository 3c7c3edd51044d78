import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { LINK_HEADER, linkHeader, pageParameters, paginationOf } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { renderForMerchant } from '../offers/render-offer.ts';
import { MerchantOfferPage, statusParameter } from '../offers/schemas.ts';
import { listOffers } from '../offers/store.ts';

export const getMerchantOffers = ({ db, clock, publicUrl, offerLink }: CreditDeps) =>
  endpoint({
    method: 'GET',
    url: '/merchant/offers',
    access: { scope: 'merchant' },
    id: 'listOffers',
    tag: 'Selling',
    summary: 'List your offers',
    description: 'Newest first. One of which nothing came is kept for 90 days.',
    query: Type.Object({ ...statusParameter, ...pageParameters() }),
    answers: { 200: { description: 'A page of offers.', schema: MerchantOfferPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const now = clock.now();
      const { merchantId } = request.caller;
      const window = { offset: (page - 1) * limit, limit };
      const { offers, total } = await listOffers(db, { merchantId }, status ?? null, now, window);
      reply.header('link', linkHeader(`${publicUrl()}/merchant/offers`, { page, limit, status }, total));
      return {
        data: offers.map((offer) => renderForMerchant(db.vault, offer, offerLink, now)),
        pagination: paginationOf({ page, limit }, total),
      };
    },
  });
