import { Type } from 'typebox';
import { saoPauloDay, startOfDay } from '#core/day.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPage, LINK_HEADER, pageParameters, windowOf } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import { findBy, isClerk } from '../offers/made-by.ts';
import { renderForMerchant } from '../offers/render-offer.ts';
import { codeParameter, MerchantOfferPage, referenceParameter, statusParameter } from '../offers/schemas.ts';
import { listOffers } from '../offers/store.ts';

export const getMerchantOffers = ({ db, clock, publicUrl, offerLink, payLink }: CreditDeps) =>
  endpoint('GET /merchant/offers', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'listOffers',
    summary: 'List your offers',
    description:
      'Newest first. One of which nothing came is kept for 90 days. A clerk sees those of today, and any they look up by `code` or ' +
      '`reference`.',
    query: Type.Object({ ...statusParameter, ...referenceParameter, ...codeParameter, ...pageParameters() }),
    answers: { 200: { description: 'A page of offers.', schema: MerchantOfferPage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { page, limit, status, code } = request.query;
      const reference = request.query.reference?.trim();
      const now = clock.now();
      const today = new Date(startOfDay(saoPauloDay(now.getTime())));
      const since = isClerk(request.caller) ? today : undefined;
      const whose = { merchantId: request.caller.merchantId, reference, code, since };
      const query = { page, limit, status, reference, code };
      const { offers, total } = await listOffers(db, whose, status ?? null, now, windowOf(query));
      const by = await findBy(
        db,
        offers.map(({ member_id }) => member_id),
      );
      const links = { offerLink, payLink };
      return answerPage(
        reply,
        { url: `${publicUrl()}/merchant/offers`, query, total },
        offers.map((offer) => renderForMerchant(db.vault, offer, links, { now, by: by(offer.member_id) })),
      );
    },
  });
