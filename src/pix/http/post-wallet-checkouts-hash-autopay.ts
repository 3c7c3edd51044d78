import { endpoint } from '#platform/http/endpoint.ts';
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
  endpoint({
    method: 'POST',
    url: '/wallet/checkouts/:hash/autopay',
    access: { scope: 'wallet', customer: true },
    id: 'askAutopay',
    summary: 'Let the installments of a purchase be debited',
    description:
      'Pix Automático: the code asks the customer’s bank to debit each installment on its day. Nothing is debited until the bank ' +
      'says yes. Asking again while a code waits answers 200 with the same one; with another `first` it is replaced.',
    params: CheckoutParams,
    notFound: { en: 'You have no purchase with this hash.', pt: 'Você não tem compra com este hash.' },
    body: AutopayRequest,
    bodyOptional: true,
    answers: {
      200: { description: 'There is such a code already: this one.', schema: Autopay },
      201: { description: 'The authorisation, with the code for the bank.', schema: Autopay },
    },
    problems: [autopayActive, nothingToDebit, autopayUnavailable, ...chargeProblems, pspUnavailable],
    async handler(request, reply) {
      const { authorisation, isNew } = await askAuthorisation(pix, {
        customerId: request.caller.customerId,
        hash: request.params.hash,
        first: request.body.first ?? false,
      });
      return reply.code(isNew ? 201 : 200).send(renderAuthorisation(authorisation, pix.clock.now()));
    },
  });
