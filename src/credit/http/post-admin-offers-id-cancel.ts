import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { cancelOffer } from '../offers/close-offer.ts';
import { ofOffer, StaffOfferItem } from '../offers/schemas.ts';
import { findOffer } from '../offers/store.ts';
import { offerClosed, offerExpired } from '../problems.ts';
import { offerSubject } from '../reports/render-staff.ts';

export const postAdminOffersIdCancel = ({ db, clock, events }: CreditDeps) =>
  endpoint('POST /admin/offers/:id/cancel', {
    access: { scope: 'operator', role: 'finance' },
    id: 'cancelOfferOfAnybody',
    summary: 'Take an offer of any merchant back',
    description: 'Before it is accepted. Cancelling it again changes nothing.',
    ...ofOffer,
    answers: { 200: { description: 'The offer, cancelled.', schema: StaffOfferItem } },
    problems: [offerClosed, offerExpired],
    async handler(request) {
      const { id } = request.params;
      const now = clock.now();
      const change = changeBy(request, now);
      const offer = await db.transaction((tx) =>
        recordChange(tx, change, { of: offerSubject(now), id }, async () => {
          const { merchant_id: merchantId } = (await findOffer(tx, id))!;
          await cancelOffer(tx, { merchantId, offerId: id }, { events, now });
        }),
      );
      if (!offer) throw request.notFound();
      return offer;
    },
  });
