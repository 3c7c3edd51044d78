import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { logInByPassword } from '../log-in-by-password.ts';
import { invalidCredentials, loginLocked } from '../problems.ts';
import { Login, PasswordLogin } from '../schemas.ts';

export const postWalletAuthLogin = (customers: Customers) =>
  endpoint({
    method: 'POST',
    url: '/wallet/auth/login',
    access: { scope: 'wallet' },
    id: 'logIn',
    tag: 'Login',
    summary: 'Log in by password',
    description:
      'A wrong phone and a wrong password answer the same. Five failures in 15 minutes lock the phone for 15 minutes; a ' +
      'correct password does not open it.',
    body: PasswordLogin,
    answers: { 200: { description: 'Logged in.', schema: Login } },
    problems: [invalidCredentials, loginLocked],
    handler: (request) => logInByPassword(customers, request.body, request.caller.partnerId),
  });
