import { Type } from 'typebox';
import { parseReais } from '#core/values/money.ts';
import { findDebt } from '#credit';
import { renderDocument } from '#platform/documents/document.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { toIdempotentRequest } from '#platform/http/idempotency.ts';
import { LINK_HEADER, pageParameters, respondWithPage, toPageRange } from '#platform/http/pagination.ts';
import { createCharge } from '../charges/create-charge.ts';
import { renderCharge, renderChargeRefund } from '../charges/render-charge.ts';
import { buildPaymentReceipt } from '../payments/receipt.ts';
import type { Pix } from '../pix.ts';
import { chargeProblems, pspUnavailable } from '../problems.ts';
import {
  ChargeParams,
  ChargeRequest,
  DocumentedChargeRequest,
  installmentRoute,
  PixCharge,
  PixChargePage,
  PixChargeWithRefunds,
} from '../schemas.ts';
import { findVisibleCharge, listVisibleCharges } from '../store/charges.ts';
import { listChargeRefunds } from '../store/payments.ts';

export const getWalletInstallmentsIdPix = ({ db, clock, publicUrl }: Pix) =>
  endpoint('GET /wallet/installments/:id/pix', {
    access: { scope: 'wallet', customer: true },
    id: 'listPix',
    summary: 'List the PIX charges of an installment',
    description: 'Newest first.',
    ...installmentRoute,
    query: Type.Object(pageParameters()),
    responses: { 200: { description: 'A page of charges.', schema: PixChargePage, headers: LINK_HEADER } },
    async handler(request, reply) {
      const { id } = request.params;
      const { customerId } = request.caller;
      const { page, limit } = request.query;
      const now = clock.now();
      if (!(await findDebt(db.shared, customerId, id, now.getTime()))) throw request.notFound();
      const query = { page, limit };
      const { total, charges } = await listVisibleCharges(db.shared, customerId, id, toPageRange(query));
      return respondWithPage(
        reply,
        { url: `${publicUrl()}/wallet/installments/${id}/pix`, query, total },
        charges.map((charge) => renderCharge(charge, now)),
      );
    },
  });

export const postWalletInstallmentsIdPix = (pix: Pix) =>
  endpoint('POST /wallet/installments/:id/pix', {
    access: { scope: 'wallet', customer: true },
    id: 'createPix',
    summary: 'Create a PIX charge for an installment',
    description:
      '`pix_options` of the installment lists the available types and amounts. The installment does not change until the payment ' +
      'arrives. Repeating the request while the charge is pending returns 200 with the same charge.',
    ...installmentRoute,
    idempotent: true,
    body: ChargeRequest,
    documentedBody: DocumentedChargeRequest,
    responses: {
      200: { description: 'The pending charge that exists already.', schema: PixCharge },
      201: {
        description: 'The charge, with the code to pay it.',
        schema: PixCharge,
        headers: { Location: 'The URL of the charge.' },
      },
    },
    problems: [...chargeProblems, pspUnavailable],
    async handler(request, reply) {
      const { id: installmentId } = request.params;
      const { customerId } = request.caller;
      const { type, value: reais } = request.body;
      const amount = reais === undefined ? undefined : parseReais(reais)!;
      const idempotentRequest = toIdempotentRequest(request, pix.clock.now(), [installmentId, request.body]);
      const input = { customerId, installmentId, type, ...(amount !== undefined && { value: amount }) };
      const { charge, isNew, replayed } = await createCharge(pix, input, idempotentRequest);
      if (replayed) reply.header('idempotency-replayed', 'true');
      const renderedCharge = renderCharge(charge, pix.clock.now());
      return (
        reply
          .code(isNew ? 201 : 200)
          .header('location', `/wallet/pix/${charge.id}`)
          // A replayed request returns the charge as it was when it was created.
          .send(replayed ? { ...renderedCharge, status: 'pending' } : renderedCharge)
      );
    },
  });

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
