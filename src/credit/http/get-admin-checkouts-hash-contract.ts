import { endpoint } from '#platform/http/endpoint.ts';
import { recordView } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { findContract } from '../purchases/contract-store.ts';
import { findCustomerOf } from '../purchases/reading-store.ts';
import { HashParams } from '../schemas.ts';

export const getAdminCheckoutsHashContract = ({ db, clock }: CreditDeps) =>
  endpoint('GET /admin/checkouts/:hash/contract', {
    access: { scope: 'operator', role: 'support' },
    id: 'getContractOfAnybody',
    summary: 'The contract of a purchase of any customer, as PDF',
    description:
      'The same bytes as the customer’s, with the personal data in full; whoever reads it is in the trail, as `view:ID` of the customer. ' +
      'A purchase that nobody accepted has none until its customer asks for it.',
    params: HashParams,
    notFound: {
      en: 'There is no purchase with this hash that has a contract.',
      pt: 'Não há compra com este hash que tenha contrato.',
    },
    answers: { 200: { description: 'The contract.', contentType: 'application/pdf' } },
    async handler(request, reply) {
      const { hash } = request.params;
      const customerId = await findCustomerOf(db, hash);
      const contract = customerId === undefined ? undefined : await findContract(db, customerId, hash);
      if (!contract) throw request.notFound();
      await db.transaction((tx) => recordView(tx, request, customerId!, clock.now()));
      return reply.type('application/pdf').send(contract);
    },
  });
