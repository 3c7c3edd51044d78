import { Type } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id, ListOf } from '#platform/http/schemas.ts';
import { ownSessionFields } from '../auth-schemas.ts';
import type { CustomersDeps } from '../customers.ts';
import { endSession, renderSessions } from '../sessions/sessions.ts';
import { customerSessions } from '../sessions/store.ts';

const WalletSession = Type.Object(ownSessionFields, { $id: 'WalletSession' });

export const getWalletSessions = ({ db, clock }: CustomersDeps) =>
  endpoint('GET /wallet/sessions', {
    access: { scope: 'wallet', customer: true },
    id: 'listSessions',
    summary: 'List the sessions of the customer',
    description: 'Lists active sessions of all applications, the most recently refreshed first; at most 100.',
    responses: {
      200: { description: 'The sessions.', schema: ListOf(WalletSession, { $id: 'WalletSessionList' }) },
    },
    async handler({ caller }) {
      return renderSessions(
        await customerSessions.listOpen(db.shared, caller.customerId, clock.now()),
        caller,
      );
    },
  });

export const postWalletSessionsIdEnd = (deps: CustomersDeps) =>
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
      await customerTransaction(deps.db, customerId, async (tx) => {
        if (!(await customerSessions.lock(tx, customerId, id))) throw request.notFound();
        await endSession(tx, deps, { principalId: customerId, sessionId: id }, 'logout', deps.clock.now());
      });
    },
  });
