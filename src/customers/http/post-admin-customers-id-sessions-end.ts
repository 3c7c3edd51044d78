import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { changing } from '../change-customer.ts';
import type { Customers } from '../customers.ts';
import { customerErased } from '../problems.ts';
import { ofCustomer, ReasonForm } from '../schemas.ts';
import { markAllEnded } from '../sessions/store.ts';

export const postAdminCustomersIdSessionsEnd = (customers: Customers) =>
  endpoint('POST /admin/customers/:id/sessions/end', {
    access: { scope: 'operator', role: 'support' },
    id: 'endCustomerSessions',
    summary: 'End all sessions of a customer',
    description: 'They may log in again at once. Takes effect on every node.',
    ...ofCustomer,
    body: ReasonForm,
    bodyOptional: true,
    answers: { 204: { description: 'They have ended.' } },
    problems: [customerErased],
    async handler(request) {
      const now = customers.clock.now();
      const change = changeBy(request, now, request.body.reason);
      let endedIds: string[] = [];
      const customer = await changing(customers, request.params.id, { change }, async (tx, { id }) => {
        endedIds = await markAllEnded(tx, id, 'logout', now);
      });
      if (!customer) throw request.notFound();
      // The other nodes are notified; this one need not wait.
      for (const id of endedIds) customers.ended.note(id);
    },
  });
