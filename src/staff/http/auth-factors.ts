import { endpoint } from '#platform/http/endpoint.ts';
import { loginLocked } from '#platform/passwords/problems.ts';
import { auditContextFor } from '#platform/privacy/audit-trail.ts';
import {
  addPasskey,
  confirmTotp,
  createPasskeyOptions,
  listFactors,
  proposeTotp,
  removeFactor,
} from '../sign-in/factors.ts';
import { factorWrong, lastFactor, sessionNeeded } from '../sign-in/problems.ts';
import {
  CodeForm,
  FactorAdded,
  FactorParams,
  Factors,
  NewTotp,
  PasskeyForm,
  PasskeyOptions,
  PasskeyOptionsForm,
} from '../sign-in/schemas.ts';
import { requireSessionId } from '../sign-in/sessions.ts';
import type { StaffDeps } from '../staff.ts';

export const getAuthFactors = (deps: StaffDeps) =>
  endpoint('GET /auth/factors', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'listFactors',
    summary: 'List your second factors',
    responses: { 200: { description: 'The factors.', schema: Factors } },
    problems: [sessionNeeded],
    handler(request) {
      requireSessionId(request);
      return listFactors(deps, request.caller.staffUserId);
    },
  });

export const postAuthPasskeyOptions = (deps: StaffDeps) =>
  endpoint('POST /auth/passkey-options', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'askForPasskey',
    summary: 'Create passkey options',
    description: 'Returns the options with which a browser uses or creates a passkey.',
    body: PasskeyOptionsForm,
    responses: {
      200: { description: 'The options, with a challenge that works once.', schema: PasskeyOptions },
    },
    problems: [sessionNeeded],
    async handler(request) {
      const session = { userId: request.caller.staffUserId, sessionId: requireSessionId(request) };
      return { options: await createPasskeyOptions(deps, session, request.body.purpose) };
    },
  });

export const postAuthPasskeys = (deps: StaffDeps) =>
  endpoint('POST /auth/passkeys', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'addPasskey',
    summary: 'Add a passkey',
    description: 'Stores the passkey that the browser created with the options of `/auth/passkey-options`.',
    body: PasskeyForm,
    responses: { 200: { description: 'The passkey is active.', schema: FactorAdded } },
    problems: [sessionNeeded, factorWrong],
    async handler(request) {
      const session = { userId: request.caller.staffUserId, sessionId: requireSessionId(request) };
      const auditContext = auditContextFor(request, deps.clock.now());
      return { recovery_codes: await addPasskey(deps, session, request.body, auditContext) };
    },
  });

export const postAuthTotp = (deps: StaffDeps) =>
  endpoint('POST /auth/totp', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'proposeTotp',
    summary: 'Create a secret for one-time codes',
    description: 'It becomes active when `/auth/totp/confirm` receives one of its codes.',
    responses: { 200: { description: 'The secret.', schema: NewTotp } },
    problems: [sessionNeeded],
    handler(request) {
      return proposeTotp(deps, {
        userId: request.caller.staffUserId,
        sessionId: requireSessionId(request),
      });
    },
  });

export const deleteAuthFactorsId = (deps: StaffDeps) =>
  endpoint('DELETE /auth/factors/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'removeFactor',
    summary: 'Remove one of your second factors',
    description: 'In live mode the last one cannot be removed.',
    params: FactorParams,
    notFound: { en: 'There is no such second factor.', pt: 'Não há este segundo fator.' },
    responses: { 204: { description: 'The factor is removed.' } },
    problems: [sessionNeeded, lastFactor],
    async handler(request) {
      const session = { userId: request.caller.staffUserId, sessionId: requireSessionId(request) };
      const auditContext = auditContextFor(request, deps.clock.now());
      if (!(await removeFactor(deps, session, request.params.id, auditContext))) throw request.notFound();
    },
  });

export const postAuthTotpConfirm = (deps: StaffDeps) =>
  endpoint('POST /auth/totp/confirm', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'confirmTotp',
    summary: 'Activate one-time codes',
    body: CodeForm,
    responses: { 200: { description: 'One-time codes are active.', schema: FactorAdded } },
    problems: [sessionNeeded, factorWrong, loginLocked],
    async handler(request) {
      const session = { userId: request.caller.staffUserId, sessionId: requireSessionId(request) };
      const auditContext = auditContextFor(request, deps.clock.now());
      return { recovery_codes: await confirmTotp(deps, session, request.body.code, auditContext) };
    },
  });
