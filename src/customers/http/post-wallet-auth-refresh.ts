import { Type } from 'typebox';
import { clientIpHeader } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import type { Customers } from '../customers.ts';
import { tokenExpired, tokenInvalid, tokenPartnerMismatch } from '../problems.ts';
import { Login, RefreshForm } from '../schemas.ts';
import { answerLogin } from '../sessions/open-session.ts';
import { refreshSession } from '../sessions/refresh-session.ts';

export const postWalletAuthRefresh = (customers: Customers) =>
  endpoint('POST /wallet/auth/refresh', {
    access: { scope: 'wallet' },
    id: 'refresh',
    summary: 'Exchange a refresh token for new tokens',
    description:
      'A refresh token works once, for 30 days, and the answer holds the next one. Using one twice ends the session and ' +
      'every token of it: do not send the same one from two places, nor again without knowing that it failed. With the same ' +
      '`Idempotency-Key` it is no second use: the answer has the same refresh token, until that one is used.',
    headers: Type.Object({ ...idempotency.header.properties, ...clientIpHeader.properties }),
    body: RefreshForm,
    answers: {
      200: {
        description: 'The next tokens.',
        schema: Login,
        headers: {
          'Idempotency-Replayed':
            '`true` when this is the refresh token of an earlier request with the same key.',
        },
      },
    },
    problems: [tokenInvalid, tokenExpired, tokenPartnerMismatch],
    async handler(request, reply) {
      const { session, replayed } = await refreshSession(customers, {
        text: request.body.refresh_token,
        partnerId: request.caller.partnerId,
        address: request.caller.address,
        key: request.headers['idempotency-key'],
      });
      if (replayed) reply.header('idempotency-replayed', 'true');
      return answerLogin(customers, session);
    },
  });
