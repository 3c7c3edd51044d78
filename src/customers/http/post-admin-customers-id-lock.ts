import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { lockCustomer } from '../change-customer.ts';
import type { Customers } from '../customers.ts';
import { customerErased } from '../problems.ts';
import { OperatorCustomer, ofCustomer, ReasonForm } from '../schemas.ts';

export const postAdminCustomersIdLock = (customers: Customers) =>
  endpoint('POST /admin/customers/:id/lock', {
    access: { scope: 'operator', role: 'support' },
    id: 'lockCustomer',
    summary: 'End all sessions of a customer and let none begin',
    description: 'Takes effect at once, on every node. To the customer a login looks like a wrong password.',
    ...ofCustomer,
    body: ReasonForm,
    bodyOptional: true,
    answers: { 200: { description: 'The customer.', schema: OperatorCustomer } },
    problems: [customerErased],
    async handler(request) {
      const { reason } = request.body;
      const change = changeBy(request, customers.clock.now(), reason);
      const locked = await lockCustomer(customers, request.params.id, { change });
      if (!locked) throw request.notFound();
      for (const id of locked.endedSessions) customers.ended.note(id);
      return locked.customer;
    },
  });
