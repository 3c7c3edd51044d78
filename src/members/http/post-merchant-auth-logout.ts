import { logOut, RefreshForm, tokenPartnerMismatch } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import type { Members } from '../members.ts';

export const postMerchantAuthLogout = ({ signIn }: Members) =>
  endpoint('POST /merchant/auth/logout', {
    access: { scope: 'till' },
    id: 'logOutMember',
    summary: 'Log a member out',
    description:
      'Ends the session: its token and refresh token are refused from now on. A refresh token that is not known answers the same.',
    body: RefreshForm,
    answers: { 204: { description: 'The session is over.' } },
    problems: [tokenPartnerMismatch],
    handler: (request) => logOut(signIn, request.body.refresh_token, request.caller.partnerId),
  });
