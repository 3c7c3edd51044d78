import { Type } from 'typebox';
import type { Role } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { Id } from '#platform/http/schemas.ts';
import { auditContextFor } from '#platform/privacy/audit-trail.ts';
import { NewStaffKey, StaffKey, StaffKeyForm } from '../schemas.ts';
import { sessionNeeded } from '../sign-in/problems.ts';
import { StaffMe } from '../sign-in/schemas.ts';
import { requireSessionId } from '../sign-in/sessions.ts';
import { findCredentials } from '../sign-in/store.ts';
import type { StaffDeps } from '../staff.ts';
import { addOwnKey, listOwnKeys, revokeOwnKey } from '../staff-keys.ts';

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
      'Oldest first, without revoked keys. An admin sees the keys of all users in `GET /admin/keys`.',
    responses: { 200: { description: 'The keys.', schema: Type.Object({ data: Type.Array(StaffKey) }) } },
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
    headers: idempotency.header,
    body: StaffKeyForm,
    cli: { prints: ['key'], done: 'Key {id} issued. Store it now: it is not returned again.' },
    responses: {
      201: { description: 'The key.', schema: NewStaffKey, headers: idempotency.responseHeaders },
    },
    problems: [...idempotency.problems, sessionNeeded],
    async handler(request, reply) {
      if (deps.mode === 'live') requireSessionId(request);
      const now = deps.clock.now();
      const auditContext = auditContextFor(request, now);
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
      const auditContext = auditContextFor(request, clock.now());
      const { id } = request.params;
      const isRevoked = await db.transaction((tx) =>
        revokeOwnKey(tx, request.caller.staffUserId, id, auditContext),
      );
      if (!isRevoked) throw request.notFound();
    },
  });
