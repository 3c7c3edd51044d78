import { tokenPartnerMismatch } from '../problems.ts';
import type { SignIn } from '../sign-in.ts';
import { parseRefreshToken } from './refresh-token.ts';

/** Ends the session of a refresh token, which may be the newest or an older one. Ignores unknown tokens. */
export async function logOut(signIn: SignIn, text: string, partnerId: string): Promise<void> {
  const { db, clock, endedSessions, principalKind } = signIn;
  const token = parseRefreshToken(signIn, text);
  if (!token) return;
  const { principalId, sessionId } = token;
  const hasEnded = await principalKind.transaction(db, principalId, async (tx) => {
    const session = await principalKind.lockSession(tx, principalId, sessionId);
    if (!session || (!session.refresh_hash.equals(token.hash) && !token.isOurs)) return false;
    if (session.partner_id !== partnerId) throw tokenPartnerMismatch('refresh');
    await principalKind.endSession(tx, principalId, sessionId, 'logout', clock.now());
    return true;
  });
  // Other nodes are notified by the commit; this node is updated directly.
  if (hasEnded) endedSessions.add(sessionId);
}
