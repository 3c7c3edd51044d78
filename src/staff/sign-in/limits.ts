import { MINUTE_MS } from '#core/duration.ts';
import { rateLimited } from '#partners';
import { type Counter, limited } from '#platform/http/attempt-limits.ts';
import { networkOf } from '#platform/http/network.ts';
import { loginLocked } from '#platform/passwords/problems.ts';
import type { Vault } from '#platform/vault.ts';

const QUARTER_MS = 15 * MINUTE_MS;

const TOO_MANY = { en: 'Too many wrong passwords.', pt: 'Senha errada vezes demais.' };

/** As for customers: see `customers/limits.ts`. */
const OF_A_PAIR = limited(
  { kind: 'staff_login', most: 5, windowMs: QUARTER_MS, locks: true },
  loginLocked,
  TOO_MANY,
);
const OF_AN_EMAIL = limited(
  { kind: 'staff_login_email', most: 20, windowMs: QUARTER_MS, locks: true },
  loginLocked,
  TOO_MANY,
);
const FROM_AN_ADDRESS = limited({ kind: 'staff_login_address', most: 30, windowMs: MINUTE_MS }, rateLimited, {
  en: 'Too many logins from this address failed.',
  pt: 'Este endereço errou o acesso vezes demais.',
});
const OF_A_FACTOR = limited(
  { kind: 'staff_factor', most: 5, windowMs: QUARTER_MS, locks: true },
  loginLocked,
  { en: 'Too many wrong codes.', pt: 'Código errado vezes demais.' },
);

export function wrongLogins(vault: Vault, email: string, address: string) {
  const network = networkOf(address);
  return {
    pair: { ...OF_A_PAIR, subject: vault.hash('staff e-mail and address', `${email} ${network}`) },
    ofEmail: { ...OF_AN_EMAIL, subject: vault.hash('staff e-mail', email) },
    fromAddress: { ...FROM_AN_ADDRESS, subject: vault.hash('staff address', network) },
  } satisfies Record<string, Counter>;
}

/** Of one person, from anywhere: the password was right. */
export const wrongFactors = (vault: Vault, memberId: string): Counter => ({
  ...OF_A_FACTOR,
  subject: vault.hash('staff factor', memberId),
});
