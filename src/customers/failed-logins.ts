import type { Queryable, Tx } from '#platform/database/db.ts';
import { listAttemptsAbout, purgeAttemptsAbout } from '#platform/http/attempt-limits.ts';
import type { Vault } from '#platform/vault.ts';
import { listWrongTries, markUntried } from './codes/store.ts';
import { LOGIN_KINDS, WRONG_PASSWORDS_FROM_ADDRESS } from './limits.ts';
import { phoneSubject } from './sign-in.ts';

/** How many wrong passwords and codes are counted for a phone at the moment. */
export type FailedLogins = { wrong_passwords: number; wrong_codes: number };

export async function countFailedLogins(db: Queryable, vault: Vault, phone: string): Promise<FailedLogins> {
  const subject = phoneSubject({ vault }, phone);
  const passwords = await listAttemptsAbout(db, subject, [WRONG_PASSWORDS_FROM_ADDRESS]);
  const codes = await listWrongTries(db, subject);
  return {
    wrong_passwords: passwords.reduce((sum, { count }) => sum + count, 0),
    wrong_codes: codes.reduce((sum, { tries }) => sum + tries, 0),
  };
}

export async function forgetFailedLogins(tx: Tx, vault: Vault, phone: string): Promise<void> {
  const subject = phoneSubject({ vault }, phone);
  await purgeAttemptsAbout(tx, subject, LOGIN_KINDS);
  await markUntried(tx, subject);
}
