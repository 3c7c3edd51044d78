import { Type } from 'typebox';
import type { Role } from '#platform/http/access.ts';
import { listChanges } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Id, ListOf, Text } from '#platform/http/schemas.ts';
import {
  createAuditContext,
  preconditionProblems,
  updateForStaff,
  withAuditedResult,
} from '#platform/privacy/audit-trail.ts';
import {
  InvitationLink,
  NewStaffKey,
  NewStaffUser,
  StaffKey,
  StaffKeyForm,
  StaffUser,
  StaffUserForm,
  StaffUserPatch,
  staffUserResource,
} from '../schemas.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { StaffMe } from '../sign-in/schemas.ts';
import { requireSession } from '../sign-in/sessions.ts';
import { createInvitation } from '../sign-in/sign-in.ts';
import { findCredentials } from '../sign-in/store.ts';
import type { StaffDeps } from '../staff.ts';
import {
  addOwnKey,
  addStaffUser,
  changeStaffUser,
  lastAdmin,
  listOwnKeys,
  removeStaffUser,
  renderStaffUser,
  revokeOwnKey,
  staffUserAuditEntity,
} from '../staff-users.ts';
import { findStaffUser, listStaffUsers } from '../store.ts';

export const getAdminMe = ({ db }: StaffDeps) =>
  endpoint('GET /admin/me', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getStaffMe',
    summary: 'Get the current staff user',
    responses: { 200: { description: 'The staff user of the key or session.', schema: StaffMe } },
    async handler({ caller }) {
      const user = await findCredentials(db, caller.staffUserId);
      const role = caller.role as Role;
      return { id: caller.staffUserId, name: user?.name ?? '', role, email: user?.email ?? null };
    },
  });

export const getAdminMeKeys = ({ db }: StaffDeps) =>
  endpoint('GET /admin/me/keys', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listOwnKeys',
    summary: 'List your API keys',
    description:
      'Lists your keys, oldest first, without revoked keys. An admin sees the keys of all users in `GET /admin/keys`.',
    responses: { 200: { description: 'The keys.', schema: ListOf(StaffKey) } },
    async handler({ caller }) {
      return { data: await listOwnKeys(db, caller.staffUserId) };
    },
  });

export const postAdminMeKeys = (deps: StaffDeps) =>
  endpoint('POST /admin/me/keys', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'createOwnKey',
    summary: 'Create an API key for your scripts',
    description:
      'The key acts as you, with your role, and the audit trail records its use under your name. The response is the only one with the ' +
      'secret. In live mode a key cannot create another one: sign in first.',
    idempotent: true,
    body: StaffKeyForm,
    cli: { prints: ['key'], done: 'Key {id} issued. Store it now: it is not returned again.' },
    responses: { 201: { description: 'The key.', schema: NewStaffKey } },
    problems: [sessionNeeded],
    async handler(request, reply) {
      if (deps.mode === 'live') requireSession(request);
      const now = deps.clock.now();
      const auditContext = createAuditContext(request, now);
      return createOnce(deps.db, { request, reply, now }, (tx) =>
        addOwnKey(tx, request.caller.staffUserId, request.body, { auditContext, mode: deps.mode }),
      );
    },
  });

export const deleteAdminMeKeysId = ({ db, clock }: StaffDeps) =>
  endpoint('DELETE /admin/me/keys/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'revokeOwnKey',
    summary: 'Revoke one of your API keys',
    description: 'Takes effect on every node within a second.',
    params: Type.Object({ id: Id('key', { description: 'The key.' }) }),
    notFound: { en: 'You have no key with this id.', pt: 'Você não tem uma chave com este id.' },
    responses: { 204: { description: 'The key is revoked.' } },
    async handler(request) {
      const auditContext = createAuditContext(request, clock.now());
      const { id } = request.params;
      const isRevoked = await db.transaction((tx) =>
        revokeOwnKey(tx, request.caller.staffUserId, id, auditContext),
      );
      if (!isRevoked) throw request.notFound();
    },
  });

export const getAdminStaff = ({ db }: StaffDeps) =>
  endpoint('GET /admin/staff', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listStaff',
    summary: 'List staff users',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(Text(100, { description: 'Text in the name.' })),
      removed: Type.Enum(['true', 'false'], { default: 'false', description: 'Include removed users.' }),
    }),
    responses: listResponse('A page of staff users, by name.', StaffUser),
    handler(request, reply) {
      const { q, removed } = request.query;
      const filter = { q, includeRemoved: removed === 'true' };
      return respondWithPages({ request, reply }, (range) => listStaffUsers(db, { ...filter, ...range }), {
        item: StaffUser,
        render: (rows) => rows.map(renderStaffUser),
      });
    },
  });

/** The roles that pay out money or add staff users. Giving a person such a role requires an approval. */
const MONEY_ROLES: readonly Role[] = ['finance', 'admin'];

export const postAdminStaff = (deps: StaffDeps) =>
  endpoint('POST /admin/staff', {
    access: { scope: 'operator', role: 'admin' },
    id: 'addStaffMember',
    summary: 'Add a staff user',
    description:
      '`invite_url` lets the user sign in to the back office; it works once, for 48 hours. No key is issued: once signed in, users create ' +
      'keys for their scripts with `POST /admin/me/keys`.',
    idempotent: true,
    body: StaffUserForm,
    cli: {
      confirm: false,
      prints: ['invite_url'],
      done: '{name} is added as {role}, id {id}. The invitation to the back office works once, for 48 hours.',
    },
    responses: { 201: { description: 'The staff user, with the invitation.', schema: NewStaffUser } },
    approval: {
      kind: 'staff_role',
      async describe({ body: { name, role } }) {
        if (!MONEY_ROLES.includes(role)) return undefined;
        return {
          amount: null,
          // The staff user has no id before the approval.
          subject: { kind: 'staff', id: name, name },
          change: listChanges({}, { name, role }),
        };
      },
    },
    async handler(request, reply) {
      const now = deps.clock.now();
      const auditContext = createAuditContext(request, now);
      return createOnce(deps.db, { request, reply, now }, (tx) =>
        addStaffUser(tx, request.body, deps, auditContext),
      );
    },
  });

export const getAdminStaffId = ({ db }: StaffDeps) =>
  endpoint('GET /admin/staff/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getStaffMember',
    summary: 'Get a staff user',
    ...staffUserResource,
    approvalOf: { kind: 'staff', idField: 'id' },
    responses: { 200: { description: 'The staff user.', schema: StaffUser, etag: true } },
    async handler(request) {
      const user = await findStaffUser(db, request.params.id);
      return user && renderStaffUser(user);
    },
  });

export const patchAdminStaffId = (deps: StaffDeps) =>
  endpoint('PATCH /admin/staff/:id', {
    access: { scope: 'operator', role: 'admin' },
    id: 'changeStaffMember',
    summary: 'Change a staff user',
    description:
      'Changes the name or the role, on every node within a second. The last admin must stay an admin.',
    ...staffUserResource,
    headers: ifMatchHeader,
    body: StaffUserPatch,
    cli: { confirm: false, done: '{name} is {role}.' },
    responses: { 200: { description: 'The staff user.', schema: StaffUser, etag: true } },
    approval: {
      kind: 'staff_role',
      fields: ['role'],
      async describe({ params: { id }, body: { role } }) {
        const user = await findStaffUser(deps.db, id);
        if (!user || role === undefined || role === user.role || !MONEY_ROLES.includes(role))
          return undefined;
        return {
          amount: null,
          subject: { kind: 'staff', id, name: user.name },
          change: listChanges({ role: user.role }, { role }),
        };
      },
    },
    problems: [...preconditionProblems, lastAdmin],
    handler(request) {
      const { id } = request.params;
      const target = { entity: staffUserAuditEntity, id, ifMatch: request.headers['if-match'] };
      return updateForStaff(deps, request, target, (tx, _now, before) =>
        changeStaffUser(tx, before, request.body),
      );
    },
  });

export const deleteAdminStaffId = (deps: StaffDeps) =>
  endpoint('DELETE /admin/staff/:id', {
    access: { scope: 'operator', role: 'admin' },
    id: 'removeStaffMember',
    summary: 'Remove a staff user',
    description:
      'Their keys are revoked on every node within a second. Their entries in the audit trail stay.',
    ...staffUserResource,
    responses: { 204: { description: 'The user is removed.' } },
    problems: [lastAdmin],
    async handler(request) {
      const target = { entity: staffUserAuditEntity, id: request.params.id };
      const removedUser = await updateForStaff(deps, request, target, (tx, now, before) =>
        removeStaffUser(tx, before, now),
      );
      if (!removedUser) throw request.notFound();
    },
  });

export const postAdminStaffIdInvite = (deps: StaffDeps) =>
  endpoint('POST /admin/staff/:id/invite', {
    access: { scope: 'operator', role: 'admin' },
    id: 'inviteStaffMember',
    summary: 'Invite a staff user again',
    description:
      'For a user who has lost the password or the second factor: revokes both and ends all sessions. API keys stay valid. The URL works once, for 48 hours.',
    ...staffUserResource,
    responses: { 201: { description: 'The invitation.', schema: InvitationLink } },
    async handler(request) {
      const { id } = request.params;
      const now = deps.clock.now();
      const auditContext = createAuditContext(request, now);
      const invitation = await deps.db.transaction((tx) =>
        withAuditedResult(tx, auditContext, { entity: staffUserAuditEntity, id }, async ({ removed_at }) =>
          removed_at === null
            ? createInvitation(tx, deps, id, { invitedBy: request.caller.staffUserId, now })
            : undefined,
        ),
      );
      return invitation?.result;
    },
  });
