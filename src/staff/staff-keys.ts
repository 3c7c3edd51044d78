import type { Static } from 'typebox';
import {
  createPartner,
  ensureKey,
  findPartner,
  issueKey,
  listKeysOfStaffUser,
  type NewKeyInput,
  revokeKeyOfStaffUser,
} from '#partners';
import type { Clock } from '#platform/clock.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { project } from '#platform/http/project.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { Mode } from '#platform/settings.ts';
import { StaffKey } from './schemas.ts';
import { OPERATOR_PARTNER } from './staff.ts';
import { findStaffUser } from './store.ts';

type KeyOwner = { id: string; name: string; role: Role };

type StaffKeyView = Static<typeof StaffKey>;

export async function listOwnKeys(db: Queryable, staffUserId: string): Promise<StaffKeyView[]> {
  const rows = await listKeysOfStaffUser(db, staffUserId);
  return rows.map((row) => project(StaffKey, row));
}

/** Issues a key that acts as the staff user. The secret is returned only here. */
export async function addOwnKey(
  tx: Tx,
  staffUserId: string,
  { label }: { label: string },
  { auditContext, mode }: { auditContext: AuditContext; mode: Mode },
): Promise<StaffKeyView & { key: string }> {
  const owner = (await findStaffUser(tx, staffUserId))!;
  const clock = { now: () => auditContext.now };
  const { id, secret } = await issueKey(tx, await buildKeyInput(tx, { owner, label }, clock), {
    mode,
    clock,
  });
  const view = (await listOwnKeys(tx, staffUserId)).find((key) => key.id === id)!;
  await recordAuditEntry(tx, auditContext, { kind: 'key', id }, view);
  return { ...view, key: secret };
}

/** Returns false if the staff user has no such key. */
export async function revokeOwnKey(
  tx: Tx,
  staffUserId: string,
  id: string,
  auditContext: AuditContext,
): Promise<boolean> {
  if (!(await revokeKeyOfStaffUser(tx, { id, staffUserId }, auditContext.now))) return false;
  await recordAuditEntry(
    tx,
    auditContext,
    { kind: 'key', id },
    { revoked_at: auditContext.now.toISOString() },
  );
  return true;
}

/** Gives a demo user a published key. Sandbox only. */
export async function ensureDemoKey(
  tx: Tx,
  owner: KeyOwner,
  context: { mode: 'sandbox'; clock: Clock; secret: string },
): Promise<void> {
  const key = await buildKeyInput(tx, { owner, label: owner.name }, context.clock);
  await ensureKey(tx, { ...key, allowed_origins: ['*'] }, context);
}

async function buildKeyInput(
  tx: Tx,
  { owner, label }: { owner: KeyOwner; label: string },
  clock: Clock,
): Promise<NewKeyInput> {
  const partnerId =
    (await createPartner(tx, OPERATOR_PARTNER, clock)) ?? (await findPartner(tx, OPERATOR_PARTNER))!.id;
  return { partner_id: partnerId, label, scopes: ['operator'], person_id: owner.id, role: owner.role };
}
