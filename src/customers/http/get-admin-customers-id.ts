import { endpoint } from '#platform/http/endpoint.ts';
import { isText } from '#platform/http/formats.ts';
import { notFound } from '#platform/problem.ts';
import type { Customers } from '../customers.ts';
import { renderForOperator } from '../render-customer.ts';
import { CustomerParams, OperatorCustomer } from '../schemas.ts';
import { findListedCustomer } from '../store.ts';

export const getAdminCustomersId = ({ db, masks, creditUsed }: Customers) =>
  endpoint({
    method: 'GET',
    url: '/admin/customers/:id',
    access: { scope: 'operator' },
    id: 'getCustomer',
    tag: 'Customers',
    summary: 'Show one customer',
    params: CustomerParams,
    answers: { 200: { description: 'The customer.', schema: OperatorCustomer } },
    problems: [notFound],
    async handler(request) {
      const { id } = request.params;
      const customer = isText(id) ? await findListedCustomer(db, id, creditUsed) : undefined;
      if (!customer) throw notFound('No customer has this id or phone.');
      return renderForOperator(customer, masks);
    },
  });
