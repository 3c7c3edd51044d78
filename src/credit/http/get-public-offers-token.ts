import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { renderForPublic } from '../offers/render-offer.ts';
import { OfferTokenParams, PublicOffer } from '../offers/schemas.ts';
import { findLinkedOffer } from '../offers/store.ts';
import { NO_OPEN_OFFER } from '../problems.ts';

export const getPublicOffersToken = ({ db, clock, publicUrl, merchants }: CreditDeps) =>
  endpoint('GET /public/offers/:token', {
    access: { scope: 'public' },
    id: 'getOpenOffer',
    summary: 'Show an offer to whoever has its link',
    description:
      'What is bought and what it costs; nothing of any person. Reading it claims nothing: that takes a customer who is logged in. The link ' +
      'of an offer to a phone ends with its id, which is taken as well.',
    params: OfferTokenParams,
    notFound: NO_OPEN_OFFER,
    answers: { 200: { description: 'The offer.', schema: PublicOffer } },
    async handler(request) {
      const offer = await findLinkedOffer(db.shared, request.params.token);
      if (!offer) throw request.notFound();
      await merchants.whenCurrent();
      return renderForPublic(offer, merchants, { now: clock.now().getTime(), publicUrl: publicUrl() });
    },
  });
