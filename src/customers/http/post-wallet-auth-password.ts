import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { invalidCredentials, notRegistered, passwordTooCommon } from '../problems.ts';
import { NewPassword } from '../schemas.ts';
import { setPassword } from '../set-password.ts';

export const postWalletAuthPassword = (customers: Customers) =>
  endpoint('POST /wallet/auth/password', {
    access: { scope: 'wallet' },
    id: 'setPassword',
    summary: 'Set a password with a code',
    description:
      'Sets the first password or another one. All sessions of the customer end: log in again. A password that is too easy to ' +
      'guess is refused, and the code still works.',
    headers: clientIpHeader,
    body: NewPassword,
    answers: { 204: { description: 'The password is set.' } },
    problems: [invalidCredentials, notRegistered, passwordTooCommon, rateLimited],
    handler: (request) => setPassword(customers, request.body, request.caller),
  });
