import { endpoint } from '#platform/http/endpoint.ts';
import { renderCharge, renderChargeRefund } from '../charges/render-charge.ts';
import type { Pix } from '../pix.ts';
import { ChargeParams, PixChargeWithRefunds } from '../schemas.ts';
import { findShownCharge } from '../store/charges.ts';
import { listChargeRefunds } from '../store/refunds.ts';

export const getWalletPixId = ({ db, clock }: Pix) =>
  endpoint('GET /wallet/pix/:id', {
    access: { scope: 'wallet', customer: true },
    id: 'getPix',
    summary: 'Show one PIX',
    params: ChargeParams,
    notFound: { en: 'You have no PIX with this id.', pt: 'Você não tem Pix com este id.' },
    answers: { 200: { description: 'The charge as it is now.', schema: PixChargeWithRefunds } },
    async handler(request) {
      const charge = await findShownCharge(db.shared, request.caller.customerId, request.params.id);
      if (!charge) throw request.notFound();
      const { customer_id, id, status } = charge;
      const refunds = status === 'paid' ? await listChargeRefunds(db.shared, customer_id, id) : [];
      return { ...renderCharge(charge, clock.now()), refunds: refunds.map(renderChargeRefund) };
    },
  });
