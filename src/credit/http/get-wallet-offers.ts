import { Type } from 'typebox';
import { findPhoneHash, NO_HASH } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPage, LINK_HEADER, pageParameters, windowOf } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { renderForCustomer } from '../offers/render-offer.ts';
import { statusParameter, WalletOfferPage } from '../offers/schemas.ts';
import { listOffers } from '../offers/store.ts';

export const getWalletOffers = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint('GET /wallet/offers', {
    access: { scope: 'wallet', customer: true },
    id: 'listWalletOffers',
    summary: 'List what merchants have offered',
    description:
      'To the customer’s phone, or claimed by them, newest first. One of which nothing came is kept for 90 days.',
    query: Type.Object({ ...statusParameter, ...pageParameters() }),
    answers: { 200: { description: 'A page of offers.', schema: WalletOfferPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status } = request.query;
      const now = clock.now();
      const { customerId } = request.caller;
      const phoneHash = (await findPhoneHash(db.shared, customerId)) ?? NO_HASH;
      const whose = { customerId, phoneHash };
      const query = { page, limit, status };
      const { offers, total } = await listOffers(db.shared, whose, status ?? null, now, windowOf(query));
      const view = { now: now.getTime(), publicUrl: publicUrl() };
      await merchants.whenCurrent();
      return answerPage(
        reply,
        { url: `${view.publicUrl}/wallet/offers`, query, total },
        offers.map((offer) => renderForCustomer(offer, merchants, view)),
      );
    },
  });
