import { hasRole } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { recordView } from '#platform/privacy/trail.ts';
import { showPhoneChange } from '../change-customer.ts';
import type { Customers } from '../customers.ts';
import { renderForOperator } from '../render-customer.ts';
import { OperatorCustomer, ofCustomer } from '../schemas.ts';
import { findListedCustomer } from '../store.ts';

export const getAdminCustomersId = ({ db, clock, people, creditUsed }: Customers) =>
  endpoint('GET /admin/customers/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCustomer',
    summary: 'Show one customer',
    description: 'Whoever sees the data unmasked is in the trail, as `view:ID`.',
    ...ofCustomer,
    answers: { 200: { description: 'The customer.', schema: OperatorCustomer, etag: true } },
    async handler(request) {
      const customer = await findListedCustomer(db, request.params.id, creditUsed);
      if (!customer) return undefined;
      if (hasRole(request.caller, 'support'))
        await db.transaction((tx) => recordView(tx, request, customer.id, clock.now()));
      return { ...renderForOperator(customer, people), ...(await showPhoneChange(db, customer.id)) };
    },
  });
