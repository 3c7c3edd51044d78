import { Type } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id, ListOf } from '#platform/http/schemas.ts';
import type { CustomersDeps } from '../customers.ts';
import { WalletSession } from '../schemas.ts';
import { renderSession } from '../sessions/open-session.ts';
import { endSession, listOpenSessions, lockSession } from '../sessions/store.ts';

export const getWalletSessions = ({ db, clock }: Pick<CustomersDeps, 'db' | 'clock'>) =>
  endpoint('GET /wallet/sessions', {
    access: { scope: 'wallet', customer: true },
    id: 'listSessions',
    summary: 'List the sessions of the customer',
    description: 'Lists active sessions of all applications, the most recently refreshed first; at most 100.',
    responses: {
      200: { description: 'The sessions.', schema: ListOf(WalletSession, { $id: 'WalletSessionList' }) },
    },
    async handler({ caller: { customerId, sessionId } }) {
      const sessions = await listOpenSessions(db.shared, customerId, clock.now());
      const data = sessions.map((row) => {
        const { id, ...times } = renderSession(row);
        return { id, is_current: id === sessionId, ...times };
      });
      return { data };
    },
  });

export const postWalletSessionsIdEnd = ({ db, clock, endedSessions }: CustomersDeps) =>
  endpoint('POST /wallet/sessions/:id/end', {
    access: { scope: 'wallet', customer: true },
    id: 'endSession',
    summary: 'End a session',
    description: 'Ends a session of the customer: its tokens are refused from now on. Idempotent.',
    params: Type.Object({ id: Id('ses', { description: 'Id of the session.' }) }),
    notFound: { en: 'You have no session with this id.', pt: 'Você não tem sessão com este id.' },
    responses: { 204: { description: 'The session has ended.' } },
    async handler(request) {
      const { customerId } = request.caller;
      const { id } = request.params;
      const isKnown = await customerTransaction(db, customerId, async (tx) => {
        if (!(await lockSession(tx, customerId, id))) return false;
        await endSession(tx, customerId, id, 'logout', clock.now());
        return true;
      });
      if (!isKnown) throw request.notFound();
      // Other nodes are notified by the commit; this node is updated directly.
      endedSessions.add(id);
    },
  });
