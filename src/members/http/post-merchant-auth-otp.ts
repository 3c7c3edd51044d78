import { CodeOnItsWay, otpTooSoon, PhoneForm, phoneNotSupported, requestCode } from '#customers';
import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Members } from '../members.ts';

export const postMerchantAuthOtp = ({ signIn }: Members) =>
  endpoint('POST /merchant/auth/otp', {
    access: { scope: 'till' },
    id: 'sendMemberCode',
    summary: 'Send a login code to a member of a merchant',
    description:
      'As for customers, with codes and limits of their own. The answer is the same whether or not the phone is a member’s.',
    headers: clientIpHeader,
    body: PhoneForm,
    answers: { 202: { description: 'A code is on its way.', schema: CodeOnItsWay } },
    problems: [otpTooSoon, rateLimited, phoneNotSupported],
    handler: (request) => requestCode(signIn, request.body.phone, request.caller),
  });
