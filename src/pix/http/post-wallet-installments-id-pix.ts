import { parseReais } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { attemptOf, idempotency } from '#platform/http/idempotency.ts';
import { createCharge } from '../charges/create-charge.ts';
import { renderCharge } from '../charges/render-charge.ts';
import type { Pix } from '../pix.ts';
import { chargeProblems, pspUnavailable } from '../problems.ts';
import { ChargeRequest, DocumentedChargeRequest, ofInstallment, PixCharge } from '../schemas.ts';

export const postWalletInstallmentsIdPix = (pix: Pix) =>
  endpoint('POST /wallet/installments/:id/pix', {
    access: { scope: 'wallet', customer: true },
    id: 'createPix',
    summary: 'Generate a PIX for an installment',
    description:
      'What can be generated, and for how much, is in `pix_options` of the installment. Nothing changes until the money ' +
      'arrives. Asking again for the same while one is pending answers 200 with the same charge.',
    ...ofInstallment,
    headers: idempotency.header,
    body: ChargeRequest,
    documentedBody: DocumentedChargeRequest,
    answers: {
      200: { description: 'There is such a charge already: this one.', schema: PixCharge },
      201: {
        description: 'The charge, with the code to pay it.',
        schema: PixCharge,
        headers: {
          Location: 'Address of the charge.',
          ...idempotency.replayed,
        },
      },
    },
    problems: [...chargeProblems, ...idempotency.problems, pspUnavailable],
    async handler(request, reply) {
      const { id: installmentId } = request.params;
      const { customerId } = request.caller;
      const { type, value: reais } = request.body;
      const value = reais === undefined ? undefined : parseReais(reais)!;
      const attempt = attemptOf(request, pix.clock.now(), [installmentId, request.body]);
      const input = { customerId, installmentId, type, ...(value !== undefined && { value }) };
      const { charge, isNew, replayed } = await createCharge(pix, input, attempt);
      if (replayed) reply.header('idempotency-replayed', 'true');
      const rendered = renderCharge(charge, pix.clock.now());
      return (
        reply
          .code(isNew ? 201 : 200)
          .header('location', `/wallet/pix/${charge.id}`)
          // A repeated request gets the charge as it was when created.
          .send(replayed ? { ...rendered, status: 'pending' } : rendered)
      );
    },
  });
