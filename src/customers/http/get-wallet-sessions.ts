import { endpoint } from '#platform/http/endpoint.ts';
import { ListOf } from '#platform/http/schemas.ts';
import type { Customers } from '../customers.ts';
import { WalletSession } from '../schemas.ts';
import { renderSession } from '../sessions/open-session.ts';
import { listOpenSessions } from '../sessions/store.ts';

export const getWalletSessions = ({ db, clock }: Pick<Customers, 'db' | 'clock'>) =>
  endpoint('GET /wallet/sessions', {
    access: { scope: 'wallet', customer: true },
    id: 'listSessions',
    summary: 'Where the customer is logged in',
    description:
      'Sessions that can be used, through whichever application, the last used first; at most 100.',
    answers: {
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
