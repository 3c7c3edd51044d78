import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { declineOffer } from '../offers/close-offer.ts';
import { OfferParams } from '../offers/schemas.ts';
import { NO_OFFER_TO_YOU, offerClosed, offerExpired } from '../problems.ts';

export const postWalletOffersIdDecline = ({ db, clock, events }: CreditDeps) =>
  endpoint({
    method: 'POST',
    url: '/wallet/offers/:id/decline',
    access: { scope: 'wallet', customer: true },
    id: 'declineOffer',
    summary: 'Decline an offer',
    description: 'Declining it again changes nothing.',
    params: OfferParams,
    notFound: NO_OFFER_TO_YOU,
    answers: { 204: { description: 'It is declined.' } },
    problems: [offerClosed, offerExpired],
    async handler(request) {
      const { customerId } = request.caller;
      const wanted = { customerId, offerId: request.params.id };
      const decline = { events, now: clock.now() };
      const offer = await customerTransaction(db, customerId, (tx) => declineOffer(tx, wanted, decline));
      if (!offer) throw request.notFound();
    },
  });
