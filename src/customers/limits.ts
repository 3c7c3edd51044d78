import type { Bilingual } from '#core/bilingual.ts';
import { rateLimited } from '#partners';
import type { Counted, Limit } from '#platform/http/attempt-limits.ts';
import { type Detail, type ProblemMaker, retryIn } from '#platform/problem.ts';
import { addressSubject, type Customers, pairSubject, phoneSubject } from './customers.ts';
import { loginLocked, otpTooSoon } from './problems.ts';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

const CHECKS_OF_A_PHONE: Limit = { kind: 'phone_check', most: 10, windowMs: MINUTE_MS };
const CHECKS_FROM_AN_ADDRESS: Limit = { kind: 'phone_check_address', most: 30, windowMs: MINUTE_MS };
const FAILURES_OF_A_PAIR: Limit = { kind: 'login', most: 5, windowMs: QUARTER_MS, locks: true };
const FAILURES_OF_A_PHONE: Limit = { kind: 'login_phone', most: 20, windowMs: QUARTER_MS, locks: true };
const FAILURES_FROM_AN_ADDRESS: Limit = { kind: 'login_address', most: 30, windowMs: MINUTE_MS };
const CODES_A_MINUTE: Limit = { kind: 'code_minute', most: 1, windowMs: MINUTE_MS };
const CODES_AN_HOUR: Limit = { kind: 'code_hour', most: 5, windowMs: HOUR_MS };
const CODES_OF_A_PHONE: Limit = { kind: 'code_phone', most: 10, windowMs: HOUR_MS };
const SIGNUPS_OF_A_PHONE: Limit = { kind: 'signup', most: 20, windowMs: HOUR_MS };
const SIGNUPS_FROM_AN_ADDRESS: Limit = { kind: 'signup_address', most: 60, windowMs: HOUR_MS };
const CODES_FROM_AN_ADDRESS: Limit = { kind: 'code_address', most: 30, windowMs: HOUR_MS };

type Vaulted = Pick<Customers, 'vault'>;

const after = (make: ProblemMaker<[Detail]>, text: Bilingual) => (seconds: string) =>
  make(retryIn(seconds, text));

export function phoneChecks(customers: Vaulted, phone: string, address: string): Counted[] {
  return [
    {
      limit: CHECKS_OF_A_PHONE,
      subject: phoneSubject(customers, phone),
      refusal: after(rateLimited, {
        en: 'Too many checks of this phone.',
        pt: 'Este telefone foi consultado vezes demais.',
      }),
    },
    {
      limit: CHECKS_FROM_AN_ADDRESS,
      subject: addressSubject(customers, address),
      refusal: after(rateLimited, {
        en: 'Too many checks from this address.',
        pt: 'Este endereço fez consultas demais.',
      }),
    },
  ];
}

/** All failed passwords and codes of an address, for any phone. */
export function failuresFromAddress(customers: Vaulted, address: string): Counted {
  return {
    limit: FAILURES_FROM_AN_ADDRESS,
    subject: addressSubject(customers, address),
    refusal: after(rateLimited, {
      en: 'Too many logins from this address failed.',
      pt: 'Este endereço errou o acesso vezes demais.',
    }),
  };
}

/** Wrong passwords: of the phone from this address, and of the phone from anywhere. Codes still work. */
export function wrongPasswords(customers: Vaulted, phone: string, address: string) {
  const pair: Counted = {
    limit: FAILURES_OF_A_PAIR,
    subject: pairSubject(customers, phone, address),
    refusal: after(loginLocked, {
      en: 'Too many wrong passwords.',
      pt: 'Senha errada vezes demais.',
    }),
  };
  const ofPhone: Counted = {
    limit: FAILURES_OF_A_PHONE,
    subject: phoneSubject(customers, phone),
    refusal: after(loginLocked, {
      en: 'Too many wrong passwords for this phone, from many places.',
      pt: 'Senha deste telefone errada vezes demais, de vários lugares.',
    }),
  };
  return { pair, ofPhone };
}

export function codeRequests(customers: Vaulted, phone: string, address: string): Counted[] {
  const refusal = after(otpTooSoon, {
    en: 'The next code cannot be asked for yet.',
    pt: 'Ainda não é possível pedir outro código.',
  });
  const pair = pairSubject(customers, phone, address);
  return [
    { limit: CODES_A_MINUTE, subject: pair, refusal },
    { limit: CODES_AN_HOUR, subject: pair, refusal },
    { limit: CODES_OF_A_PHONE, subject: phoneSubject(customers, phone), refusal },
    {
      limit: CODES_FROM_AN_ADDRESS,
      subject: addressSubject(customers, address),
      refusal: after(rateLimited, {
        en: 'Too many codes were asked for from this address.',
        pt: 'Este endereço pediu códigos demais.',
      }),
    },
  ];
}

/** Refused sign-ups with the right code. Without the limit the owner of a phone could test which CPFs are registered. */
export function refusedSignUps(customers: Vaulted, phone: string, address: string): Counted[] {
  const refusal = after(rateLimited, {
    en: 'Too many sign-ups were refused.',
    pt: 'Cadastros demais foram recusados.',
  });
  return [
    { limit: SIGNUPS_OF_A_PHONE, subject: phoneSubject(customers, phone), refusal },
    { limit: SIGNUPS_FROM_AN_ADDRESS, subject: addressSubject(customers, address), refusal },
  ];
}
