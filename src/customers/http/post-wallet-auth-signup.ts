import { Type } from 'typebox';
import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { attemptOf, idempotency } from '#platform/http/idempotency.ts';
import {
  cpfRegistered,
  invalidCredentials,
  passwordTooCommon,
  phoneRegistered,
  referralCodeUnknown,
  underage,
} from '../problems.ts';
import type { RegistrationDeps } from '../register-customer.ts';
import { deviceHeader, Login, SignUpForm } from '../schemas.ts';
import { signUp } from '../sign-up.ts';

export const postWalletAuthSignup = (deps: RegistrationDeps) =>
  endpoint('POST /wallet/auth/signup', {
    access: { scope: 'wallet' },
    id: 'signUp',
    summary: 'Sign up with a code',
    description:
      'Makes a customer of who has the code of a phone that nobody has registered, and logs them in. A wrong code answers as at ' +
      'the login by code, and nothing of anybody is told before it is right. What is refused after that leaves the code as it ' +
      'was: correct the field and send it again. With the referral code of a customer, that one has invited this one. `terms` is ' +
      'kept with the instant and the address. 20 sign-ups an hour may be refused for a phone, 60 from an address. ' +
      'How many may sign up from one address in a day is set by the operator. The first limit is decided by the credit policy.',
    headers: Type.Object({
      ...idempotency.header.properties,
      ...clientIpHeader.properties,
      ...deviceHeader.properties,
    }),
    body: SignUpForm,
    answers: {
      201: { description: 'The customer, logged in.', schema: Login, headers: idempotency.replayed },
    },
    problems: [
      ...idempotency.problems,
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
      const device = request.headers['x-device'] ?? null;
      // Keyed: from a plain hash CPF, code and password could be guessed.
      const fingerprint = vault.hash('request', JSON.stringify(request.body)).toString('base64');
      const attempt = attemptOf(request, clock.now(), fingerprint);
      const { login, replayed } = await signUp(deps, request.body, { ...request.caller, device }, attempt);
      if (replayed) reply.header('idempotency-replayed', 'true');
      return login;
    },
  });
