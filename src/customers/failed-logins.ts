import type { Queryable, Tx } from '#platform/database/db.ts';
import { listAttemptsForPhone, purgeAttemptsForPhone } from '#platform/http/attempt-limits.ts';
import type { Vault } from '#platform/vault.ts';
import { listWrongAttempts, resetCodeAttempts } from './codes/store.ts';
import { LOGIN_LIMIT_KINDS, WRONG_PASSWORD_PER_ADDRESS } from './limits.ts';
import { hashPhoneSubject } from './sign-in.ts';

/** Current counts of wrong passwords and codes of a phone. */
export type FailedLogins = { wrong_passwords: number; wrong_codes: number };

export async function countFailedLogins(db: Queryable, vault: Vault, phone: string): Promise<FailedLogins> {
  const subject = hashPhoneSubject({ vault }, phone);
  const passwords = await listAttemptsForPhone(db, subject, [WRONG_PASSWORD_PER_ADDRESS]);
  const codes = await listWrongAttempts(db, subject);
  return {
    wrong_passwords: passwords.reduce((sum, { count }) => sum + count, 0),
    wrong_codes: codes.reduce((sum, { tries }) => sum + tries, 0),
  };
}

export async function resetFailedLogins(tx: Tx, vault: Vault, phone: string): Promise<void> {
  const subject = hashPhoneSubject({ vault }, phone);
  await purgeAttemptsForPhone(tx, subject, LOGIN_LIMIT_KINDS);
  await resetCodeAttempts(tx, subject);
}
