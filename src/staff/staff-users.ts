import type { Static } from 'typebox';
import {
  createPartner,
  ensureKey,
  findPartner,
  issueKey,
  listKeysOfStaffUser,
  type NewKeyInput,
  revokeKeyOfStaffUser,
  revokeKeysOfStaffUser,
  updateKeyRoles,
} from '#partners';
import type { Clock } from '#platform/clock.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { project } from '#platform/http/project.ts';
import { newId } from '#platform/ids.ts';
import { type AuditContext, type AuditEntity, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { defineProblem } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import { StaffKey, StaffUser } from './schemas.ts';
import { createInvitation, type StaffInvitation } from './sign-in/sign-in.ts';
import { OPERATOR_PARTNER, type StaffDeps } from './staff.ts';
import {
  findStaffUser,
  insertStaffUser,
  listAdminIds,
  lockStaffUsers,
  type StaffUserRow,
  updateStaffUser,
} from './store.ts';

export const lastAdmin = defineProblem({
  code: 'last_admin',
  status: 409,
  title: { en: 'The user is the last admin', pt: 'Este é o último administrador' },
  cause: 'Only admins can add staff users, so the last admin cannot be removed or lose the role.',
  remedy: 'Make another user an admin first.',
});

type StaffUserView = Static<typeof StaffUser>;

export const renderStaffUser = (user: StaffUserRow): StaffUserView => project(StaffUser, user);

export const staffUserAuditEntity: AuditEntity<StaffUserView> = {
  kind: 'staff',
  async read(tx, id) {
    await lockStaffUsers(tx);
    const user = await findStaffUser(tx, id);
    return user && renderStaffUser(user);
  },
};

type StaffUserInput = { name: string; role: Role };
type KeyOwner = StaffUserInput & { id: string };

/** Adds a staff user with an invitation. No later response contains the invitation URL. */
export async function addStaffUser(
  tx: Tx,
  { name, role }: StaffUserInput,
  invitationDeps: Pick<StaffDeps, 'vault' | 'inviteLink'>,
  auditContext: AuditContext,
): Promise<StaffUserView & StaffInvitation> {
  const { actor, now } = auditContext;
  const user = { id: newId('stf', now), name, role, created_at: now };
  await insertStaffUser(tx, user);
  const view = renderStaffUser({ ...user, email: null, removed_at: null });
  await recordAuditEntry(tx, auditContext, { kind: 'staff', id: user.id }, view);
  return { ...view, ...(await createInvitation(tx, invitationDeps, user.id, { invitedBy: actor.id, now })) };
}

/** Adds a demo user with an API key whose secret is published. Pages of every origin may use the key. */
export async function ensureStaffUser(
  tx: Tx,
  user: KeyOwner,
  context: { mode: 'sandbox'; clock: Clock; secret: string },
): Promise<void> {
  await insertStaffUser(tx, { ...user, created_at: context.clock.now() });
  const key = await prepareKeyInput(tx, user, user.name, context.clock);
  await ensureKey(tx, { ...key, allowed_origins: ['*'] }, context);
}

export async function changeStaffUser(
  tx: Tx,
  user: Pick<StaffUserView, 'id' | 'role'>,
  patch: Partial<StaffUserInput>,
): Promise<void> {
  if (patch.role !== undefined && patch.role !== 'admin') await assertAdminRemains(tx, user);
  await updateStaffUser(tx, user.id, patch);
  if (patch.role !== undefined) await updateKeyRoles(tx, user.id, patch.role);
}

/** Removes a staff user and revokes their keys. Their entries in the audit trail stay. */
export async function removeStaffUser(tx: Tx, user: Pick<StaffUserView, 'id' | 'role'>, now: Date) {
  await assertAdminRemains(tx, user);
  await updateStaffUser(tx, user.id, { removedAt: now });
  await revokeKeysOfStaffUser(tx, user.id, now);
}

async function assertAdminRemains(tx: Tx, { id, role }: Pick<StaffUserView, 'id' | 'role'>): Promise<void> {
  if (role !== 'admin') return;
  const adminIds = await listAdminIds(tx);
  if (adminIds.every((adminId) => adminId === id)) throw lastAdmin();
}

type StaffKeyView = Static<typeof StaffKey>;

export async function listOwnKeys(db: Queryable, staffUserId: string): Promise<StaffKeyView[]> {
  const rows = await listKeysOfStaffUser(db, staffUserId);
  return rows.map((row) => project(StaffKey, row));
}

/** Issues a key that acts as the staff user. No later response contains the secret. */
export async function addOwnKey(
  tx: Tx,
  staffUserId: string,
  { label }: { label: string },
  { auditContext, mode }: { auditContext: AuditContext; mode: Mode },
): Promise<StaffKeyView & { key: string }> {
  const owner = (await findStaffUser(tx, staffUserId))!;
  const clock = { now: () => auditContext.now };
  const { id, secret } = await issueKey(tx, await prepareKeyInput(tx, owner, label, clock), { mode, clock });
  const view = (await listOwnKeys(tx, staffUserId)).find((key) => key.id === id)!;
  await recordAuditEntry(tx, auditContext, { kind: 'key', id }, view);
  return { ...view, key: secret };
}

export async function revokeOwnKey(tx: Tx, staffUserId: string, id: string, auditContext: AuditContext) {
  if (!(await revokeKeyOfStaffUser(tx, { id, staffUserId }, auditContext.now))) return false;
  const auditedFields = { revoked_at: auditContext.now.toISOString() };
  await recordAuditEntry(tx, auditContext, { kind: 'key', id }, auditedFields);
  return true;
}

/** Builds the input for a key of a staff user. Such keys belong to the partner of the operator, which is created for the first key. */
async function prepareKeyInput(tx: Tx, owner: KeyOwner, label: string, clock: Clock): Promise<NewKeyInput> {
  const partnerId =
    (await createPartner(tx, OPERATOR_PARTNER, clock)) ?? (await findPartner(tx, OPERATOR_PARTNER))!.id;
  return { partner_id: partnerId, label, scopes: ['operator'], person_id: owner.id, role: owner.role };
}
