import { columns, type RowOf, type TableRow } from '#platform/database/columns.ts';
import { type Queryable, runInBatches, type Sql, sql, type Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { omit } from '#platform/omit.ts';
import { staff_passkeys, staff_sessions } from '../generated/tables.ts';
import type { StaffUserRow } from '../store.ts';

export type StaffCredentials = Pick<StaffUserRow, 'id' | 'name' | 'role' | 'email'> & {
  password_hash: string | null;
  totp_nonce: string | null;
  totp_step: number | null;
  recovery_hashes: Buffer[];
  invite_expires_at: Date | null;
};

/** Removed staff users are left out. */
const selectCredentials = (condition: Sql) => sql`
  select id, name, role, email, password_hash, totp_nonce, totp_step, recovery_hashes, invite_expires_at
  from staff_members where ${condition} and removed_at is null`;

export const findCredentials = (db: Queryable, id: string) =>
  db.row<StaffCredentials>(selectCredentials(sql`id = ${id}`));

export const findCredentialsByEmail = (db: Queryable, email: string) =>
  db.row<StaffCredentials>(selectCredentials(sql`email = ${email}`));

export const findCredentialsByInvite = (db: Queryable, inviteHash: Buffer) =>
  db.row<StaffCredentials>(selectCredentials(sql`invite_hash = ${inviteHash}`));

export const findOldestCredentialsByName = (db: Queryable, name: string, role: Role) =>
  db.row<StaffCredentials>(sql`
    ${selectCredentials(sql`name = ${name} and role = ${role}`)} order by created_at, id limit 1`);

export const lockCredentials = (tx: Tx, id: string) =>
  tx.row<StaffCredentials>(sql`${selectCredentials(sql`id = ${id}`)} for update`);

/** Stores an invitation, and deletes the password and all second factors. */
export async function resetCredentialsAndInvite(
  tx: Tx,
  id: string,
  invitation: { hash: Buffer; expiresAt: Date; invitedBy: string; invitedAt: Date },
): Promise<void> {
  await tx.run(sql`
    update staff_members set invite_hash = ${invitation.hash}, invite_expires_at = ${invitation.expiresAt},
      invited_by = ${invitation.invitedBy}, invited_at = ${invitation.invitedAt}, password_hash = null,
      totp_nonce = null, totp_step = null, recovery_hashes = '{}'
    where id = ${id}`);
  await tx.run(sql`delete from staff_passkeys where member_id = ${id}`);
}

export const findLastInvitation = (db: Queryable, id: string) =>
  db.row<{ invited_by: string | null; invited_at: Date }>(sql`
    select invited_by, invited_at from staff_members where id = ${id} and invited_at is not null`);

/** Saves the credentials and closes the invitation. Returns false if another staff user has the e-mail. */
export async function saveAcceptedInvite(
  tx: Tx,
  id: string,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<boolean> {
  const updatedCount = await tx.run(sql`
    update staff_members set email = ${email}, password_hash = ${passwordHash}, invite_hash = null, invite_expires_at = null
    where id = ${id} and not exists (
      select from staff_members other where other.email = ${email} and other.id <> ${id} and other.removed_at is null)`);
  return updatedCount > 0;
}

export const updatePassword = (tx: Tx, id: string, passwordHash: string) =>
  tx.run(sql`update staff_members set password_hash = ${passwordHash} where id = ${id}`);

export const saveTotp = (tx: Tx, id: string, totp: { nonce: string; lastUsedStep: number }) =>
  tx.run(
    sql`update staff_members set totp_nonce = ${totp.nonce}, totp_step = ${totp.lastUsedStep} where id = ${id}`,
  );

export const deleteTotp = (tx: Tx, id: string) =>
  tx.run(sql`update staff_members set totp_nonce = null, totp_step = null where id = ${id}`);

export const updateRecoveryCodes = (tx: Tx, id: string, hashes: readonly Buffer[]) =>
  tx.run(sql`update staff_members set recovery_hashes = ${hashes}::bytea[] where id = ${id}`);

const newPasskeyColumns = columns(omit(staff_passkeys, 'last_used_at'));

export const listPasskeys = (db: Queryable, userId: string) =>
  db.rows<TableRow<typeof staff_passkeys>>(sql`
    select * from staff_passkeys where member_id = ${userId} order by created_at, id`);

export async function insertPasskeyIfNew(tx: Tx, key: RowOf<typeof newPasskeyColumns>): Promise<boolean> {
  const insertedCount = await tx.run(sql`
    insert into staff_passkeys ${newPasskeyColumns.values(key)} on conflict (id) do nothing`);
  return insertedCount > 0;
}

export const recordPasskeyUse = (tx: Tx, id: string, counter: number, usedAt: Date) =>
  tx.run(sql`update staff_passkeys set counter = ${counter}, last_used_at = ${usedAt} where id = ${id}`);

export const deletePasskey = (tx: Tx, userId: string, id: string) =>
  tx.run(sql`delete from staff_passkeys where member_id = ${userId} and id = ${id}`);

const newSessionColumns = columns(omit(staff_sessions, 'ended_at'));
const sessionColumns = columns(omit(newSessionColumns.declarations, 'token_hash'));
export type SessionRow = RowOf<typeof sessionColumns>;

export const insertSession = (tx: Tx, session: RowOf<typeof newSessionColumns>) =>
  tx.run(sql`insert into staff_sessions ${newSessionColumns.values(session)}`);

/** Finds an open session with the role of its user. Sessions of removed users are not found. */
export const findSession = (db: Queryable, tokenHash: Buffer) =>
  db.row<SessionRow & { role: Role }>(sql`
    select ${sessionColumns.selectFrom('session')}, staff.role
    from staff_sessions session join staff_members staff on staff.id = session.member_id
    where session.token_hash = ${tokenHash} and session.ended_at is null and staff.removed_at is null`);

export const lockSession = (tx: Tx, id: string) =>
  tx.row<SessionRow>(
    sql`select ${sessionColumns.selectFrom('session')} from staff_sessions session
      where session.id = ${id} and session.ended_at is null for update`,
  );

export const listSessions = (db: Queryable, userId: string, createdAfter: Date) =>
  db.rows<SessionRow>(sql`
    select ${sessionColumns.selectFrom('session')} from staff_sessions session
    where session.member_id = ${userId} and session.ended_at is null and session.created_at > ${createdAfter}
    order by session.created_at desc`);

export const listVerifiedIpAddresses = (db: Queryable, email: string) =>
  db.values<string>(sql`
    select distinct session.address from staff_sessions session join staff_members staff on staff.id = session.member_id
    where staff.email = ${email} and staff.removed_at is null and session.verified_at is not null`);

export const updateSeenAt = (db: Queryable, id: string, seenAt: Date) =>
  db.run(sql`update staff_sessions set seen_at = ${seenAt} where id = ${id}`);

export const setSessionVerified = (tx: Tx, id: string, verifiedAt: Date) =>
  tx.run(sql`
    update staff_sessions set verified_at = ${verifiedAt}, challenge = null, totp_nonce = null where id = ${id}`);

export const saveChallenge = (db: Queryable, id: string, challenge: string | null) =>
  db.run(sql`update staff_sessions set challenge = ${challenge} where id = ${id}`);

export const saveProposedTotpNonce = (db: Queryable, id: string, nonce: string) =>
  db.run(sql`update staff_sessions set totp_nonce = ${nonce} where id = ${id}`);

export async function endSession(tx: Tx, userId: string, id: string, endedAt: Date): Promise<boolean> {
  const endedCount = await tx.run(sql`
    update staff_sessions set ended_at = ${endedAt} where member_id = ${userId} and id = ${id} and ended_at is null`);
  return endedCount > 0;
}

export const endSessions = (tx: Tx, userId: string, endedAt: Date, { skipId }: { skipId?: string } = {}) =>
  tx.run(sql`
    update staff_sessions set ended_at = ${endedAt}
    where member_id = ${userId} and id <> ${skipId ?? ''} and ended_at is null`);

export const purgeStaffSessions = (db: Queryable, createdBefore: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from staff_sessions where id in (
        select id from staff_sessions where created_at < ${createdBefore} order by created_at limit 1000)`),
  );
