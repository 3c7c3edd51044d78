import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { logInByCode } from '../log-in-by-code.ts';
import { invalidCredentials, notRegistered } from '../problems.ts';
import { CodeLogin, Login } from '../schemas.ts';

export const postWalletAuthOtpLogin = (customers: Customers) =>
  endpoint('POST /wallet/auth/otp/login', {
    access: { scope: 'wallet' },
    id: 'logInByCode',
    summary: 'Log in by code',
    description:
      'A code works once, with the `challenge_id` it was sent for. After five wrong tries it does not work any more. With the ' +
      'right code for a phone that nobody has registered the answer is 409 `not_registered`, and the code can still be used to ' +
      'sign up. 30 failed logins a minute from one address.',
    headers: clientIpHeader,
    body: CodeLogin,
    answers: { 200: { description: 'Logged in.', schema: Login } },
    problems: [invalidCredentials, notRegistered, rateLimited],
    handler: (request) => logInByCode(customers, request.body, request.caller),
  });
