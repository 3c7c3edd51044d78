import type { Static } from 'typebox';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Problem } from '#platform/problem.ts';
import { addressSubject, type Customers } from '../customers.ts';
import { tokenExpired, tokenInvalid, tokenPartnerMismatch } from '../problems.ts';
import type { Login } from '../schemas.ts';
import { noteAddress } from './known-addresses.ts';
import { answerLogin, newRefresh, type OpenSession } from './open-session.ts';
import { type RefreshToken, readRefreshToken, secretAfter } from './refresh-token.ts';
import { lockSession, markEnded, markRefreshed } from './store.ts';

/** A refusal is returned, not thrown, out of the transaction: the end of a session must be committed. */
type Outcome = { session: OpenSession; replayed: boolean } | { refusal: Problem; endedSession?: true };
type Refresh = { text: string; partnerId: string; address: string; key: string | undefined };

/**
 * Exchanges a refresh token for the next one, and a new access token. A token that is used twice was copied, and it is unknown by
 * whom: the session ends. Of two concurrent uses the second to get the row is that second use. With the same Idempotency-Key it
 * is the same request: the next token is derived from both, so it is returned again, until that one is used.
 */
export async function refreshSession(
  customers: Customers,
  { text, partnerId, address, key }: Refresh,
): Promise<{ login: Static<typeof Login>; replayed: boolean }> {
  const given = readRefreshToken(customers.vault, text);
  const secret = key === undefined ? undefined : secretAfter(customers.vault, text, key);
  const outcome: Outcome = given
    ? await customerTransaction(customers.db, given.customerId, (tx) =>
        exchange(tx, customers, given, { partnerId, address, secret }),
      )
    : { refusal: tokenInvalid('refresh_not_ours') };

  const granted = 'session' in outcome;
  customers.metrics.logins.inc({ method: 'refresh', outcome: granted ? 'granted' : 'refused' });
  if (granted) return { login: await answerLogin(customers, outcome.session), replayed: outcome.replayed };
  if (outcome.endedSession) customers.ended.note(given!.sessionId);
  throw outcome.refusal;
}

async function exchange(
  tx: CustomerTx,
  { clock, vault }: Customers,
  given: RefreshToken,
  { partnerId, address, secret }: { partnerId: string; address: string; secret: string | undefined },
): Promise<Outcome> {
  const { customerId, sessionId } = given;
  const session = await lockSession(tx, customerId, sessionId);
  const isNewest = session?.refresh_hash.equals(given.hash);
  if (!session || (!isNewest && !given.isOurs)) return { refusal: tokenInvalid('refresh_not_ours') };
  if (session.partner_id !== partnerId) return { refusal: tokenPartnerMismatch('refresh') };
  if (session.ended_at) return { refusal: tokenInvalid('refresh_session_ended') };
  const now = clock.now();
  const refresh = newRefresh(vault, customerId, sessionId, now, secret);
  const replayed = secret !== undefined && session.refresh_hash.equals(refresh.hash);
  if (!isNewest && !replayed) {
    await markEnded(tx, customerId, sessionId, 'refresh_reused', now);
    return { refusal: tokenInvalid('refresh_reused'), endedSession: true };
  }
  if (session.refresh_expires_at <= now) {
    return { refusal: tokenExpired('refresh') };
  }
  if (!replayed) await markRefreshed(tx, customerId, sessionId, refresh);
  await noteAddress(tx, customerId, addressSubject({ vault }, address), now);
  const refreshExpiresAt = replayed ? session.refresh_expires_at : refresh.expiresAt;
  const tokens = { refreshToken: refresh.text, refreshExpiresAt };
  return { session: { customerId, sessionId, partnerId, ...tokens }, replayed };
}
