import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { invalidCredentials, loginLocked, passwordTooCommon } from '#platform/passwords/problems.ts';
import { verifySecondFactor } from '../sign-in/factors.ts';
import { acceptInvitation, findInvitation } from '../sign-in/invite.ts';
import { logIn } from '../sign-in/log-in.ts';
import { emailTaken, factorWrong, inviteExpired, sessionNeeded } from '../sign-in/problems.ts';
import {
  AcceptForm,
  FactorForm,
  FactorVerified,
  Invitation,
  InvitationForm,
  LoginForm,
  SessionOpened,
} from '../sign-in/schemas.ts';
import { readBrowser, requireSessionId } from '../sign-in/sessions.ts';
import { endSession } from '../sign-in/store.ts';
import type { StaffDeps } from '../staff.ts';

export const postAuthAccept = (deps: StaffDeps) =>
  endpoint('POST /auth/accept', {
    access: 'open',
    id: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Sets the e-mail and the password. In live mode a second factor must be added before anything else.',
    body: AcceptForm,
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
      const id = requireSessionId(request);
      await db.transaction((tx) => endSession(tx, request.caller.staffUserId, id, clock.now()));
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
      const session = { userId: request.caller.staffUserId, sessionId: requireSessionId(request) };
      await verifySecondFactor(deps, session, request.body);
      return { next: 'done' as const };
    },
  });
