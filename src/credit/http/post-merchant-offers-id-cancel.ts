import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { cancelOffer } from '../offers/close-offer.ts';
import { renderForMerchant } from '../offers/render-offer.ts';
import { MerchantOffer, OfferParams } from '../offers/schemas.ts';
import { offerClosed, offerExpired } from '../problems.ts';

export const postMerchantOffersIdCancel = ({ db, clock, events, offerLink, payLink }: CreditDeps) =>
  endpoint({
    method: 'POST',
    url: '/merchant/offers/:id/cancel',
    access: { scope: 'merchant', member: 'owner' },
    id: 'cancelOffer',
    summary: 'Take an offer back',
    description: 'Before it is accepted. Cancelling it again changes nothing.',
    params: OfferParams,
    notFound: { en: 'You have no offer with this id.', pt: 'Você não tem oferta com este id.' },
    answers: { 200: { description: 'The offer, cancelled.', schema: MerchantOffer } },
    problems: [offerClosed, offerExpired],
    async handler(request) {
      const now = clock.now();
      const wanted = { merchantId: request.caller.merchantId, offerId: request.params.id };
      const offer = await db.transaction((tx) => cancelOffer(tx, wanted, { events, now }));
      if (!offer) throw request.notFound();
      return renderForMerchant(db.vault, offer, { offerLink, payLink }, now);
    },
  });
