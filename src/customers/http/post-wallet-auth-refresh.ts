import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { tokenExpired, tokenInvalid, tokenPartnerMismatch } from '../problems.ts';
import { Login, RefreshForm } from '../schemas.ts';
import { refreshSession } from '../sessions/refresh-session.ts';

export const postWalletAuthRefresh = (customers: Customers) =>
  endpoint({
    method: 'POST',
    url: '/wallet/auth/refresh',
    access: { scope: 'wallet' },
    id: 'refresh',
    tag: 'Login',
    summary: 'Exchange a refresh token for new tokens',
    description:
      'A refresh token works once, for 30 days, and the answer holds the next one. Using one twice ends the session and ' +
      'every token of it: do not send the same one from two places, nor again without knowing that it failed.',
    body: RefreshForm,
    answers: { 200: { description: 'The next tokens.', schema: Login } },
    problems: [tokenInvalid, tokenExpired, tokenPartnerMismatch],
    handler: (request) => refreshSession(customers, request.body.refresh_token, request.caller.partnerId),
  });
