import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id, Timestamp } from '#platform/http/schemas.ts';
import type { Customers } from '../customers.ts';
import { ofCustomer } from '../schemas.ts';
import { REFRESH_LIFE_MS } from '../sessions/open-session.ts';
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
    answers: {
      200: { description: 'The sessions.', schema: Type.Object({ data: Type.Array(CustomerSession) }) },
    },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined) throw request.notFound();
      const sessions = await listOpenSessions(db, id, clock.now());
      const data = sessions.map(({ id, created_at, refresh_expires_at }) => ({
        id,
        created_at: created_at.toISOString(),
        refreshed_at: new Date(refresh_expires_at.getTime() - REFRESH_LIFE_MS).toISOString(),
      }));
      return { data };
    },
  });
