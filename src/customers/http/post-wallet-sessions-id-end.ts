import { Type } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id } from '#platform/http/schemas.ts';
import type { Customers } from '../customers.ts';
import { lockSession, markEnded } from '../sessions/store.ts';

export const postWalletSessionsIdEnd = ({ db, clock, ended }: Customers) =>
  endpoint('POST /wallet/sessions/:id/end', {
    access: { scope: 'wallet', customer: true },
    id: 'endSession',
    summary: 'Log out elsewhere',
    description:
      'Ends a session of the customer: its tokens are refused from now on. Ending it again changes nothing.',
    params: Type.Object({ id: Id('ses', { description: 'The id, as in the list.' }) }),
    notFound: { en: 'You have no session with this id.', pt: 'Você não tem sessão com este id.' },
    answers: { 204: { description: 'The session is over.' } },
    async handler(request) {
      const { customerId } = request.caller;
      const { id } = request.params;
      const isKnown = await customerTransaction(db, customerId, async (tx) => {
        if (!(await lockSession(tx, customerId, id))) return false;
        await markEnded(tx, customerId, id, 'logout', clock.now());
        return true;
      });
      if (!isKnown) throw request.notFound();
      // The other nodes are notified; this one need not wait.
      ended.note(id);
    },
  });
