import { endpoint } from '#platform/http/endpoint.ts';
import { requestCode } from '../codes/request-code.ts';
import type { Customers } from '../customers.ts';
import { otpTooSoon } from '../problems.ts';
import { CodeOnItsWay, PhoneForm } from '../schemas.ts';

export const postWalletAuthOtp = (customers: Customers) =>
  endpoint({
    method: 'POST',
    url: '/wallet/auth/otp',
    access: { scope: 'wallet' },
    id: 'sendCode',
    tag: 'Login',
    summary: 'Send a login code',
    description:
      'Six digits by text message, good for 5 minutes and 5 tries; a new code replaces the one before. The answer is the same ' +
      'whether or not the phone is known. One a minute and five an hour for each phone.',
    body: PhoneForm,
    answers: { 202: { description: 'If the phone is known, a code is on its way.', schema: CodeOnItsWay } },
    problems: [otpTooSoon],
    handler: (request) => requestCode(customers, request.body.phone),
  });
