import { endpoint } from '#platform/http/endpoint.ts';
import { ETAG_HEADER, etagOf } from '#platform/trail.ts';
import type { Customers } from '../customers.ts';
import { renderForOperator } from '../render-customer.ts';
import { CustomerParams, OperatorCustomer } from '../schemas.ts';
import { findListedCustomer } from '../store.ts';

export const getAdminCustomersId = ({ db, people, creditUsed }: Customers) =>
  endpoint({
    method: 'GET',
    url: '/admin/customers/:id',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCustomer',
    tag: 'Customers',
    summary: 'Show one customer',
    params: CustomerParams,
    notFound: 'No customer has this id or phone.',
    answers: { 200: { description: 'The customer.', schema: OperatorCustomer, headers: ETAG_HEADER } },
    async handler(request, reply) {
      const customer = await findListedCustomer(db, request.params.id, creditUsed);
      if (!customer) throw request.notFound();
      const shown = renderForOperator(customer, people);
      return reply.header('etag', etagOf(shown)).send(shown);
    },
  });
