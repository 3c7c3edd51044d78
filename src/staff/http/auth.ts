import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { project } from '#platform/http/project.ts';
import { ListOf } from '#platform/http/schemas.ts';
import { invalidCredentials, loginLocked, passwordTooCommon } from '#platform/passwords/problems.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import {
  addPasskey,
  confirmTotp,
  createPasskeyOptions,
  listFactors,
  proposeTotp,
  removeFactor,
  verifySecondFactor,
} from '../sign-in/factors.ts';
import { emailTaken, factorWrong, inviteExpired, lastFactor, sessionNeeded } from '../sign-in/problems.ts';
import {
  AcceptInvitationForm,
  FactorAdded,
  FactorForm,
  FactorParams,
  Factors,
  FactorVerified,
  Invitation,
  InvitationForm,
  LoginForm,
  NewTotp,
  PasskeyForm,
  PasskeyOptions,
  PasskeyOptionsForm,
  SessionOpened,
  SessionParams,
  StaffSession,
  TotpForm,
} from '../sign-in/schemas.ts';
import { listOpenSessions, readBrowser, requireSession } from '../sign-in/sessions.ts';
import { acceptInvitation, findInvitation, logIn } from '../sign-in/sign-in.ts';
import { endSession, endSessions } from '../sign-in/store.ts';
import type { StaffDeps } from '../staff.ts';

export const postAuthAccept = (deps: StaffDeps) =>
  endpoint('POST /auth/accept', {
    access: 'open',
    id: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Sets the e-mail and the password. In live mode a second factor must be added before anything else.',
    body: AcceptInvitationForm,
    responses: { 200: { description: 'The session.', schema: SessionOpened } },
    problems: [inviteExpired, emailTaken, passwordTooCommon],
    handler: (request) =>
      acceptInvitation(deps, request.body, { browser: readBrowser(request), requestId: request.id }),
  });

export const postAuthInvitation = (deps: StaffDeps) =>
  endpoint('POST /auth/invitation', {
    access: 'open',
    id: 'readInvitation',
    summary: 'Read an invitation',
    description: 'Changes nothing. The token is sent in the body, so that it does not appear in access logs.',
    body: InvitationForm,
    responses: { 200: { description: 'The invited person.', schema: Invitation } },
    problems: [inviteExpired],
    async handler(request) {
      const { name, role, email, invite_expires_at } = await findInvitation(deps, request.body.token);
      return { name, role, email, expires_at: invite_expires_at!.toISOString() };
    },
  });

export const postAuthLogin = (deps: StaffDeps) =>
  endpoint('POST /auth/login', {
    access: 'open',
    id: 'signInStaff',
    summary: 'Sign in to the back office',
    description:
      'The session is a credential for the staff API with the role of the user, once `next` is `done`.',
    body: LoginForm,
    cli: { handwritten: 'login' },
    responses: { 200: { description: 'The session.', schema: SessionOpened } },
    problems: [invalidCredentials, loginLocked, rateLimited],
    handler: (request) => logIn(deps, request.body, { browser: readBrowser(request), requestId: request.id }),
  });

export const postAuthLogout = ({ db, clock }: StaffDeps) =>
  endpoint('POST /auth/logout', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'signOutStaff',
    summary: 'Sign out',
    cli: { handwritten: 'logout' },
    responses: { 204: { description: 'The session has ended, on every node.' } },
    problems: [sessionNeeded],
    async handler(request) {
      const { userId, sessionId } = requireSession(request);
      await db.transaction((tx) => endSession(tx, userId, sessionId, clock.now()));
    },
  });

export const postAuthSecondFactor = (deps: StaffDeps) =>
  endpoint('POST /auth/second-factor', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'giveSecondFactor',
    summary: 'Verify the second factor',
    description: 'Accepts a one-time code, a passkey or a recovery code.',
    body: FactorForm,
    cli: { handwritten: 'login' },
    responses: { 200: { description: 'The session is complete.', schema: FactorVerified } },
    problems: [sessionNeeded, factorWrong, loginLocked],
    async handler(request) {
      await verifySecondFactor(deps, requireSession(request), request.body);
      return { next: 'done' as const };
    },
  });

export const getAuthSessions = ({ db, clock }: StaffDeps) =>
  endpoint('GET /auth/sessions', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listStaffSessions',
    summary: 'List your sessions',
    responses: { 200: { description: 'The sessions, newest first.', schema: ListOf(StaffSession) } },
    problems: [sessionNeeded],
    async handler(request) {
      const { userId, sessionId } = requireSession(request);
      const rows = await listOpenSessions(db, userId, clock.now());
      return {
        data: rows.map((row) => ({ ...project(StaffSession, row), is_current: row.id === sessionId })),
      };
    },
  });

export const postAuthSessionsEnd = ({ db, clock }: StaffDeps) =>
  endpoint('POST /auth/sessions/end', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'endOtherStaffSessions',
    summary: 'End your other sessions',
    cli: { command: 'auth sessions end-others' },
    responses: { 204: { description: 'All sessions but the current one have ended, on every node.' } },
    problems: [sessionNeeded],
    async handler(request) {
      const { userId, sessionId } = requireSession(request);
      await db.transaction((tx) => endSessions(tx, userId, clock.now(), { skipId: sessionId }));
    },
  });

export const postAuthSessionsIdEnd = ({ db, clock }: StaffDeps) =>
  endpoint('POST /auth/sessions/:id/end', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'endStaffSession',
    summary: 'End one of your sessions',
    params: SessionParams,
    notFound: { en: 'No open session has this id.', pt: 'Nenhuma sessão aberta tem este id.' },
    responses: { 204: { description: 'The session has ended, on every node.' } },
    problems: [sessionNeeded],
    async handler(request) {
      const { userId } = requireSession(request);
      const isEnded = await db.transaction((tx) => endSession(tx, userId, request.params.id, clock.now()));
      if (!isEnded) throw request.notFound();
    },
  });

export const getAuthFactors = (deps: StaffDeps) =>
  endpoint('GET /auth/factors', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'listFactors',
    summary: 'List your second factors',
    responses: { 200: { description: 'The factors.', schema: Factors } },
    problems: [sessionNeeded],
    handler: (request) => listFactors(deps, requireSession(request).userId),
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
      return { options: await createPasskeyOptions(deps, requireSession(request), request.body.purpose) };
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
      const session = requireSession(request);
      const auditContext = createAuditContext(request, deps.clock.now());
      return { recovery_codes: await addPasskey(deps, session, request.body, auditContext) };
    },
  });

export const postAuthTotp = (deps: StaffDeps) =>
  endpoint('POST /auth/totp', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'proposeTotp',
    summary: 'Create a secret for one-time codes',
    description: 'The secret becomes active when `/auth/totp/confirm` receives one of its codes.',
    responses: { 200: { description: 'The secret.', schema: NewTotp } },
    problems: [sessionNeeded],
    handler: (request) => proposeTotp(deps, requireSession(request)),
  });

export const postAuthTotpConfirm = (deps: StaffDeps) =>
  endpoint('POST /auth/totp/confirm', {
    access: { scope: 'operator', role: 'viewer', allowsUnverifiedSession: true },
    id: 'confirmTotp',
    summary: 'Activate one-time codes',
    body: TotpForm,
    responses: { 200: { description: 'One-time codes are active.', schema: FactorAdded } },
    problems: [sessionNeeded, factorWrong, loginLocked],
    async handler(request) {
      const session = requireSession(request);
      const auditContext = createAuditContext(request, deps.clock.now());
      return { recovery_codes: await confirmTotp(deps, session, request.body.code, auditContext) };
    },
  });

export const deleteAuthFactorsId = (deps: StaffDeps) =>
  endpoint('DELETE /auth/factors/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'removeFactor',
    summary: 'Remove one of your second factors',
    description: 'In live mode the last factor cannot be removed.',
    params: FactorParams,
    notFound: { en: 'There is no such second factor.', pt: 'Não há este segundo fator.' },
    responses: { 204: { description: 'The factor is removed.' } },
    problems: [sessionNeeded, lastFactor],
    async handler(request) {
      const session = requireSession(request);
      const auditContext = createAuditContext(request, deps.clock.now());
      if (!(await removeFactor(deps, session, request.params.id, auditContext))) throw request.notFound();
    },
  });
