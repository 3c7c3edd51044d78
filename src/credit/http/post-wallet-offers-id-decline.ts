import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import type { CreditDeps } from '../deps.ts';
import { declineOffer } from '../offers/close-offer.ts';
import { ofOfferToYou } from '../offers/schemas.ts';
import { offerClosed, offerExpired } from '../problems.ts';

export const postWalletOffersIdDecline = ({ db, clock, events }: CreditDeps) =>
  endpoint('POST /wallet/offers/:id/decline', {
    access: { scope: 'wallet', customer: true },
    id: 'declineOffer',
    summary: 'Decline an offer',
    description: 'Declining it again changes nothing.',
    ...ofOfferToYou,
    headers: idempotency.header,
    answers: { 204: { description: 'It is declined.', headers: idempotency.replayed } },
    problems: [...idempotency.problems, offerClosed, offerExpired],
    async handler(request, reply) {
      const { customerId } = request.caller;
      const wanted = { customerId, offerId: request.params.id };
      const now = clock.now();
      const decline = async (tx: CustomerTx) => {
        if (!(await declineOffer(tx, wanted, { events, now }))) throw request.notFound();
        return null;
      };
      await createOnce(forCustomer(db, customerId), { request, reply, now }, decline, wanted.offerId);
    },
  });
