import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Customers } from '../customers.ts';
import { tokenPartnerMismatch } from '../problems.ts';
import { readRefreshToken } from './refresh-token.ts';
import { lockSession, markEnded } from './store.ts';

/** Ends the session of a refresh token, the newest or an older one. An unknown token has no session: nothing to do. */
export async function logOut(customers: Customers, text: string, partnerId: string): Promise<void> {
  const { db, clock, vault, ended } = customers;
  const given = readRefreshToken(vault, text);
  if (!given) return;
  const { customerId, sessionId } = given;
  const isOver = await customerTransaction(db, customerId, async (tx) => {
    const session = await lockSession(tx, customerId, sessionId);
    if (!session || (!session.refresh_hash.equals(given.hash) && !given.isOurs)) return false;
    if (session.partner_id !== partnerId) throw tokenPartnerMismatch('refresh');
    await markEnded(tx, customerId, sessionId, 'logout', clock.now());
    return true;
  });
  // The other nodes are notified; this one need not wait.
  if (isOver) ended.note(sessionId);
}
