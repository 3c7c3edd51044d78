import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { findBy } from '../offers/made-by.ts';
import { renderForMerchant } from '../offers/render-offer.ts';
import { MerchantOffer, ofOwnOffer } from '../offers/schemas.ts';
import { findOffer } from '../offers/store.ts';

export const getMerchantOffersId = ({ db, clock, offerLink, payLink }: CreditDeps) =>
  endpoint('GET /merchant/offers/:id', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'getOffer',
    summary: 'Show one of your offers',
    description: 'The quote is what accepting it now would come to, or came to.',
    ...ofOwnOffer,
    answers: { 200: { description: 'The offer.', schema: MerchantOffer } },
    async handler(request) {
      const offer = await findOffer(db, request.params.id);
      if (offer?.merchant_id !== request.caller.merchantId) throw request.notFound();
      const by = await findBy(db, [offer.member_id]);
      const links = { offerLink, payLink };
      return renderForMerchant(db.vault, offer, links, { now: clock.now(), by: by(offer.member_id) });
    },
  });
