import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { ofOffer, StaffOffer } from '../offers/schemas.ts';
import { findOffer } from '../offers/store.ts';
import { renderStaffOffer } from '../reports/render-staff.ts';

export const getAdminOffersId = ({ db, clock }: CreditDeps) =>
  endpoint('GET /admin/offers/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getOfferOfAnybody',
    summary: 'Show one offer of any merchant',
    ...ofOffer,
    answers: { 200: { description: 'The offer.', schema: StaffOffer } },
    async handler(request) {
      const offer = await findOffer(db, request.params.id);
      return offer && renderStaffOffer(offer, clock.now());
    },
  });
