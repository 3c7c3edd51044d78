import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { requestCode } from '../codes/request-code.ts';
import type { Customers } from '../customers.ts';
import { otpTooSoon, phoneNotSupported } from '../problems.ts';
import { CodeOnItsWay, PhoneForm } from '../schemas.ts';

export const postWalletAuthOtp = (customers: Customers) =>
  endpoint('POST /wallet/auth/otp', {
    access: { scope: 'wallet' },
    id: 'sendCode',
    summary: 'Send a login code',
    description:
      'Six digits by text message, good for 5 minutes and 5 tries, and only together with the `challenge_id` of the answer. ' +
      'The answer is the same whether or not the phone is known: a stranger gets a code too, to sign up with. At most 3 codes of ' +
      'a phone are good at a time. One a minute and 5 an hour for a phone from one address, 10 an hour for a phone, 30 an hour ' +
      'from an address; to mobile numbers only.',
    headers: clientIpHeader,
    body: PhoneForm,
    answers: { 202: { description: 'A code is on its way.', schema: CodeOnItsWay } },
    problems: [otpTooSoon, rateLimited, phoneNotSupported],
    handler: (request) => requestCode(customers, request.body.phone, request.caller),
  });
