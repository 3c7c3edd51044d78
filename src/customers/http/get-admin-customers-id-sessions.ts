import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id, ListOf, Timestamp } from '#platform/http/schemas.ts';
import type { Customers } from '../customers.ts';
import { ofCustomer } from '../schemas.ts';
import { renderSession } from '../sessions/open-session.ts';
import { listOpenSessions } from '../sessions/store.ts';
import { findCustomerId } from '../store.ts';

const CustomerSession = Type.Object(
  {
    id: Id('ses'),
    created_at: Timestamp({ description: 'When it began, with a login.' }),
    refreshed_at: Timestamp({ description: 'When its tokens were exchanged last: it was in use then.' }),
  },
  { $id: 'CustomerSession' },
);

export const getAdminCustomersIdSessions = ({ db, clock }: Pick<Customers, 'db' | 'clock'>) =>
  endpoint('GET /admin/customers/:id/sessions', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCustomerSessions',
    summary: 'Where a customer is logged in',
    description: 'Sessions that can be used, the last used first; at most 100.',
    ...ofCustomer,
    answers: { 200: { description: 'The sessions.', schema: ListOf(CustomerSession) } },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined) throw request.notFound();
      const sessions = await listOpenSessions(db, id, clock.now());
      return { data: sessions.map(renderSession) };
    },
  });
