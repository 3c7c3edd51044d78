import type { Bilingual } from '#core/bilingual.ts';
import { MINUTE_MS } from '#core/duration.ts';
import { rateLimited } from '#partners';
import type { Counter, Limit } from '#platform/http/attempt-limits.ts';
import { networkOf } from '#platform/http/network.ts';
import { loginLocked } from '#platform/passwords/problems.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import { type Detail, type ProblemMaker, retryIn } from '#platform/problem.ts';

const QUARTER_MS = 15 * MINUTE_MS;

/** As for customers: see `customers/limits.ts`. */
const OF_A_PAIR: Limit = { kind: 'staff_login', most: 5, windowMs: QUARTER_MS, locks: true };
const OF_AN_EMAIL: Limit = { kind: 'staff_login_email', most: 20, windowMs: QUARTER_MS, locks: true };
const FROM_AN_ADDRESS: Limit = { kind: 'staff_login_address', most: 30, windowMs: MINUTE_MS };
const OF_A_FACTOR: Limit = { kind: 'staff_factor', most: 5, windowMs: QUARTER_MS, locks: true };

const after = (make: ProblemMaker<[Detail]>, text: Bilingual) => (seconds: string) =>
  make(retryIn(seconds, text));
const TOO_MANY = { en: 'Too many wrong passwords.', pt: 'Senha errada vezes demais.' };

export function wrongLogins(vault: Vault, email: string, address: string) {
  const network = networkOf(address);
  return {
    pair: {
      limit: OF_A_PAIR,
      subject: vault.hash('staff e-mail and address', `${email} ${network}`),
      refusal: after(loginLocked, TOO_MANY),
    },
    ofEmail: {
      limit: OF_AN_EMAIL,
      subject: vault.hash('staff e-mail', email),
      refusal: after(loginLocked, TOO_MANY),
    },
    fromAddress: {
      limit: FROM_AN_ADDRESS,
      subject: vault.hash('staff address', network),
      refusal: after(rateLimited, {
        en: 'Too many logins from this address failed.',
        pt: 'Este endereço errou o acesso vezes demais.',
      }),
    },
  } satisfies Record<string, Counter>;
}

/** Of one person, from anywhere: the password was right. */
export const wrongFactors = (vault: Vault, memberId: string): Counter => ({
  limit: OF_A_FACTOR,
  subject: vault.hash('staff factor', memberId),
  refusal: after(loginLocked, { en: 'Too many wrong codes.', pt: 'Código errado vezes demais.' }),
});
