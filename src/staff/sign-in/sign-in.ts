import type { Static } from 'typebox';
import { HOUR_MS } from '#core/values/duration.ts';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import { limitFailures, purgeAttempts, releasePendingAttempts } from '#platform/http/attempt-limits.ts';
import { toNetwork } from '#platform/http/ip-addresses.ts';
import { randomBase62 } from '#platform/ids.ts';
import { createDummyHash } from '#platform/passwords/argon2.ts';
import type { Hasher } from '#platform/passwords/hashers.ts';
import { invalidCredentials } from '#platform/passwords/problems.ts';
import { recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { Vault } from '#platform/vault.ts';
import type { InvitationLink } from '../schemas.ts';
import type { StaffDeps } from '../staff.ts';
import { buildWrongLoginCounters } from './limits.ts';
import { emailTaken, inviteExpired } from './problems.ts';
import type { AcceptInvitationForm, LoginForm, SessionOpened } from './schemas.ts';
import { type Browser, openSession } from './sessions.ts';
import {
  endSessions,
  findCredentialsByEmail,
  findCredentialsByInvite,
  listVerifiedIpAddresses,
  lockCredentials,
  resetCredentialsAndInvite,
  type StaffCredentials,
  saveAcceptedInvite,
  updatePassword,
} from './store.ts';

type SignInResponse = Static<typeof SessionOpened>;

/** Logs in with a password. An unknown e-mail takes as long to refuse as a wrong password. */
export async function logIn(
  deps: StaffDeps,
  { email: emailInput, password }: Static<typeof LoginForm>,
  { browser, requestId }: { browser: Browser; requestId: string },
): Promise<SignInResponse> {
  const { db, clock, vault, hashers, mode } = deps;
  const email = emailInput.trim().toLowerCase();
  const counters = buildWrongLoginCounters(vault, {
    email,
    address: browser.address,
    isKnownIp: await isKnownIp(db, email, browser.address),
  });
  const session = await hashers.withHasher({ keyId: 'staff', ipAddress: browser.address }, (hasher) => {
    const now = clock.now();
    return limitFailures<SignInResponse | undefined>(
      db,
      { counters: Object.values(counters), now, isFailed: (result) => result === undefined },
      () => verifyAndOpenSession(hasher, now),
    );
  });
  if (!session) throw invalidCredentials();
  return session;

  async function verifyAndOpenSession(hasher: Hasher, now: Date): Promise<SignInResponse | undefined> {
    const credentials = await findCredentialsByEmail(db, email);
    const hash = credentials?.password_hash ?? null;
    const { isCorrect, newHash } = await hasher.verify(password, hash ?? createDummyHash());
    if (!isCorrect || !credentials || hash === null) return undefined;
    return db.transaction(async (tx) => {
      const user = await lockCredentials(tx, credentials.id);
      // The password may have been changed while hashing.
      if (user?.password_hash !== hash) return undefined;
      // The other counters release only this attempt: wrong passwords from other addresses still count.
      await purgeAttempts(tx, counters.emailAndAddressCounter);
      await releasePendingAttempts(tx, [counters.emailCounter, counters.addressCounter], now);
      if (newHash) await updatePassword(tx, user.id, newHash);
      const session = await openSession(tx, user, { browser, mode, now });
      const actor = { id: user.id, ipAddress: browser.address, requestId };
      const auditContext = { actor, action: 'signInStaff', now };
      await recordAuditEntry(tx, auditContext, { kind: 'staff_session', id: session.session_id }, {});
      return session;
    });
  }
}

/** Whether the staff user signed in from this network in the last 30 days, for which sessions are retained. */
async function isKnownIp(db: Db, email: string, address: string): Promise<boolean> {
  const knownAddresses = await listVerifiedIpAddresses(db, email);
  return knownAddresses.some((knownAddress) => toNetwork(knownAddress) === toNetwork(address));
}

const INVITE_TTL_MS = 48 * HOUR_MS;

const hashInviteToken = (vault: Vault, token: string) => vault.hash('staff invitation', token);

export type StaffInvitation = Static<typeof InvitationLink>;

/** Invites a staff user. Revokes the password, second factors and sessions, because an invitation also recovers an account. */
export async function createInvitation(
  tx: Tx,
  { vault, inviteLink }: Pick<StaffDeps, 'vault' | 'inviteLink'>,
  userId: string,
  { invitedBy, now }: { invitedBy: string; now: Date },
): Promise<StaffInvitation> {
  const token = randomBase62(32);
  const expiresAt = new Date(now.getTime() + INVITE_TTL_MS);
  const hash = hashInviteToken(vault, token);
  await resetCredentialsAndInvite(tx, userId, { hash, expiresAt, invitedBy, invitedAt: now });
  await endSessions(tx, userId, now);
  return { invite_url: inviteLink.replace('{token}', token), invite_expires_at: expiresAt.toISOString() };
}

export async function findInvitation(
  { db, clock, vault }: Pick<StaffDeps, 'clock' | 'vault'> & { db: Queryable },
  token: string,
): Promise<StaffCredentials> {
  const user = await findCredentialsByInvite(db, hashInviteToken(vault, token));
  if (!user?.invite_expires_at || user.invite_expires_at <= clock.now()) throw inviteExpired();
  return user;
}

/** Sets the e-mail and the password. In live mode a second factor must be added before anything else. */
export async function acceptInvitation(
  deps: StaffDeps,
  { token, email: emailInput, password }: Static<typeof AcceptInvitationForm>,
  { browser, requestId }: { browser: Browser; requestId: string },
): Promise<SignInResponse> {
  const { db, clock, hashers, mode } = deps;
  const email = emailInput.trim().toLowerCase();
  const { id, name } = await findInvitation(deps, token);
  const passwordHash = await hashers.withHasher({ keyId: 'staff', ipAddress: browser.address }, (hasher) =>
    hasher.hash(password, { name, email, phone: '' }),
  );
  return db.transaction(async (tx) => {
    await lockCredentials(tx, id);
    // Checked again under the lock, because an invitation works once.
    await findInvitation({ ...deps, db: tx }, token);
    if (!(await saveAcceptedInvite(tx, id, { email, passwordHash }))) throw emailTaken();
    const now = clock.now();
    const actor = { id, ipAddress: browser.address, requestId };
    await recordAuditEntry(tx, { actor, action: 'acceptInvitation', now }, { kind: 'staff', id }, { email });
    const savedUser = (await lockCredentials(tx, id))!;
    return openSession(tx, savedUser, { browser, mode, now });
  });
}
