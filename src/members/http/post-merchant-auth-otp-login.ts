import { invalidCredentials } from '#customers';
import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Members } from '../members.ts';
import { MemberCodeLogin, MemberLogin } from '../schemas.ts';
import { logInMember } from '../sign-in.ts';

export const postMerchantAuthOtpLogin = (members: Members) =>
  endpoint('POST /merchant/auth/otp/login', {
    access: { scope: 'till' },
    id: 'logInMember',
    summary: 'Log a member of a merchant in by code',
    description:
      'For the merchant named, or for the one of which the phone has been a member the longest. A phone that is nobody’s member is ' +
      'answered as a wrong code is.',
    headers: clientIpHeader,
    body: MemberCodeLogin,
    answers: { 200: { description: 'Logged in.', schema: MemberLogin } },
    problems: [invalidCredentials, rateLimited],
    handler: (request) => logInMember(members, request.body, request.caller),
  });
