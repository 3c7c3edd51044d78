import { endpoint } from '#platform/http/endpoint.ts';
import { renderCharge } from '../charges/render-charge.ts';
import type { Pix } from '../pix.ts';
import { ChargeParams, PixCharge } from '../schemas.ts';
import { findShownCharge } from '../store/charges.ts';

export const getWalletPixId = ({ db, clock }: Pix) =>
  endpoint({
    method: 'GET',
    url: '/wallet/pix/:id',
    access: { scope: 'wallet', customer: true },
    id: 'getPix',
    summary: 'Show one PIX',
    params: ChargeParams,
    notFound: { en: 'You have no PIX with this id.', pt: 'Você não tem Pix com este id.' },
    answers: { 200: { description: 'The charge as it is now.', schema: PixCharge } },
    async handler(request) {
      const charge = await findShownCharge(db.shared, request.caller.customerId, request.params.id);
      if (!charge) throw request.notFound();
      return renderCharge(charge, clock.now());
    },
  });
