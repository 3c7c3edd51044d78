import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { purgeInBatches } from '#platform/jobs/housekeeping.ts';

export type Person = {
  id: string;
  name: string;
  role: Role;
  email: string | null;
  password_hash: string | null;
  totp_nonce: string | null;
  totp_step: number | null;
  recovery_hashes: Buffer[];
  invite_expires_at: Date | null;
};

const PERSON = sql`id, name, role, email, password_hash, totp_nonce, totp_step, recovery_hashes, invite_expires_at`;

export async function findPerson(db: Queryable, id: string): Promise<Person | undefined> {
  return db.row(sql`select ${PERSON} from staff_members where id = ${id} and removed_at is null`);
}

export async function findPersonByEmail(db: Queryable, email: string): Promise<Person | undefined> {
  return db.row(sql`select ${PERSON} from staff_members where email = ${email} and removed_at is null`);
}

export async function findInvited(db: Queryable, inviteHash: Buffer): Promise<Person | undefined> {
  return db.row(
    sql`select ${PERSON} from staff_members where invite_hash = ${inviteHash} and removed_at is null`,
  );
}

export async function findPersonNamed(db: Queryable, name: string, role: Role): Promise<Person | undefined> {
  return db.row(sql`
    select ${PERSON} from staff_members
    where name = ${name} and role = ${role} and removed_at is null order by created_at, id limit 1`);
}

export async function lockPerson(tx: Tx, id: string): Promise<Person | undefined> {
  return tx.row(sql`select ${PERSON} from staff_members where id = ${id} and removed_at is null for update`);
}

/** Deletes the password and all second factors. */
export async function markInvited(
  tx: Tx,
  id: string,
  { hash, expiresAt }: { hash: Buffer; expiresAt: Date },
): Promise<void> {
  await tx.run(sql`
    update staff_members set invite_hash = ${hash}, invite_expires_at = ${expiresAt}, password_hash = null,
      totp_nonce = null, totp_step = null, recovery_hashes = '{}'
    where id = ${id}`);
  await tx.run(sql`delete from staff_passkeys where member_id = ${id}`);
}

/** Undefined: somebody else has the e-mail. */
export async function markAccepted(
  tx: Tx,
  id: string,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update staff_members set email = ${email}, password_hash = ${passwordHash}, invite_hash = null, invite_expires_at = null
    where id = ${id} and not exists (
      select from staff_members other where other.email = ${email} and other.id <> ${id} and other.removed_at is null)`);
  return changed > 0;
}

export async function markPassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.run(sql`update staff_members set password_hash = ${passwordHash} where id = ${id}`);
}

export async function markTotp(tx: Tx, id: string, nonce: string | null, step: number | null): Promise<void> {
  await tx.run(sql`update staff_members set totp_nonce = ${nonce}, totp_step = ${step} where id = ${id}`);
}

export async function markRecoveryCodes(tx: Tx, id: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.run(sql`update staff_members set recovery_hashes = ${hashes}::bytea[] where id = ${id}`);
}

export type Passkey = {
  id: string;
  name: string;
  public_key: Buffer;
  counter: number;
  created_at: Date;
  last_used_at: Date | null;
};

export async function listPasskeys(db: Queryable, memberId: string): Promise<Passkey[]> {
  return db.rows(sql`
    select id, name, public_key, counter, created_at, last_used_at from staff_passkeys
    where member_id = ${memberId} order by created_at, id`);
}

/** False: it is known already. */
export async function insertPasskey(
  tx: Tx,
  memberId: string,
  key: Pick<Passkey, 'id' | 'name' | 'public_key' | 'counter' | 'created_at'>,
): Promise<boolean> {
  const made = await tx.run(sql`
    insert into staff_passkeys (id, member_id, name, public_key, counter, created_at)
    values (${key.id}, ${memberId}, ${key.name}, ${key.public_key}, ${key.counter}, ${key.created_at})
    on conflict (id) do nothing`);
  return made > 0;
}

export async function markPasskeyUsed(tx: Tx, id: string, counter: number, at: Date): Promise<void> {
  await tx.run(sql`update staff_passkeys set counter = ${counter}, last_used_at = ${at} where id = ${id}`);
}

export async function removePasskey(tx: Tx, memberId: string, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from staff_passkeys where member_id = ${memberId} and id = ${id}`)) > 0;
}

export type SessionRow = {
  id: string;
  member_id: string;
  created_at: Date;
  seen_at: Date;
  verified_at: Date | null;
  challenge: string | null;
  totp_nonce: string | null;
  address: string;
  agent: string;
};

const SESSION = sql`s.id, s.member_id, s.created_at, s.seen_at, s.verified_at, s.challenge, s.totp_nonce, s.address, s.agent`;

export async function insertSession(
  tx: Tx,
  session: Omit<SessionRow, 'challenge' | 'totp_nonce' | 'seen_at'> & { tokenHash: Buffer },
): Promise<void> {
  await tx.run(sql`
    insert into staff_sessions (id, member_id, token_hash, created_at, seen_at, verified_at, address, agent)
    values (${session.id}, ${session.member_id}, ${session.tokenHash}, ${session.created_at}, ${session.created_at},
            ${session.verified_at}, ${session.address}, ${session.agent})`);
}

/** With the role of its person. Not for removed people. */
export async function findSession(
  db: Queryable,
  tokenHash: Buffer,
): Promise<(SessionRow & { role: Role }) | undefined> {
  return db.row(sql`
    select ${SESSION}, m.role from staff_sessions s join staff_members m on m.id = s.member_id
    where s.token_hash = ${tokenHash} and s.ended_at is null and m.removed_at is null`);
}

export async function lockSession(tx: Tx, id: string): Promise<SessionRow | undefined> {
  return tx.row(
    sql`select ${SESSION} from staff_sessions s where s.id = ${id} and s.ended_at is null for update`,
  );
}

export async function listSessions(db: Queryable, memberId: string, since: Date): Promise<SessionRow[]> {
  return db.rows(sql`
    select ${SESSION} from staff_sessions s
    where s.member_id = ${memberId} and s.ended_at is null and s.created_at > ${since} order by s.created_at desc`);
}

export async function markSeen(db: Queryable, id: string, at: Date): Promise<void> {
  await db.run(sql`update staff_sessions set seen_at = ${at} where id = ${id}`);
}

export async function markVerified(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.run(sql`
    update staff_sessions set verified_at = ${at}, challenge = null, totp_nonce = null where id = ${id}`);
}

export async function markChallenge(db: Queryable, id: string, challenge: string | null): Promise<void> {
  await db.run(sql`update staff_sessions set challenge = ${challenge} where id = ${id}`);
}

export async function markNonce(db: Queryable, id: string, nonce: string): Promise<void> {
  await db.run(sql`update staff_sessions set totp_nonce = ${nonce} where id = ${id}`);
}

/** One of the person's, or all but `except`. */
export async function markSessionEnded(tx: Tx, memberId: string, id: string, at: Date): Promise<boolean> {
  const ended = await tx.run(sql`
    update staff_sessions set ended_at = ${at} where member_id = ${memberId} and id = ${id} and ended_at is null`);
  return ended > 0;
}

export async function markSessionsEnded(tx: Tx, memberId: string, except: string, at: Date): Promise<void> {
  await tx.run(sql`
    update staff_sessions set ended_at = ${at} where member_id = ${memberId} and id <> ${except} and ended_at is null`);
}

export async function purgeStaffSessions(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from staff_sessions where id in (
        select id from staff_sessions where created_at < ${before} order by created_at limit 1000)`),
  );
}
