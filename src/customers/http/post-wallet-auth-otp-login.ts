import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { logInByCode } from '../log-in-by-code.ts';
import { invalidCredentials } from '../problems.ts';
import { CodeLogin, Login } from '../schemas.ts';

export const postWalletAuthOtpLogin = (customers: Customers) =>
  endpoint({
    method: 'POST',
    url: '/wallet/auth/otp/login',
    access: { scope: 'wallet' },
    id: 'logInByCode',
    tag: 'Login',
    summary: 'Log in by code',
    description: 'A code works once. After five tries it does not work any more, even if the sixth is right.',
    body: CodeLogin,
    answers: { 200: { description: 'Logged in.', schema: Login } },
    problems: [invalidCredentials],
    handler: (request) => logInByCode(customers, request.body, request.caller.partnerId),
  });
