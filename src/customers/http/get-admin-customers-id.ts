import { endpoint } from '#platform/http/endpoint.ts';
import { showPhoneChange } from '../change-customer.ts';
import type { Customers } from '../customers.ts';
import { NO_CUSTOMER } from '../problems.ts';
import { renderForOperator } from '../render-customer.ts';
import { CustomerParams, OperatorCustomer } from '../schemas.ts';
import { findListedCustomer } from '../store.ts';

export const getAdminCustomersId = ({ db, people, creditUsed }: Customers) =>
  endpoint({
    method: 'GET',
    url: '/admin/customers/:id',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCustomer',
    summary: 'Show one customer',
    params: CustomerParams,
    notFound: NO_CUSTOMER,
    answers: { 200: { description: 'The customer.', schema: OperatorCustomer, etag: true } },
    async handler(request) {
      const customer = await findListedCustomer(db, request.params.id, creditUsed);
      return (
        customer && {
          ...renderForOperator(customer, people),
          ...(await showPhoneChange(db, customer.id)),
        }
      );
    },
  });
