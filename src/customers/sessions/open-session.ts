import type { Static } from 'typebox';
import { DAY_MS } from '#core/values/duration.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';
import type { CustomersDeps } from '../customers.ts';
import { invalidCredentials } from '../problems.ts';
import { renderCustomer } from '../render-customer.ts';
import type { Login } from '../schemas.ts';
import { hashAddressSubject, hashDevice, type SignIn } from '../sign-in.ts';
import { type CreditSql, findCustomer } from '../store.ts';
import { createRefreshToken, hashToken } from './refresh-token.ts';
import type { SessionClaims, SessionKey } from './store.ts';

const REFRESH_TTL_MS = 30 * DAY_MS;

/** Renders a session in a list. The refresh token was issued at the last token refresh, so its expiry gives that time. */
export const renderSession = (row: { id: string; created_at: Date; refresh_expires_at: Date }) => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  refreshed_at: new Date(row.refresh_expires_at.getTime() - REFRESH_TTL_MS).toISOString(),
});

export type IssuedSession = SessionClaims & { refreshToken: string; refreshExpiresAt: Date };

/** The caller has locked the row of the principal and checked that the principal may log in. */
export async function openSession(
  tx: Tx,
  signIn: Pick<SignIn, 'vault' | 'clock' | 'principalKind'>,
  session: { principalId: string; partnerId: string; ipAddress?: string; deviceId?: string | null },
): Promise<IssuedSession> {
  const { vault, clock, principalKind } = signIn;
  const { principalId, partnerId, ipAddress, deviceId = null } = session;
  const now = clock.now();
  const sessionId = newId('ses', now);
  const refresh = issueRefreshToken(vault, { principalId, sessionId }, now);
  await principalKind.insertSession(tx, {
    principalId,
    id: sessionId,
    partnerId,
    createdAt: now,
    refreshHash: refresh.hash,
    refreshExpiresAt: refresh.expiresAt,
  });
  if (ipAddress !== undefined)
    await principalKind.addresses.record(
      tx,
      { principalId, sessionId },
      { address: hashAddressSubject(signIn, ipAddress), device: hashDevice(signIn, deviceId) },
      now,
    );
  return {
    principalType: principalKind.type,
    principalId,
    sessionId,
    partnerId,
    refreshToken: refresh.text,
    refreshExpiresAt: refresh.expiresAt,
  };
}

export function issueRefreshToken(
  vault: Vault,
  { principalId, sessionId }: SessionKey,
  now: Date,
  secret?: string,
) {
  const text = createRefreshToken(vault, principalId, sessionId, secret);
  return { text, hash: hashToken(text), expiresAt: new Date(now.getTime() + REFRESH_TTL_MS) };
}

/** Renders the tokens of a login response. */
export async function renderTokens({ tokens }: Pick<SignIn, 'tokens'>, session: IssuedSession) {
  const { token, expiresAt, ttlMs } = await tokens.issue(session);
  return {
    token,
    expires_at: expiresAt.toISOString(),
    expires_in: ttlMs / 1000,
    refresh_token: session.refreshToken,
    refresh_expires_at: session.refreshExpiresAt.toISOString(),
  };
}

/** Builds the response of every login endpoint for customers. */
export async function buildLoginResponse(
  deps: Pick<CustomersDeps, 'clock' | 'identities' | 'tokens' | keyof CreditSql> & { db: Queryable },
  session: IssuedSession,
): Promise<Static<typeof Login>> {
  const { db, clock, identities, tokens } = deps;
  const [issued, customer] = await Promise.all([
    renderTokens({ tokens }, session),
    findCustomer(db, session.principalId, deps, clock.now()),
  ]);
  if (!customer) throw invalidCredentials();
  return { ...issued, customer: renderCustomer(customer, identities) };
}
