import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { unlockCustomer } from '../change-customer.ts';
import type { Customers } from '../customers.ts';
import { customerErased } from '../problems.ts';
import { OperatorCustomer, ofCustomer, ReasonForm } from '../schemas.ts';

export const postAdminCustomersIdUnlock = (customers: Customers) =>
  endpoint('POST /admin/customers/:id/unlock', {
    access: { scope: 'operator', role: 'support' },
    id: 'unlockCustomer',
    summary: 'Let a customer log in again',
    description:
      'Wrong passwords and codes that were counted for the phone are forgotten too, and how many is in the trail. Sessions that a ' +
      'lock ended stay ended.',
    ...ofCustomer,
    body: ReasonForm,
    bodyOptional: true,
    answers: { 200: { description: 'The customer.', schema: OperatorCustomer } },
    problems: [customerErased],
    async handler(request) {
      const { reason } = request.body;
      const change = changeBy(request, customers.clock.now(), reason);
      return (await unlockCustomer(customers, request.params.id, { change }))?.customer;
    },
  });
