import type { Tx } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import type { CreditDeps } from '../deps.ts';
import { cancelOffer } from '../offers/close-offer.ts';
import { findBy, isClerk, ownersOnly } from '../offers/made-by.ts';
import { renderForMerchant } from '../offers/render-offer.ts';
import { MerchantOffer, ofOwnOffer } from '../offers/schemas.ts';
import { findOffer } from '../offers/store.ts';
import { offerClosed, offerExpired } from '../problems.ts';

export const postMerchantOffersIdCancel = ({ db, clock, events, offerLink, payLink }: CreditDeps) =>
  endpoint('POST /merchant/offers/:id/cancel', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'cancelOffer',
    summary: 'Take an offer back',
    description: 'Before it is accepted. Cancelling it again changes nothing. A clerk takes back their own.',
    ...ofOwnOffer,
    headers: idempotency.header,
    answers: {
      200: { description: 'The offer, cancelled.', schema: MerchantOffer, headers: idempotency.replayed },
    },
    problems: [...idempotency.problems, offerClosed, offerExpired],
    async handler(request, reply) {
      const now = clock.now();
      const wanted = { merchantId: request.caller.merchantId, offerId: request.params.id };
      if (isClerk(request.caller)) {
        const mine = await findOffer(db, request.params.id);
        if (mine?.merchant_id !== wanted.merchantId) throw request.notFound();
        if (mine.member_id !== request.caller.memberId) throw ownersOnly();
      }
      const cancel = async (tx: Tx) => {
        const offer = await cancelOffer(tx, wanted, { events, now });
        if (!offer) throw request.notFound();
        const by = await findBy(tx, [offer.member_id]);
        return renderForMerchant(db.vault, offer, { offerLink, payLink }, { now, by: by(offer.member_id) });
      };
      return createOnce(db, { request, reply, now }, cancel, wanted);
    },
  });
