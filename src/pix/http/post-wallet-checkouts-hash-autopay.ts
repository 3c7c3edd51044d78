import { endpoint } from '#platform/http/endpoint.ts';
import { attemptOf, idempotency } from '#platform/http/idempotency.ts';
import { askAuthorisation } from '../autopay/ask-authorisation.ts';
import { renderAuthorisation } from '../autopay/render-autopay.ts';
import type { Pix } from '../pix.ts';
import {
  autopayActive,
  autopayUnavailable,
  chargeProblems,
  nothingToDebit,
  pspUnavailable,
} from '../problems.ts';
import { Autopay, AutopayRequest, CheckoutParams } from '../schemas.ts';

export const postWalletCheckoutsHashAutopay = (pix: Pix) =>
  endpoint('POST /wallet/checkouts/:hash/autopay', {
    access: { scope: 'wallet', customer: true },
    id: 'askAutopay',
    summary: 'Let the installments of a purchase be debited',
    description:
      'Pix Automático: the code asks the customer’s bank to debit each installment on its day. Nothing is debited until the bank ' +
      'says yes. Asking again while a code waits answers 200 with the same one; with another `first` it is replaced.',
    params: CheckoutParams,
    notFound: { en: 'You have no purchase with this hash.', pt: 'Você não tem compra com este hash.' },
    headers: idempotency.header,
    body: AutopayRequest,
    bodyOptional: true,
    answers: {
      200: { description: 'There is such a code already: this one.', schema: Autopay },
      201: {
        description: 'The authorisation, with the code for the bank.',
        schema: Autopay,
        headers: idempotency.replayed,
      },
    },
    problems: [
      autopayActive,
      nothingToDebit,
      autopayUnavailable,
      ...chargeProblems,
      ...idempotency.problems,
      pspUnavailable,
    ],
    async handler(request, reply) {
      const { hash } = request.params;
      const { first = false } = request.body;
      const attempt = attemptOf(request, pix.clock.now(), [hash, first]);
      const wish = { customerId: request.caller.customerId, hash, first };
      const { authorisation, isNew, replayed } = await askAuthorisation(pix, wish, attempt);
      if (replayed) reply.header('idempotency-replayed', 'true');
      return reply.code(isNew ? 201 : 200).send(renderAuthorisation(authorisation, pix.clock.now()));
    },
  });
