import { tokenPartnerMismatch } from '../problems.ts';
import type { SignIn } from '../sign-in.ts';
import { readRefreshToken } from './refresh-token.ts';

/** Ends the session of a refresh token, the newest or an older one. An unknown token has no session: nothing to do. */
export async function logOut(signIn: SignIn, text: string, partnerId: string): Promise<void> {
  const { db, clock, ended, holders } = signIn;
  const given = readRefreshToken(signIn, text);
  if (!given) return;
  const { holderId, sessionId } = given;
  const isOver = await holders.transaction(db, holderId, async (tx) => {
    const session = await holders.lockSession(tx, holderId, sessionId);
    if (!session || (!session.refresh_hash.equals(given.hash) && !given.isOurs)) return false;
    if (session.partner_id !== partnerId) throw tokenPartnerMismatch('refresh');
    await holders.markEnded(tx, holderId, sessionId, 'logout', clock.now());
    return true;
  });
  // The other nodes are notified; this one need not wait.
  if (isOver) ended.note(sessionId);
}
