import { timingSafeEqual } from 'node:crypto';
import { giveBackAttempts, takeAttempts } from '#platform/http/attempt-limits.ts';
import type { Vault } from '#platform/vault.ts';
import { failuresFromAddress } from '../limits.ts';
import { phoneSubject, type SignIn } from '../sign-in.ts';
import { giveTryBack, takeTry } from './store.ts';

type GivenCode = { phone: string; challenge_id: string; code: string };

/**
 * A challenge whose code was right. `markUsed` uses it up, in the transaction it is for. Until then it can be given again: to set
 * another password where one was refused, or to sign up with an unregistered phone.
 */
export type RightCode = { subject: Buffer; id: string };

/**
 * Undefined when it is wrong, expired, used, or tried too often. An attempt counts against its challenge, and as a failed login
 * of the address, before it is compared.
 */
export async function checkCode(
  signIn: SignIn,
  { phone, challenge_id: id, code }: GivenCode,
  address: string,
): Promise<RightCode | undefined> {
  const { db, clock, vault } = signIn;
  const subject = phoneSubject(signIn, phone);
  const failures = [failuresFromAddress(signIn, address)];
  const now = clock.now();
  return db.transaction(async (tx) => {
    await takeAttempts(tx, failures, now);
    const hash = await takeTry(tx, { subject, id }, now);
    const isRight = timingSafeEqual(hashCode(vault, { phone, challenge_id: id, code }), hash ?? NO_HASH);
    if (!hash || !isRight) return undefined;
    await giveTryBack(tx, { subject, id });
    await giveBackAttempts(tx, failures, now);
    return { subject, id };
  });
}

const NO_HASH = Buffer.alloc(32);

/** Phone and challenge are part of the hash: the same digits hash differently everywhere else. */
export const hashCode = (vault: Vault, { phone, challenge_id, code }: GivenCode) =>
  vault.hash('login_code', `${phone} ${challenge_id} ${code}`);
