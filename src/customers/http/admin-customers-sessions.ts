import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id, idOrPhone, ListOf, Timestamp } from '#platform/http/schemas.ts';
import { auditContextFor } from '#platform/privacy/audit-trail.ts';
import { withAuditedCustomerUpdate } from '../change-customer.ts';
import type { CustomersDeps } from '../customers.ts';
import { customerErased } from '../problems.ts';
import { customerResource, ReasonForm } from '../schemas.ts';
import { renderSession } from '../sessions/open-session.ts';
import { endAllSessions, endSession, listOpenSessions, lockSession } from '../sessions/store.ts';
import { findCustomerId } from '../store.ts';

const CustomerSession = Type.Object(
  {
    id: Id('ses'),
    created_at: Timestamp({ description: 'Time of the login.' }),
    refreshed_at: Timestamp({ description: 'Time of the last token refresh.' }),
  },
  { $id: 'CustomerSession' },
);

export const getAdminCustomersIdSessions = ({ db, clock }: Pick<CustomersDeps, 'db' | 'clock'>) =>
  endpoint('GET /admin/customers/:id/sessions', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCustomerSessions',
    summary: 'List the sessions of a customer',
    description: 'Lists active sessions, the most recently refreshed first; at most 100.',
    ...customerResource,
    responses: { 200: { description: 'The sessions.', schema: ListOf(CustomerSession) } },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined) throw request.notFound();
      const sessions = await listOpenSessions(db, id, clock.now());
      return { data: sessions.map(renderSession) };
    },
  });

export const postAdminCustomersIdSessionsEnd = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/sessions/end', {
    access: { scope: 'operator', role: 'support' },
    id: 'endCustomerSessions',
    summary: 'End all sessions of a customer',
    description: 'The customer may log in again immediately. Takes effect on every node.',
    ...customerResource,
    body: ReasonForm,
    bodyOptional: true,
    cli: { command: 'customers sessions end-all' },
    responses: { 204: { description: 'The sessions have ended.' } },
    problems: [customerErased],
    async handler(request) {
      const now = deps.clock.now();
      const auditContext = auditContextFor(request, now, request.body.reason);
      let endedIds: string[] = [];
      const customer = await withAuditedCustomerUpdate(
        deps,
        request.params.id,
        { auditContext },
        async (tx, { id }) => {
          endedIds = await endAllSessions(tx, id, 'logout', now);
        },
      );
      if (!customer) throw request.notFound();
      // Other nodes are notified by the commit; this node is updated directly.
      for (const id of endedIds) deps.endedSessions.add(id);
    },
  });

export const postAdminCustomersIdSessionsSessionEnd = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/sessions/:session/end', {
    access: { scope: 'operator', role: 'support' },
    id: 'endCustomerSession',
    summary: 'End one session of a customer',
    description: 'Idempotent.',
    params: Type.Object({ id: idOrPhone({ description: 'Id or phone.' }), session: Id('ses') }),
    notFound: {
      en: 'No customer has this id or phone, or the customer has no such session.',
      pt: 'Nenhum cliente tem este id ou telefone, ou não há esta sessão.',
    },
    body: ReasonForm,
    bodyOptional: true,
    responses: { 204: { description: 'The session has ended.' } },
    problems: [customerErased],
    async handler(request) {
      const now = deps.clock.now();
      const { id: customer, session } = request.params;
      const auditContext = auditContextFor(request, now, request.body.reason);
      const changed = await withAuditedCustomerUpdate(
        deps,
        customer,
        { auditContext },
        async (tx, { id }) => {
          if (!(await lockSession(tx, id, session))) throw request.notFound();
          await endSession(tx, id, session, 'logout', now);
        },
      );
      if (!changed) throw request.notFound();
      // Other nodes are notified by the commit; this node is updated directly.
      deps.endedSessions.add(session);
    },
  });
