import { Type } from 'typebox';
import {
  CodeChallenge,
  invalidCredentials,
  logOut,
  otpTooSoon,
  PhoneForm,
  phoneNotSupported,
  RefreshForm,
  refreshSession,
  requestCode,
  tokenExpired,
  tokenInvalid,
  tokenPartnerMismatch,
} from '#customers';
import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { notFound } from '#platform/problem.ts';
import type { MembersDeps } from '../members.ts';
import { MemberCodeLogin, MemberLogin, SwitchForm } from '../schemas.ts';
import { buildMemberLoginResponse, logInMember, switchMerchant } from '../sign-in.ts';

export const postMerchantAuthLogout = ({ signIn }: MembersDeps) =>
  endpoint('POST /merchant/auth/logout', {
    access: { scope: 'till' },
    id: 'logOutMember',
    summary: 'Log out a member',
    description:
      'Ends the session: its token and refresh token are refused from now on. An unknown refresh token gets the same response.',
    body: RefreshForm,
    responses: { 204: { description: 'The session has ended.' } },
    problems: [tokenPartnerMismatch],
    handler: ({ body, caller }) => logOut(signIn, body, caller),
  });

export const postMerchantAuthOtp = ({ signIn }: MembersDeps) =>
  endpoint('POST /merchant/auth/otp', {
    access: { scope: 'till' },
    id: 'sendMemberCode',
    summary: 'Send a login code to a member',
    description:
      'Works as for customers, with separate codes and limits. The response is the same whether or not a member has the phone.',
    headers: clientIpHeader,
    body: PhoneForm,
    responses: { 202: { description: 'The code is being sent.', schema: CodeChallenge } },
    problems: [otpTooSoon, rateLimited, phoneNotSupported],
    handler: (request) => requestCode(signIn, request.body.phone, request.caller),
  });

export const postMerchantAuthRefresh = (deps: MembersDeps) =>
  endpoint('POST /merchant/auth/refresh', {
    access: { scope: 'till' },
    id: 'refreshMember',
    summary: 'Refresh the tokens of a member',
    description: 'Works as for customers: a refresh token works once, and using it twice ends the session.',
    headers: Type.Object({ ...idempotency.header.properties, ...clientIpHeader.properties }),
    body: RefreshForm,
    responses: {
      200: { description: 'The new tokens.', schema: MemberLogin, headers: idempotency.responseHeaders },
    },
    problems: [tokenInvalid, tokenExpired, tokenPartnerMismatch],
    handler: async (request, reply) =>
      buildMemberLoginResponse(deps, await refreshSession(deps.signIn, request, reply)),
  });

export const postMerchantAuthSwitch = (deps: MembersDeps) =>
  endpoint('POST /merchant/auth/switch', {
    access: { scope: 'till', memberRole: 'clerk' },
    id: 'switchMerchant',
    summary: 'Switch to another merchant',
    description: 'Logs in the same person as a member of another merchant. The current session ends.',
    body: SwitchForm,
    notFound: {
      en: 'You are not a member of a merchant with this slug.',
      pt: 'Você não faz parte de uma loja com este slug.',
    },
    responses: { 200: { description: 'A session for the other merchant.', schema: MemberLogin } },
    problems: [notFound],
    handler: (request) => switchMerchant(deps, request.body.merchant, request.caller),
  });

export const postMerchantAuthOtpLogin = (deps: MembersDeps) =>
  endpoint('POST /merchant/auth/otp/login', {
    access: { scope: 'till' },
    id: 'logInMember',
    summary: 'Log in a member with a code',
    description:
      'Logs in to the given merchant, or by default to the merchant of the oldest membership. A phone without a membership gets the ' +
      'same response as a wrong code.',
    headers: clientIpHeader,
    body: MemberCodeLogin,
    responses: { 200: { description: 'A new session.', schema: MemberLogin } },
    problems: [invalidCredentials, rateLimited],
    handler: (request) => logInMember(deps, request.body, request.caller),
  });
