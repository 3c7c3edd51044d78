import { Type } from 'typebox';
import { clientIpHeader, deviceHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { idempotency, toIdempotentRequest } from '#platform/http/idempotency.ts';
import {
  CodeChallenge,
  CodeLogin,
  Login,
  NewPassword,
  PasswordLogin,
  PhoneCheck,
  PhoneForm,
  RefreshForm,
  SignUpForm,
} from '../auth-schemas.ts';
import { requestCode } from '../codes/codes.ts';
import type { CustomersDeps } from '../customers.ts';
import { buildLoginResponse, checkPhone, logInByCode, logInByPassword, setPassword } from '../log-in.ts';
import {
  cpfRegistered,
  invalidCredentials,
  loginLocked,
  notRegistered,
  otpTooSoon,
  passwordTooCommon,
  phoneNotSupported,
  phoneRegistered,
  referralCodeUnknown,
  tokenExpired,
  tokenInvalid,
  tokenPartnerMismatch,
  underage,
} from '../problems.ts';
import { logOut, refreshSession } from '../sessions/sessions.ts';
import { signUp } from '../sign-up.ts';

const callerHeaders = Type.Object({ ...clientIpHeader.properties, ...deviceHeader.properties });

export const postWalletAuthLogin = (deps: CustomersDeps) =>
  endpoint('POST /wallet/auth/login', {
    access: { scope: 'wallet' },
    id: 'logIn',
    summary: 'Log in with a password',
    description:
      'An unknown phone and a wrong password get the same response. Five failures in 15 minutes for a phone from one IP address lock ' +
      'that combination for 15 minutes; twenty failures from any address lock password login for the phone. During a lock the ' +
      'correct password is refused too, but a login by code works. Limit: 30 failures a minute from one IP address.',
    headers: callerHeaders,
    body: PasswordLogin,
    responses: { 200: { description: 'A new session.', schema: Login } },
    problems: [invalidCredentials, loginLocked, rateLimited],
    handler: (request) => logInByPassword(deps, request.body, request.caller),
  });

export const postWalletAuthLogout = (deps: CustomersDeps) =>
  endpoint('POST /wallet/auth/logout', {
    access: { scope: 'wallet' },
    id: 'logOut',
    summary: 'Log out',
    description:
      'Ends the session: its token and refresh token are refused from now on. An unknown refresh token gets the same response.',
    body: RefreshForm,
    responses: { 204: { description: 'The session has ended.' } },
    problems: [tokenPartnerMismatch],
    handler: ({ body, caller }) => logOut(deps, body, caller),
  });

export const postWalletAuthOtp = (deps: CustomersDeps) =>
  endpoint('POST /wallet/auth/otp', {
    access: { scope: 'wallet' },
    id: 'sendCode',
    summary: 'Send a login code',
    description:
      'Sends six digits by text message. A code is valid for 5 minutes and 5 attempts, and only with the `challenge_id` of the ' +
      'response. The response is the same for unregistered phones, which get a code to sign up with. A phone has at most 3 valid ' +
      'codes at a time. Limits: 1 a minute and 5 an hour for a phone from one IP address, 10 an hour for a phone, 30 an hour from an ' +
      'IP address. Only mobile numbers get codes.',
    headers: callerHeaders,
    body: PhoneForm,
    responses: { 202: { description: 'The code is being sent.', schema: CodeChallenge } },
    problems: [otpTooSoon, rateLimited, phoneNotSupported],
    handler: (request) => requestCode(deps, request.body.phone, request.caller),
  });

export const postWalletAuthPassword = (deps: CustomersDeps) =>
  endpoint('POST /wallet/auth/password', {
    access: { scope: 'wallet' },
    id: 'setPassword',
    summary: 'Set a password with a code',
    description:
      'Sets or replaces the password. All sessions of the customer end: log in again. A password that is too easy to guess is ' +
      'refused, and the code stays valid.',
    headers: clientIpHeader,
    body: NewPassword,
    responses: { 204: { description: 'The password is set.' } },
    problems: [invalidCredentials, notRegistered, passwordTooCommon, rateLimited],
    handler: (request) => setPassword(deps, request.body, request.caller),
  });

export const postWalletAuthPhoneCheck = (deps: CustomersDeps) =>
  endpoint('POST /wallet/auth/phone-check', {
    access: { scope: 'wallet' },
    id: 'checkPhone',
    summary: 'Check a phone',
    description:
      'Returns whether a customer has the phone, and how they can log in. Limits: 10 a minute for a phone, 30 a minute from an IP address.',
    headers: callerHeaders,
    body: PhoneForm,
    responses: { 200: { description: 'The login methods of the phone.', schema: PhoneCheck } },
    problems: [rateLimited],
    handler: (request) => checkPhone(deps, request.body.phone, request.caller),
  });

export const postWalletAuthRefresh = (deps: CustomersDeps) =>
  endpoint('POST /wallet/auth/refresh', {
    access: { scope: 'wallet' },
    id: 'refresh',
    summary: 'Refresh the tokens',
    description:
      'A refresh token works once and is valid for 30 days; the response has the next one. Using a refresh token twice ends the ' +
      'session and invalidates its tokens: do not send the same token from two places, and do not retry unless you know that the ' +
      'request failed. A retry with the same `Idempotency-Key` is safe: it returns the same refresh token, until that one is used.',
    // Not `idempotent`: no response is stored; the next refresh token is derived from the key.
    headers: Type.Object({ ...idempotency.header.properties, ...clientIpHeader.properties }),
    body: RefreshForm,
    responses: {
      200: {
        description: 'The new tokens.',
        schema: Login,
        headers: {
          'Idempotency-Replayed':
            '`true` if an earlier request with the same key returned this refresh token.',
        },
      },
    },
    problems: [tokenInvalid, tokenExpired, tokenPartnerMismatch],
    handler: async (request, reply) => buildLoginResponse(deps, await refreshSession(deps, request, reply)),
  });

export const postWalletAuthSignup = (deps: CustomersDeps) =>
  endpoint('POST /wallet/auth/signup', {
    access: { scope: 'wallet' },
    id: 'signUp',
    summary: 'Sign up with a code',
    description:
      'Registers a customer with an unregistered phone and logs them in. A wrong code gets the same response as in a login by code; ' +
      'nothing is revealed before the code is correct. A later refusal leaves the code valid: correct the field and send the ' +
      'request again. `referral_code` is the code of the customer who invited this one. `terms` is stored with the time and the IP ' +
      'address. Limits: 20 refused sign-ups an hour for a phone, 60 from an IP address. The operator limits the sign-ups a day from ' +
      'one IP address. The credit policy decides on the first credit limit.',
    idempotent: true,
    headers: callerHeaders,
    body: SignUpForm,
    ignoresEmptyTexts: true,
    responses: {
      201: { description: 'A session of the new customer.', schema: Login },
    },
    problems: [
      invalidCredentials,
      phoneRegistered,
      cpfRegistered,
      underage,
      passwordTooCommon,
      referralCodeUnknown,
      rateLimited,
    ],
    async handler(request, reply) {
      const { clock, vault } = deps;
      // A keyed hash, because CPF, code and password could be guessed from a plain one.
      const fingerprint = vault.hash('request', JSON.stringify(request.body)).toString('base64');
      const idempotentRequest = toIdempotentRequest(request, clock.now(), fingerprint);
      const { login, replayed } = await signUp(deps, request.body, request.caller, idempotentRequest);
      if (replayed) reply.header('idempotency-replayed', 'true');
      return login;
    },
  });

export const postWalletAuthOtpLogin = (deps: CustomersDeps) =>
  endpoint('POST /wallet/auth/otp/login', {
    access: { scope: 'wallet' },
    id: 'logInByCode',
    summary: 'Log in with a code',
    description:
      'A code works once, with the `challenge_id` it was sent for. After five wrong attempts it is invalid. With the correct code of ' +
      'an unregistered phone the response is 409 `not_registered`, and the code can still be used to sign up. Limit: 30 failed logins ' +
      'a minute from one IP address.',
    headers: callerHeaders,
    body: CodeLogin,
    responses: { 200: { description: 'A new session.', schema: Login } },
    problems: [invalidCredentials, notRegistered, rateLimited],
    handler: (request) => logInByCode(deps, request.body, request.caller),
  });
