import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { logInByPassword } from '../log-in-by-password.ts';
import { invalidCredentials, loginLocked } from '../problems.ts';
import { Login, PasswordLogin } from '../schemas.ts';

export const postWalletAuthLogin = (customers: Customers) =>
  endpoint('POST /wallet/auth/login', {
    access: { scope: 'wallet' },
    id: 'logIn',
    summary: 'Log in by password',
    description:
      'A wrong phone and a wrong password answer the same. Five failures in 15 minutes for a phone from one address lock that ' +
      'pair for 15 minutes, twenty from anywhere lock password login of the phone; a correct password does not open it, a code ' +
      'does. 30 failures a minute from one address.',
    headers: clientIpHeader,
    body: PasswordLogin,
    answers: { 200: { description: 'Logged in.', schema: Login } },
    problems: [invalidCredentials, loginLocked, rateLimited],
    handler: (request) => logInByPassword(customers, request.body, request.caller),
  });
