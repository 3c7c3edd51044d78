import type { Static } from 'typebox';
import {
  createPartner,
  ensureKey,
  findPartner,
  issueKey,
  type KeyWishes,
  markRevokedOfPerson,
  markRole,
} from '#partners';
import type { Clock } from '#platform/clock.ts';
import type { Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { shown } from '#platform/http/shown.ts';
import { newId } from '#platform/ids.ts';
import { type Change, recordCreation, type Subject } from '#platform/privacy/trail.ts';
import { defineProblem } from '#platform/problem.ts';
import { OPERATOR } from './operator.ts';
import { Member } from './schemas.ts';
import { invite } from './sign-in/invite.ts';
import type { Staff } from './staff.ts';
import { findMember, insertMember, listAdmins, lockMembers, markMember, type StaffRow } from './store.ts';

export const lastAdmin = defineProblem({
  code: 'last_admin',
  status: 409,
  title: { en: 'This is the last admin', pt: 'Este é o último administrador' },
  cause: 'Somebody has to be able to let people in: the last admin keeps the role, and cannot be removed.',
  remedy: 'Make somebody else an admin first.',
  detail: { en: 'There would be no admin any more.', pt: 'Não restaria nenhum administrador.' },
});

export type ShownMember = Static<typeof Member>;

export const renderMember = (member: StaffRow): ShownMember => shown(Member, member);

export const memberSubject: Subject<ShownMember> = {
  kind: 'staff',
  async read(tx, id) {
    await lockMembers(tx);
    const member = await findMember(tx, id);
    return member && renderMember(member);
  },
};

type MemberWishes = { name: string; role: Role };

/** The key and the address of the invitation are shown once. */
export async function addMember(
  tx: Tx,
  { name, role }: MemberWishes,
  { mode, ...staff }: Pick<Staff, 'mode' | 'vault' | 'inviteLink'>,
  change: Change,
): Promise<ShownMember & { key: string } & Awaited<ReturnType<typeof invite>>> {
  const { now } = change;
  const clock = { now: () => now };
  const member = { id: newId('stf', now), name, role, created_at: now };
  await insertMember(tx, member);
  const { secret } = await issueKey(tx, await keyOf(tx, member, clock), { mode, clock });
  const shown = renderMember({ ...member, email: null, removed_at: null });
  await recordCreation(tx, change, { kind: 'staff', id: member.id }, shown);
  return { ...shown, key: secret, ...(await invite(tx, staff, member.id, now)) };
}

/** A member with a published key: sandbox only. */
export async function ensureMember(
  tx: Tx,
  member: MemberWishes & { id: string },
  context: { mode: 'sandbox'; clock: Clock; secret: string },
): Promise<void> {
  await insertMember(tx, { ...member, created_at: context.clock.now() });
  const key = await keyOf(tx, member, context.clock);
  await ensureKey(tx, { ...key, allowedOrigins: ['*'] }, context);
}

async function keyOf(
  tx: Tx,
  { id, name, role }: MemberWishes & { id: string },
  clock: Clock,
): Promise<KeyWishes> {
  const partnerId = (await createPartner(tx, OPERATOR, clock)) ?? (await findPartner(tx, OPERATOR))!.id;
  return {
    partnerId,
    label: name,
    scopes: ['operator'],
    person: { id, role },
    allowedOrigins: [],
    requestsPerMinute: null,
    expiresAt: null,
  };
}

export async function changeMember(
  tx: Tx,
  member: Pick<ShownMember, 'id' | 'role'>,
  wishes: Partial<MemberWishes>,
): Promise<void> {
  if (wishes.role !== undefined && wishes.role !== 'admin') await keepAnAdmin(tx, member);
  await markMember(tx, member.id, wishes);
  if (wishes.role !== undefined) await markRole(tx, member.id, wishes.role);
}

/** Revokes their keys; what they did stays in the trail. */
export async function removeMember(tx: Tx, member: Pick<ShownMember, 'id' | 'role'>, now: Date) {
  await keepAnAdmin(tx, member);
  await markMember(tx, member.id, { removedAt: now });
  await markRevokedOfPerson(tx, member.id, now);
}

async function keepAnAdmin(tx: Tx, { id, role }: Pick<ShownMember, 'id' | 'role'>): Promise<void> {
  if (role !== 'admin') return;
  const admins = await listAdmins(tx);
  if (admins.every((admin) => admin === id)) throw lastAdmin();
}
