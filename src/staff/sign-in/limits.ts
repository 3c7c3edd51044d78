import type { Bilingual } from '#core/values/bilingual.ts';
import { MINUTE_MS } from '#core/values/duration.ts';
import { rateLimited } from '#partners';
import { type AttemptCounter, attachProblem } from '#platform/http/attempt-limits.ts';
import { toNetwork } from '#platform/http/ip-addresses.ts';
import { loginLocked } from '#platform/passwords/problems.ts';
import type { Vault } from '#platform/vault.ts';

/** The same limits as for customers: see `customers/limits.ts`. */
const buildLockout = (kind: string, maxAttempts: number, detail: Bilingual) =>
  attachProblem({ kind, maxAttempts, windowMs: 15 * MINUTE_MS, locksOut: true }, loginLocked, detail);
const buildPasswordLockout = (kind: string, maxAttempts: number) =>
  buildLockout(kind, maxAttempts, { en: 'Too many wrong passwords.', pt: 'Senha errada vezes demais.' });
const FAILURES_PER_EMAIL_AND_ADDRESS = buildPasswordLockout('staff_login', 5);
const FAILURES_PER_EMAIL = buildPasswordLockout('staff_login_email', 20);
const FAILURES_PER_ADDRESS = attachProblem(
  { kind: 'staff_login_address', maxAttempts: 30, windowMs: MINUTE_MS },
  rateLimited,
  { en: 'Too many failed logins from this IP address.', pt: 'Este endereço errou o acesso vezes demais.' },
);
const FACTOR_FAILURES_PER_USER = buildLockout('staff_factor', 5, {
  en: 'Too many wrong codes.',
  pt: 'Código errado vezes demais.',
});

/** At a known address the failures of an e-mail are counted separately, so that strangers cannot lock its owner out there. */
export function buildWrongLoginCounters(
  vault: Vault,
  { email, address, isKnownIp }: { email: string; address: string; isKnownIp: boolean },
) {
  const network = toNetwork(address);
  const emailAndAddressHash = vault.hash('staff e-mail and address', `${email} ${network}`);
  return {
    emailAndAddressCounter: { ...FAILURES_PER_EMAIL_AND_ADDRESS, subject: emailAndAddressHash },
    emailCounter: {
      ...FAILURES_PER_EMAIL,
      subject: isKnownIp ? emailAndAddressHash : vault.hash('staff e-mail', email),
    },
    addressCounter: { ...FAILURES_PER_ADDRESS, subject: vault.hash('staff address', network) },
  } satisfies Record<string, AttemptCounter>;
}

/** Counts wrong second factors of a staff user from all IP addresses. The password was already correct. */
export const buildWrongFactorCounter = (vault: Vault, userId: string): AttemptCounter => ({
  ...FACTOR_FAILURES_PER_USER,
  subject: vault.hash('staff factor', userId),
});
