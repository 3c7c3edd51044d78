import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { tokenInvalid } from '../problems.ts';
import { renderCustomer } from '../render-customer.ts';
import { Customer } from '../schemas.ts';
import { findCustomer } from '../store.ts';

export const getWalletMe = ({ db, people, creditUsed }: Customers) =>
  endpoint('GET /wallet/me', {
    access: { scope: 'wallet', customer: true },
    id: 'getMe',
    summary: 'Show the customer who is logged in',
    answers: { 200: { description: 'The customer.', schema: Customer } },
    async handler(request) {
      const customer = await findCustomer(db.shared, request.caller.customerId, creditUsed);
      if (!customer) throw tokenInvalid('customer_gone');
      return renderCustomer(customer, people);
    },
  });
