import type { Static } from 'typebox';
import { HOUR_MS } from '#core/values/duration.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { randomBase62 } from '#platform/ids.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { Vault } from '#platform/vault.ts';
import type { StaffDeps } from '../staff.ts';
import { emailTaken, inviteExpired } from './problems.ts';
import type { AcceptForm, SessionOpened } from './schemas.ts';
import { type Browser, openSession } from './sessions.ts';
import {
  endSessions,
  findCredentialsByInvite,
  lockCredentials,
  resetToInvited,
  type StaffCredentials,
  saveAcceptedInvite,
} from './store.ts';

const INVITE_TTL_MS = 48 * HOUR_MS;

const hashInviteToken = (vault: Vault, token: string) => vault.hash('staff invitation', token);

/** Revokes the password, second factors and sessions, because an invitation is also the way to recover an account. */
export async function createInvitation(
  tx: Tx,
  { vault, inviteLink }: Pick<StaffDeps, 'vault' | 'inviteLink'>,
  userId: string,
  { actor, now }: Pick<AuditContext, 'actor' | 'now'>,
): Promise<{ invite_url: string; invite_expires_at: string }> {
  const token = randomBase62(32);
  const expiresAt = new Date(now.getTime() + INVITE_TTL_MS);
  await resetToInvited(tx, userId, {
    hash: hashInviteToken(vault, token),
    expiresAt,
    invitedBy: actor.id,
    invitedAt: now,
  });
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
  { token, email: emailInput, password }: Static<typeof AcceptForm>,
  { browser, requestId }: { browser: Browser; requestId: string },
): Promise<Static<typeof SessionOpened>> {
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
    return openSession(tx, (await lockCredentials(tx, id))!, { browser, mode, now });
  });
}
