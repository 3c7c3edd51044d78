import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { tokenPartnerMismatch } from '../problems.ts';
import { RefreshForm } from '../schemas.ts';
import { logOut } from '../sessions/log-out.ts';

export const postWalletAuthLogout = (customers: Customers) =>
  endpoint('POST /wallet/auth/logout', {
    access: { scope: 'wallet' },
    id: 'logOut',
    summary: 'Log out',
    description:
      'Ends the session: its token and refresh token are refused from now on. A refresh token that is not known answers the same.',
    body: RefreshForm,
    answers: { 204: { description: 'The session is over.' } },
    problems: [tokenPartnerMismatch],
    handler: (request) => logOut(customers, request.body.refresh_token, request.caller.partnerId),
  });
