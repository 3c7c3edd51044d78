import { createHash, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '#core/values/duration.ts';
import type { Tx } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { newId, randomBase62 } from '#platform/ids.ts';
import type { Problem } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import { tokenExpired, tokenInvalid, tokenPartnerMismatch } from '../problems.ts';
import { hashAddressSubject, hashDevice, type SignInDeps } from '../sign-in.ts';
import type { SessionClaims } from '../tokens/access-token.ts';
import type { EndReason, OpenSessionRow, SessionKey } from './store.ts';

const REFRESH_TTL_MS = 30 * DAY_MS;

/** Renders a session in a list. The refresh token was issued at the last token refresh, so its expiry gives that time. */
export const renderSession = (row: OpenSessionRow) => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  refreshed_at: new Date(row.refresh_expires_at.getTime() - REFRESH_TTL_MS).toISOString(),
});

export const renderSessions = (rows: readonly OpenSessionRow[], { sessionId }: { sessionId: string }) => ({
  data: rows.map((row) => {
    const { id, ...times } = renderSession(row);
    return { id, is_current: id === sessionId, ...times };
  }),
});

export type IssuedSession = SessionClaims & { refreshToken: string; refreshExpiresAt: Date };

/** Opens a session. The caller must have locked the row of the principal and checked that the principal may log in. */
export async function openSession(
  tx: Tx,
  deps: Pick<SignInDeps, 'vault' | 'clock' | 'principalKind'>,
  principalId: string,
  { partnerId, ipAddress, deviceId = null }: { partnerId: string } & Partial<Caller>,
): Promise<IssuedSession> {
  const { vault, clock, principalKind } = deps;
  const now = clock.now();
  const sessionId = newId('ses', now);
  const sessionKey = { principalId, sessionId };
  const { refreshHash, refreshToken, refreshExpiresAt } = issueRefreshToken(vault, sessionKey, now);
  await principalKind.sessions.insert(tx, {
    principalId,
    id: sessionId,
    partnerId,
    createdAt: now,
    refreshHash,
    refreshExpiresAt,
  });
  if (ipAddress !== undefined) {
    const origin = { address: hashAddressSubject(deps, ipAddress), device: hashDevice(deps, deviceId) };
    await principalKind.origins.record(tx, sessionKey, origin, now);
  }
  const claims = { principalType: principalKind.type, principalId, sessionId, partnerId };
  return { ...claims, refreshToken, refreshExpiresAt };
}

function issueRefreshToken(vault: Vault, sessionKey: SessionKey, now: Date, secret?: string) {
  const refreshToken = createRefreshToken(vault, sessionKey, secret);
  const refreshExpiresAt = new Date(now.getTime() + REFRESH_TTL_MS);
  return { refreshToken, refreshHash: hashToken(refreshToken), refreshExpiresAt };
}

export async function renderTokens({ tokens }: Pick<SignInDeps, 'tokens'>, session: IssuedSession) {
  const { token, expiresAt, ttlMs } = await tokens.issue(session);
  return {
    token,
    expires_at: expiresAt.toISOString(),
    expires_in: ttlMs / 1000,
    refresh_token: session.refreshToken,
    refresh_expires_at: session.refreshExpiresAt.toISOString(),
  };
}

type SessionEndDeps = Pick<SignInDeps, 'endedSessions' | 'principalKind'>;

export async function endSession(
  tx: Tx,
  { endedSessions, principalKind }: SessionEndDeps,
  { principalId, sessionId }: SessionKey,
  reason: EndReason,
  endedAt: Date,
): Promise<void> {
  const endedCount = await principalKind.sessions.markEnded(tx, principalId, sessionId, reason, endedAt);
  if (endedCount > 0) await endedSessions.recordEnded(tx, [sessionId], endedAt);
}

export async function endAllSessions(
  tx: Tx,
  { endedSessions, principalKind }: SessionEndDeps,
  principalId: string,
  reason: EndReason,
  endedAt: Date,
): Promise<void> {
  const endedIds = await principalKind.sessions.markAllEnded(tx, principalId, reason, endedAt);
  await endedSessions.recordEnded(tx, endedIds, endedAt);
}

/** Ends the session of a refresh token, even of one that was already exchanged. Ignores unknown tokens. */
export async function logOut(
  deps: SignInDeps,
  { refresh_token: tokenText }: { refresh_token: string },
  { partnerId }: Pick<Caller, 'partnerId'>,
): Promise<void> {
  const { db, clock, principalKind } = deps;
  const token = parseRefreshToken(deps, tokenText);
  if (!token) return;
  await principalKind.transaction(db, token.principalId, async (tx) => {
    const session = await principalKind.sessions.lock(tx, token.principalId, token.sessionId);
    if (!session || (!session.refresh_hash.equals(token.hash) && !token.hasValidMac)) return;
    if (session.partner_id !== partnerId) throw tokenPartnerMismatch('refresh');
    await endSession(tx, deps, token, 'logout', clock.now());
  });
}

/** The transaction returns a refusal instead of throwing it, because a refusal may end the session, which must be committed. */
type RefreshResult = { session: IssuedSession; replayed: boolean } | { refusal: Problem };
type RefreshRequest = {
  body: { refresh_token: string };
  caller: Pick<Caller, 'partnerId' | 'ipAddress'>;
  headers: { 'idempotency-key'?: string | undefined };
};

/**
 * Exchanges a refresh token for the next one and a new access token. A token that is used twice may have been stolen, so the second
 * use ends the session; of two concurrent uses, the one that locks the row last is the second. A retry with the same Idempotency-Key
 * is not a second use: the next token is derived from token and key, so the same one is returned, until it is used.
 */
export async function refreshSession(
  deps: SignInDeps,
  {
    body: { refresh_token: tokenText },
    caller,
    headers: { 'idempotency-key': idempotencyKey },
  }: RefreshRequest,
  reply: { header(name: string, value: string): unknown },
): Promise<IssuedSession> {
  const token = parseRefreshToken(deps, tokenText);
  const nextSecret =
    idempotencyKey === undefined ? undefined : deriveNextSecret(deps.vault, tokenText, idempotencyKey);
  const outcome: RefreshResult = token
    ? await deps.principalKind.transaction(deps.db, token.principalId, (tx) =>
        exchangeToken(tx, deps, token, { ...caller, nextSecret }),
      )
    : { refusal: tokenInvalid('refresh_not_issued_here') };
  const isGranted = 'session' in outcome;
  deps.metrics.logins.inc({ method: 'refresh', outcome: isGranted ? 'granted' : 'refused' });
  if (!isGranted) throw outcome.refusal;
  if (outcome.replayed) reply.header('idempotency-replayed', 'true');
  return outcome.session;
}

async function exchangeToken(
  tx: Tx,
  deps: SignInDeps,
  token: RefreshToken,
  {
    partnerId,
    ipAddress,
    nextSecret,
  }: { partnerId: string; ipAddress: string; nextSecret: string | undefined },
): Promise<RefreshResult> {
  const { clock, vault, principalKind } = deps;
  const { principalId, sessionId } = token;
  const session = await principalKind.sessions.lock(tx, principalId, sessionId);
  const isNewestToken = session?.refresh_hash.equals(token.hash);
  if (!session || (!isNewestToken && !token.hasValidMac))
    return { refusal: tokenInvalid('refresh_not_issued_here') };
  if (session.partner_id !== partnerId) return { refusal: tokenPartnerMismatch('refresh') };
  if (session.ended_at) return { refusal: tokenInvalid('refresh_session_ended') };
  const now = clock.now();
  const nextToken = issueRefreshToken(vault, token, now, nextSecret);
  const { refreshToken, refreshHash: hash } = nextToken;
  const replayed = nextSecret !== undefined && session.refresh_hash.equals(hash);
  if (!isNewestToken && !replayed) {
    await endSession(tx, deps, token, 'refresh_reused', now);
    return { refusal: tokenInvalid('refresh_reused') };
  }
  if (session.refresh_expires_at <= now) return { refusal: tokenExpired('refresh') };
  const expiresAt = replayed ? session.refresh_expires_at : nextToken.refreshExpiresAt;
  if (!replayed) await principalKind.sessions.markRefreshed(tx, principalId, sessionId, { hash, expiresAt });
  const origin = { address: hashAddressSubject(deps, ipAddress), device: null };
  await principalKind.origins.record(tx, token, origin, now);
  const claims = { principalType: principalKind.type, principalId, sessionId, partnerId };
  return { session: { ...claims, refreshToken, refreshExpiresAt: expiresAt }, replayed };
}

/** 43 characters of base62 hold 256 bits. */
const SECRET_LENGTH = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MAC_BYTES = 16;
const TOKEN_PATTERN = /^(([a-z]{3}_[0-9a-z]{26})\.(ses_[0-9a-z]{26})\.[0-9A-Za-z]{43})\.([\w-]{22})$/;

/**
 * A refresh token is opaque to callers. It contains the ids of its principal and session, for a lookup by primary key, and ends with
 * a MAC. The session stores only the hash of the newest token; the MAC (`hasValidMac`) distinguishes an older token from a forged one.
 */
type RefreshToken = SessionKey & { hash: Buffer; hasValidMac: boolean };

export function createRefreshToken(
  vault: Vault,
  { principalId, sessionId }: SessionKey,
  secret = randomBase62(SECRET_LENGTH),
): string {
  const payload = `${principalId}.${sessionId}.${secret}`;
  return `${payload}.${computeMac(vault, payload).toString('base64url')}`;
}

/**
 * Derives the next secret from the token and the Idempotency-Key, so that a repeated request gets the same secret without stored
 * state.
 */
function deriveNextSecret(vault: Vault, tokenText: string, idempotencyKey: string): string {
  const hash = vault.hash('next_refresh_token', JSON.stringify([tokenText, idempotencyKey]));
  let remainingNumber = BigInt(`0x${hash.toString('hex')}`);
  let secret = '';
  for (let i = 0; i < SECRET_LENGTH; i++) {
    secret += BASE62[Number(remainingNumber % 62n)];
    remainingNumber /= 62n;
  }
  return secret;
}

/** Returns undefined if the token is malformed or belongs to another kind of principal. */
function parseRefreshToken(
  { vault, principalKind }: Pick<SignInDeps, 'vault' | 'principalKind'>,
  text: string,
) {
  const [, payload, principalId, sessionId, mac] = TOKEN_PATTERN.exec(text) ?? [];
  if (!payload || !principalId || !sessionId || !mac) return undefined;
  if (!principalId.startsWith(principalKind.idPrefix)) return undefined;
  const hasValidMac = timingSafeEqual(computeMac(vault, payload), Buffer.from(mac, 'base64url'));
  return { principalId, sessionId, hash: hashToken(text), hasValidMac };
}

/** A plain hash is sufficient, because a token has 256 bits of entropy. */
const hashToken = (text: string): Buffer => createHash('sha256').update(text).digest();

const computeMac = (vault: Vault, payload: string): Buffer =>
  vault.hash('refresh_token', payload).subarray(0, MAC_BYTES);
