import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { invalidCredentials } from '../problems.ts';
import { NewPassword } from '../schemas.ts';
import { setPassword } from '../set-password.ts';

export const postWalletAuthPassword = (customers: Customers) =>
  endpoint({
    method: 'POST',
    url: '/wallet/auth/password',
    access: { scope: 'wallet' },
    id: 'setPassword',
    tag: 'Login',
    summary: 'Set a password with a code',
    description: 'Sets the first password or another one. All sessions of the customer end: log in again.',
    body: NewPassword,
    answers: { 204: { description: 'The password is set.' } },
    problems: [invalidCredentials],
    handler: (request) => setPassword(customers, request.body),
  });
