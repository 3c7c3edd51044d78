import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id, idOrPhone } from '#platform/http/schemas.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { changing } from '../change-customer.ts';
import type { Customers } from '../customers.ts';
import { customerErased } from '../problems.ts';
import { ReasonForm } from '../schemas.ts';
import { lockSession, markEnded } from '../sessions/store.ts';

export const postAdminCustomersIdSessionsSessionEnd = (customers: Customers) =>
  endpoint('POST /admin/customers/:id/sessions/:session/end', {
    access: { scope: 'operator', role: 'support' },
    id: 'endCustomerSession',
    summary: 'End one session of a customer',
    description: 'Ending it again changes nothing.',
    params: Type.Object({ id: idOrPhone({ description: 'Id or phone.' }), session: Id('ses') }),
    notFound: {
      en: 'No customer has this id or phone, or they have no such session.',
      pt: 'Nenhum cliente tem este id ou telefone, ou não há esta sessão.',
    },
    body: ReasonForm,
    bodyOptional: true,
    answers: { 204: { description: 'It has ended.' } },
    problems: [customerErased],
    async handler(request) {
      const now = customers.clock.now();
      const { id: customer, session } = request.params;
      const change = changeBy(request, now, request.body.reason);
      const changed = await changing(customers, customer, { change }, async (tx, { id }) => {
        if (!(await lockSession(tx, id, session))) throw request.notFound();
        await markEnded(tx, id, session, 'logout', now);
      });
      if (!changed) throw request.notFound();
      // The other nodes are notified; this one need not wait.
      customers.ended.note(session);
    },
  });
