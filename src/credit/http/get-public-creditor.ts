import { formatCnpj } from '#core/cnpj.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import type { CreditDeps } from '../deps.ts';
import { Creditor } from '../schemas.ts';

export const getPublicCreditor = (credit: CreditDeps) =>
  endpoint('GET /public/creditor', {
    access: { scope: 'public' },
    id: 'getCreditor',
    summary: 'Whose credit it is',
    description:
      'Name, CNPJ, address and e-mail of the creditor, to be shown wherever credit is offered (CDC art. 54-B). It changes seldom.',
    answers: { 200: { description: 'The creditor.', schema: Creditor } },
    async handler(_request, reply) {
      return reply.header('cache-control', 'private, max-age=300').send({
        name: credit.creditorName,
        cnpj: formatCnpj(credit.creditorCnpj),
        address: credit.creditorAddress,
        email: credit.creditorEmail,
      });
    },
  });
