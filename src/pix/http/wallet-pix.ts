import { renderDocument } from '#platform/documents/document.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { renderCharge, renderChargeRefund } from '../charges/render-charge.ts';
import { buildPaymentReceipt } from '../payments/receipt.ts';
import type { Pix } from '../pix.ts';
import { ChargeParams, PixChargeWithRefunds } from '../schemas.ts';
import { findVisibleCharge } from '../store/charges.ts';
import { listChargeRefunds } from '../store/payments.ts';

export const getWalletPixId = ({ db, clock }: Pix) =>
  endpoint('GET /wallet/pix/:id', {
    access: { scope: 'wallet', customer: true },
    id: 'getPix',
    summary: 'Get a PIX charge',
    params: ChargeParams,
    notFound: { en: 'You have no PIX with this id.', pt: 'Você não tem Pix com este id.' },
    responses: { 200: { description: 'The charge with its current status.', schema: PixChargeWithRefunds } },
    async handler(request) {
      const charge = await findVisibleCharge(db.shared, request.caller.customerId, request.params.id);
      if (!charge) throw request.notFound();
      const { customer_id, id, status } = charge;
      const refunds = status === 'paid' ? await listChargeRefunds(db.shared, customer_id, id) : [];
      return { ...renderCharge(charge, clock.now()), refunds: refunds.map(renderChargeRefund) };
    },
  });

export const getWalletPixIdReceipt = (pix: Pix) =>
  endpoint('GET /wallet/pix/:id/receipt', {
    access: { scope: 'wallet', customer: true },
    id: 'getReceipt',
    summary: 'Get the receipt of a paid PIX charge as a PDF',
    params: ChargeParams,
    notFound: {
      en: 'You have no paid PIX with this id.',
      pt: 'Você não tem Pix pago com este id.',
    },
    responses: { 200: { description: 'The receipt.', contentType: 'application/pdf' } },
    async handler(request, reply) {
      const receipt = await buildPaymentReceipt(pix, request.caller.customerId, request.params.id);
      if (!receipt) throw request.notFound();
      return reply.type('application/pdf').send(await renderDocument(receipt));
    },
  });
