import { endpoint } from '#platform/http/endpoint.ts';
import { toIdempotentRequest } from '#platform/http/idempotency.ts';
import { renderAuthorisation } from '../autopay/render-autopay.ts';
import { requestAuthorisation } from '../autopay/request-authorisation.ts';
import { endAuthorisationForCustomer, syncAuthorisation } from '../autopay/sync-authorisation.ts';
import type { Pix } from '../pix.ts';
import {
  autopayActive,
  autopayUnavailable,
  chargeProblems,
  nothingToDebit,
  pspUnavailable,
} from '../problems.ts';
import { isPspError } from '../psp/index.ts';
import { Autopay, AutopayRequest, autopayRoute, CheckoutParams } from '../schemas.ts';
import { findVisibleAuthorisation } from '../store/authorisations.ts';

export const getWalletCheckoutsHashAutopay = ({ db, clock }: Pix) =>
  endpoint('GET /wallet/checkouts/:hash/autopay', {
    access: { scope: 'wallet', customer: true },
    id: 'getAutopay',
    summary: 'Get the autopay of a purchase',
    description:
      'Returns the newest authorisation. Each installment of the purchase shows its own debit in `autopay`.',
    ...autopayRoute,
    responses: { 200: { description: 'The authorisation.', schema: Autopay } },
    async handler(request) {
      const authorisation = await findVisibleAuthorisation(
        db,
        request.caller.customerId,
        request.params.hash,
      );
      if (!authorisation) throw request.notFound();
      return renderAuthorisation(authorisation, clock.now());
    },
  });

export const postWalletCheckoutsHashAutopay = (pix: Pix) =>
  endpoint('POST /wallet/checkouts/:hash/autopay', {
    access: { scope: 'wallet', customer: true },
    id: 'askAutopay',
    summary: 'Request autopay for a purchase',
    description:
      'Pix Automático: with the code the customer authorises the bank to debit each installment on its due day. Nothing is debited ' +
      'before that. Repeating the request while the code is pending returns 200 with the same code; a different `first` replaces it.',
    params: CheckoutParams,
    notFound: { en: 'You have no purchase with this hash.', pt: 'Você não tem compra com este hash.' },
    idempotent: true,
    body: AutopayRequest,
    bodyOptional: true,
    responses: {
      200: { description: 'The pending authorisation that exists already.', schema: Autopay },
      201: { description: 'The authorisation, with the code for the bank.', schema: Autopay },
    },
    problems: [autopayActive, nothingToDebit, autopayUnavailable, ...chargeProblems, pspUnavailable],
    async handler(request, reply) {
      const { hash } = request.params;
      const { first = false } = request.body;
      const idempotentRequest = toIdempotentRequest(request, pix.clock.now(), [hash, first]);
      const input = { customerId: request.caller.customerId, hash, payFirstInstallment: first };
      const { authorisation, isNew, replayed } = await requestAuthorisation(pix, input, idempotentRequest);
      if (replayed) reply.header('idempotency-replayed', 'true');
      return reply.code(isNew ? 201 : 200).send(renderAuthorisation(authorisation, pix.clock.now()));
    },
  });

export const deleteWalletCheckoutsHashAutopay = (pix: Pix) =>
  endpoint('DELETE /wallet/checkouts/:hash/autopay', {
    access: { scope: 'wallet', customer: true },
    id: 'endAutopay',
    summary: 'End the autopay of a purchase',
    description:
      'Always possible, and idempotent. Debits of later days are cancelled; a debit of today may still be made, and any excess is ' +
      'refunded.',
    ...autopayRoute,
    responses: { 204: { description: 'The authorisation has ended.' } },
    async handler(request) {
      const authorisation = await endAuthorisationForCustomer(
        pix,
        request.caller.customerId,
        request.params.hash,
      );
      if (!authorisation) throw request.notFound();
      // The customer does not wait for an unavailable PSP: reconciliation ends the authorisation there.
      await syncAuthorisation(pix, authorisation).catch((error: unknown) => {
        if (!isPspError(error)) throw error;
      });
    },
  });
