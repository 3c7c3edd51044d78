import { timingSafeEqual } from 'node:crypto';
import { recordAttempts, undoAttempts } from '#platform/http/attempt-limits.ts';
import type { Vault } from '#platform/vault.ts';
import { loginFailureCounter } from '../limits.ts';
import { hashPhoneSubject, type SignIn } from '../sign-in.ts';
import { countCodeAttempt, undoCodeAttempt } from './store.ts';

type CodeAttempt = { phone: string; challenge_id: string; code: string };

/**
 * A challenge whose code was correct. The transaction that needs the code calls `consumeCode`. Until then the code stays valid: the
 * customer can send another password after a refused one, or sign up with an unregistered phone.
 */
export type VerifiedCode = { subject: Buffer; id: string };

/**
 * Returns undefined when the code is wrong, expired, used, or was tried too often. The attempt is counted before the comparison:
 * against the challenge, and as a failed login of the IP address.
 */
export async function checkCode(
  signIn: SignIn,
  { phone, challenge_id: id, code }: CodeAttempt,
  ipAddress: string,
): Promise<VerifiedCode | undefined> {
  const { db, clock, vault } = signIn;
  const subject = hashPhoneSubject(signIn, phone);
  const failures = [loginFailureCounter(signIn, ipAddress)];
  const now = clock.now();
  return db.transaction(async (tx) => {
    await recordAttempts(tx, failures, now);
    const hash = await countCodeAttempt(tx, { subject, id }, now);
    const isCorrect = timingSafeEqual(hashCode(vault, { phone, challenge_id: id, code }), hash ?? ZERO_HASH);
    if (!hash || !isCorrect) return undefined;
    await undoCodeAttempt(tx, { subject, id });
    await undoAttempts(tx, failures, now);
    return { subject, id };
  });
}

const ZERO_HASH = Buffer.alloc(32);

/** Phone and challenge are part of the hash, so equal codes of different challenges have different hashes. */
export const hashCode = (vault: Vault, { phone, challenge_id, code }: CodeAttempt) =>
  vault.hash('login_code', `${phone} ${challenge_id} ${code}`);
