import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { OfferParams, StaffOffer } from '../offers/schemas.ts';
import { findOffer } from '../offers/store.ts';
import { renderStaffOffer } from '../reports/render-staff.ts';

export const getAdminOffersId = ({ db, clock }: CreditDeps) =>
  endpoint('GET /admin/offers/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getOfferOfAnybody',
    summary: 'Show one offer of any merchant',
    params: OfferParams,
    notFound: { en: 'There is no offer with this id.', pt: 'Não há oferta com este id.' },
    answers: { 200: { description: 'The offer.', schema: StaffOffer } },
    async handler(request) {
      const offer = await findOffer(db, request.params.id);
      return offer && renderStaffOffer(offer, clock.now());
    },
  });
