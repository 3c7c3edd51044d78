import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { WalletSession } from '../schemas.ts';
import { REFRESH_LIFE_MS } from '../sessions/open-session.ts';
import { listOpenSessions } from '../sessions/store.ts';

export const getWalletSessions = ({ db, clock }: Pick<Customers, 'db' | 'clock'>) =>
  endpoint('GET /wallet/sessions', {
    access: { scope: 'wallet', customer: true },
    id: 'listSessions',
    summary: 'Where the customer is logged in',
    description:
      'Sessions that can be used, through whichever application, the last used first; at most 100.',
    answers: {
      200: {
        description: 'The sessions.',
        schema: Type.Object({ data: Type.Array(WalletSession) }, { $id: 'WalletSessionList' }),
      },
    },
    async handler({ caller: { customerId, sessionId } }) {
      const sessions = await listOpenSessions(db.shared, customerId, clock.now());
      const data = sessions.map(({ id, created_at, refresh_expires_at }) => ({
        id,
        is_current: id === sessionId,
        created_at: created_at.toISOString(),
        refreshed_at: new Date(refresh_expires_at.getTime() - REFRESH_LIFE_MS).toISOString(),
      }));
      return { data };
    },
  });
