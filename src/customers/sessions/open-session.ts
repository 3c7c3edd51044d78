import type { Static } from 'typebox';
import { DAY_MS } from '#core/duration.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';
import type { Customers } from '../customers.ts';
import { invalidCredentials } from '../problems.ts';
import { renderCustomer } from '../render-customer.ts';
import type { Login } from '../schemas.ts';
import { addressSubject, type SignIn } from '../sign-in.ts';
import { findCustomer } from '../store.ts';
import { hashOf, newRefreshToken } from './refresh-token.ts';
import type { SessionClaims, SessionName } from './store.ts';

const REFRESH_LIFE_MS = 30 * DAY_MS;

/** A session in a list. Its tokens were exchanged last when the refresh token was made. */
export const renderSession = (row: { id: string; created_at: Date; refresh_expires_at: Date }) => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  refreshed_at: new Date(row.refresh_expires_at.getTime() - REFRESH_LIFE_MS).toISOString(),
});

export type OpenSession = SessionClaims & { refreshToken: string; refreshExpiresAt: Date };

/** The caller has locked the row of the holder and checked that they are not locked out. */
export async function openSession(
  tx: Tx,
  signIn: Pick<SignIn, 'vault' | 'clock' | 'holders'>,
  { holderId, partnerId, address }: { holderId: string; partnerId: string; address?: string },
): Promise<OpenSession> {
  const { vault, clock, holders } = signIn;
  const now = clock.now();
  const sessionId = newId('ses', now);
  const refresh = newRefresh(vault, { holderId, sessionId }, now);
  await holders.insertSession(tx, {
    holderId,
    id: sessionId,
    partnerId,
    createdAt: now,
    refreshHash: refresh.hash,
    refreshExpiresAt: refresh.expiresAt,
  });
  if (address !== undefined)
    await holders.addresses.note(tx, { holderId, sessionId }, addressSubject(signIn, address), now);
  return {
    kind: holders.kind,
    holderId,
    sessionId,
    partnerId,
    refreshToken: refresh.text,
    refreshExpiresAt: refresh.expiresAt,
  };
}

export function newRefresh(vault: Vault, { holderId, sessionId }: SessionName, now: Date, secret?: string) {
  const text = newRefreshToken(vault, holderId, sessionId, secret);
  return { text, hash: hashOf(text), expiresAt: new Date(now.getTime() + REFRESH_LIFE_MS) };
}

/** The tokens in the answer of every kind of login. */
export async function renderTokens({ tokens }: Pick<SignIn, 'tokens'>, session: OpenSession) {
  const { token, expiresAt } = await tokens.issue(session);
  return {
    token,
    expires_at: expiresAt.toISOString(),
    refresh_token: session.refreshToken,
    refresh_expires_at: session.refreshExpiresAt.toISOString(),
  };
}

/** The answer of every kind of login of a customer. */
export async function answerLogin(
  { db, people, tokens, creditUsed }: Pick<Customers, 'people' | 'tokens' | 'creditUsed'> & { db: Queryable },
  session: OpenSession,
): Promise<Static<typeof Login>> {
  const [issued, customer] = await Promise.all([
    renderTokens({ tokens }, session),
    findCustomer(db, session.holderId, creditUsed),
  ]);
  if (!customer) throw invalidCredentials();
  return { ...issued, customer: renderCustomer(customer, people) };
}
