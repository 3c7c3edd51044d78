import type { Static } from 'typebox';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { addressSubject, type Customers } from '../customers.ts';
import { invalidCredentials } from '../problems.ts';
import { renderCustomer } from '../render-customer.ts';
import type { Login } from '../schemas.ts';
import { findCustomer } from '../store.ts';
import { noteAddress } from './known-addresses.ts';
import { hashOf, newRefreshToken } from './refresh-token.ts';
import { insertSession } from './store.ts';

export const REFRESH_LIFE_MS = 30 * 24 * 3_600_000;

export type OpenSession = {
  customerId: string;
  sessionId: string;
  partnerId: string;
  refreshToken: string;
  refreshExpiresAt: Date;
};

/** The caller has locked the customer's row and checked that the customer is not locked out. */
export async function openSession(
  tx: Tx,
  { vault, clock }: Pick<Customers, 'vault' | 'clock'>,
  { customerId, partnerId, address }: { customerId: string; partnerId: string; address?: string },
): Promise<OpenSession> {
  const now = clock.now();
  const sessionId = newId('ses', now);
  const refresh = newRefresh(vault, customerId, sessionId, now);
  await insertSession(tx, {
    customerId,
    id: sessionId,
    partnerId,
    createdAt: now,
    refreshHash: refresh.hash,
    refreshExpiresAt: refresh.expiresAt,
  });
  if (address !== undefined) await noteAddress(tx, customerId, addressSubject({ vault }, address), now);
  return {
    customerId,
    sessionId,
    partnerId,
    refreshToken: refresh.text,
    refreshExpiresAt: refresh.expiresAt,
  };
}

export function newRefresh(
  vault: Customers['vault'],
  customerId: string,
  sessionId: string,
  now: Date,
  secret?: string,
) {
  const text = newRefreshToken(vault, customerId, sessionId, secret);
  return { text, hash: hashOf(text), expiresAt: new Date(now.getTime() + REFRESH_LIFE_MS) };
}

/** The answer of every kind of login. */
export async function answerLogin(
  { db, people, tokens, creditUsed }: Pick<Customers, 'people' | 'tokens' | 'creditUsed'> & { db: Queryable },
  session: OpenSession,
): Promise<Static<typeof Login>> {
  const [issued, customer] = await Promise.all([
    tokens.issue(session),
    findCustomer(db, session.customerId, creditUsed),
  ]);
  if (!customer) throw invalidCredentials();
  return {
    token: issued.token,
    expires_at: issued.expiresAt.toISOString(),
    refresh_token: session.refreshToken,
    refresh_expires_at: session.refreshExpiresAt.toISOString(),
    customer: renderCustomer(customer, people),
  };
}
