import { nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Pix } from '../pix.ts';
import { renderStaffCharge } from '../reports/render-staff.ts';
import { StaffChargeParams, StaffPixChargeItem } from '../schemas.ts';
import { findAnyCharge } from '../store/charges.ts';

export const getAdminPixChargesId = ({ db, clock }: Pix) =>
  endpoint('GET /admin/pix/charges/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixCharge',
    summary: 'Show one charge',
    params: StaffChargeParams,
    notFound: { en: 'No charge has this id or txid.', pt: 'Nenhuma cobrança tem este id ou txid.' },
    answers: { 200: { description: 'The charge as it is now.', schema: StaffPixChargeItem } },
    async handler(request) {
      const charge = await findAnyCharge(db, request.params.id);
      if (!charge || ['creating', 'discarded'].includes(charge.status)) throw request.notFound();
      const [shown] = await nameCustomers(db, [renderStaffCharge(charge, clock.now())]);
      return shown;
    },
  });
