import type { Tx } from '#platform/database/db.ts';
import type { Problem } from '#platform/problem.ts';
import { tokenExpired, tokenInvalid, tokenPartnerMismatch } from '../problems.ts';
import { addressSubject, type SignIn } from '../sign-in.ts';
import { newRefresh, type OpenSession } from './open-session.ts';
import { type RefreshToken, readRefreshToken, secretAfter } from './refresh-token.ts';

/** A refusal is returned, not thrown, out of the transaction: the end of a session must be committed. */
type Refreshed = { session: OpenSession; replayed: boolean };
type RefreshResult = Refreshed | { refusal: Problem; endedSession?: true };
type Refresh = { text: string; partnerId: string; address: string; key: string | undefined };

/**
 * Exchanges a refresh token for the next one, and a new access token. A token that is used twice was copied, and it is unknown by
 * whom: the session ends. Of two concurrent uses the second to get the row is that second use. With the same Idempotency-Key it
 * is the same request: the next token is derived from both, so it is returned again, until that one is used.
 */
export async function refreshSession(signIn: SignIn, { text, partnerId, address, key }: Refresh) {
  const given = readRefreshToken(signIn, text);
  const secret = key === undefined ? undefined : secretAfter(signIn.vault, text, key);
  const outcome: RefreshResult = given
    ? await signIn.holders.transaction(signIn.db, given.holderId, (tx) =>
        exchange(tx, signIn, given, { partnerId, address, secret }),
      )
    : { refusal: tokenInvalid('refresh_not_ours') };

  const granted = 'session' in outcome;
  signIn.metrics.logins.inc({ method: 'refresh', outcome: granted ? 'granted' : 'refused' });
  if (granted) return outcome;
  if (outcome.endedSession) signIn.ended.note(given!.sessionId);
  throw outcome.refusal;
}

async function exchange(
  tx: Tx,
  signIn: SignIn,
  given: RefreshToken,
  { partnerId, address, secret }: { partnerId: string; address: string; secret: string | undefined },
): Promise<RefreshResult> {
  const { clock, vault, holders } = signIn;
  const { holderId, sessionId } = given;
  const session = await holders.lockSession(tx, holderId, sessionId);
  const isNewest = session?.refresh_hash.equals(given.hash);
  if (!session || (!isNewest && !given.isOurs)) return { refusal: tokenInvalid('refresh_not_ours') };
  if (session.partner_id !== partnerId) return { refusal: tokenPartnerMismatch('refresh') };
  if (session.ended_at) return { refusal: tokenInvalid('refresh_session_ended') };
  const now = clock.now();
  const refresh = newRefresh(vault, given, now, secret);
  const replayed = secret !== undefined && session.refresh_hash.equals(refresh.hash);
  if (!isNewest && !replayed) {
    await holders.markEnded(tx, holderId, sessionId, 'refresh_reused', now);
    return { refusal: tokenInvalid('refresh_reused'), endedSession: true };
  }
  if (session.refresh_expires_at <= now) return { refusal: tokenExpired('refresh') };
  if (!replayed) await holders.markRefreshed(tx, holderId, sessionId, refresh);
  await holders.addresses.note(tx, given, addressSubject(signIn, address), now);
  const refreshExpiresAt = replayed ? session.refresh_expires_at : refresh.expiresAt;
  const tokens = { refreshToken: refresh.text, refreshExpiresAt };
  return { session: { kind: holders.kind, holderId, sessionId, partnerId, ...tokens }, replayed };
}
