import type { Tx } from '#platform/database/db.ts';
import type { Problem } from '#platform/problem.ts';
import { tokenExpired, tokenInvalid, tokenPartnerMismatch } from '../problems.ts';
import { hashAddressSubject, type SignIn } from '../sign-in.ts';
import { type IssuedSession, issueRefreshToken } from './open-session.ts';
import { deriveNextSecret, parseRefreshToken, type RefreshToken } from './refresh-token.ts';

/** The transaction returns a refusal instead of throwing it, because the end of the session must be committed. */
type Refreshed = { session: IssuedSession; replayed: boolean };
type RefreshResult = Refreshed | { refusal: Problem; endedSession?: true };
type RefreshRequest = { text: string; partnerId: string; ipAddress: string; key: string | undefined };

/**
 * Exchanges a refresh token for the next one and a new access token. A token that is used twice may have been stolen, so the second
 * use ends the session; of two concurrent uses, the one that locks the row last is the second. A retry with the same Idempotency-Key
 * is not a second use: the next token is derived from token and key, so the same one is returned, until it is used.
 */
export async function refreshSession(signIn: SignIn, { text, partnerId, ipAddress, key }: RefreshRequest) {
  const token = parseRefreshToken(signIn, text);
  const secret = key === undefined ? undefined : deriveNextSecret(signIn.vault, text, key);
  const outcome: RefreshResult = token
    ? await signIn.principalKind.transaction(signIn.db, token.principalId, (tx) =>
        exchangeToken(tx, signIn, token, { partnerId, ipAddress, secret }),
      )
    : { refusal: tokenInvalid('refresh_not_ours') };

  const isGranted = 'session' in outcome;
  signIn.metrics.logins.inc({ method: 'refresh', outcome: isGranted ? 'granted' : 'refused' });
  if (isGranted) return outcome;
  if (outcome.endedSession) signIn.endedSessions.add(token!.sessionId);
  throw outcome.refusal;
}

async function exchangeToken(
  tx: Tx,
  signIn: SignIn,
  token: RefreshToken,
  { partnerId, ipAddress, secret }: { partnerId: string; ipAddress: string; secret: string | undefined },
): Promise<RefreshResult> {
  const { clock, vault, principalKind } = signIn;
  const { principalId, sessionId } = token;
  const session = await principalKind.lockSession(tx, principalId, sessionId);
  const isNewest = session?.refresh_hash.equals(token.hash);
  if (!session || (!isNewest && !token.isOurs)) return { refusal: tokenInvalid('refresh_not_ours') };
  if (session.partner_id !== partnerId) return { refusal: tokenPartnerMismatch('refresh') };
  if (session.ended_at) return { refusal: tokenInvalid('refresh_session_ended') };
  const now = clock.now();
  const refresh = issueRefreshToken(vault, token, now, secret);
  const replayed = secret !== undefined && session.refresh_hash.equals(refresh.hash);
  if (!isNewest && !replayed) {
    await principalKind.endSession(tx, principalId, sessionId, 'refresh_reused', now);
    return { refusal: tokenInvalid('refresh_reused'), endedSession: true };
  }
  if (session.refresh_expires_at <= now) return { refusal: tokenExpired('refresh') };
  if (!replayed) await principalKind.markRefreshed(tx, principalId, sessionId, refresh);
  await principalKind.addresses.record(
    tx,
    token,
    { address: hashAddressSubject(signIn, ipAddress), device: null },
    now,
  );
  const refreshExpiresAt = replayed ? session.refresh_expires_at : refresh.expiresAt;
  const tokens = { refreshToken: refresh.text, refreshExpiresAt };
  return {
    session: { principalType: principalKind.type, principalId, sessionId, partnerId, ...tokens },
    replayed,
  };
}
