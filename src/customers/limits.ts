import type { Bilingual } from '#core/bilingual.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/duration.ts';
import { rateLimited } from '#partners';
import type { Counter, Limit } from '#platform/http/attempt-limits.ts';
import { wideNetworkOf } from '#platform/http/network.ts';
import { type Detail, type ProblemMaker, retryIn } from '#platform/problem.ts';
import type { Customers } from './customers.ts';
import { loginLocked, otpTooSoon } from './problems.ts';
import { addressSubject, pairSubject, phoneSubject, type SignIn } from './sign-in.ts';

const QUARTER_MS = 15 * MINUTE_MS;

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

const OWN_EXPORTS: Limit = { kind: 'own_export', most: 10, windowMs: DAY_MS };

export const WRONG_PASSWORDS_FROM_ADDRESS = FAILURES_OF_A_PAIR.kind;
export const WRONG_PASSWORDS = FAILURES_OF_A_PHONE.kind;
/** All limits that can lock a phone's owner out of logging in. */
export const LOGIN_KINDS = [
  CHECKS_OF_A_PHONE,
  FAILURES_OF_A_PAIR,
  FAILURES_OF_A_PHONE,
  CODES_A_MINUTE,
  CODES_AN_HOUR,
  CODES_OF_A_PHONE,
].map(({ kind }) => kind);

type Vaulted = Pick<SignIn, 'vault' | 'holders'>;

const after = (make: ProblemMaker<[Detail]>, text: Bilingual) => (seconds: string) =>
  make(retryIn(seconds, text));

/** For which phone a request is, and from where. */
export type Origin = {
  phone: string;
  address: string;
  /** The owner of the phone is, or was recently, logged in from there. */
  isKnown: boolean;
};

export async function findOrigin(
  signIn: Pick<SignIn, 'db' | 'vault' | 'holders'>,
  phone: string,
  address: string,
): Promise<Origin> {
  const { db, holders } = signIn;
  const isKnown = await holders.addresses.isKnown(db, phone, addressSubject(signIn, address));
  return { phone, address, isKnown };
}

/** From this address only. */
const ofPair = (customers: Vaulted, { phone, address }: Origin) => ({
  subject: pairSubject(customers, phone, address),
  about: phoneSubject(customers, phone),
});

/** From anywhere; but a known address has a count of its own, which strangers cannot use up. */
const ofPhone = (customers: Vaulted, origin: Origin) =>
  origin.isKnown ? ofPair(customers, origin) : { subject: phoneSubject(customers, origin.phone) };

export function phoneChecks(customers: Vaulted, origin: Origin): Counter[] {
  return [
    {
      limit: CHECKS_OF_A_PHONE,
      ...ofPhone(customers, origin),
      refusal: after(rateLimited, {
        en: 'Too many checks of this phone.',
        pt: 'Este telefone foi consultado vezes demais.',
      }),
    },
    {
      limit: CHECKS_FROM_AN_ADDRESS,
      subject: addressSubject(customers, origin.address),
      refusal: after(rateLimited, {
        en: 'Too many checks from this address.',
        pt: 'Este endereço fez consultas demais.',
      }),
    },
  ];
}

/** All failed passwords and codes of an address, for any phone. */
export function failuresFromAddress(customers: Vaulted, address: string): Counter {
  return {
    limit: FAILURES_FROM_AN_ADDRESS,
    subject: addressSubject(customers, address),
    refusal: after(rateLimited, {
      en: 'Too many logins from this address failed.',
      pt: 'Este endereço errou o acesso vezes demais.',
    }),
  };
}

/** Wrong passwords: of the phone from this address, of the phone from anywhere, and of whatever phone from this address. */
export function wrongPasswords(customers: Vaulted, origin: Origin) {
  return {
    pair: {
      limit: FAILURES_OF_A_PAIR,
      ...ofPair(customers, origin),
      refusal: after(loginLocked, {
        en: 'Too many wrong passwords.',
        pt: 'Senha errada vezes demais.',
      }),
    },
    ofPhone: {
      limit: FAILURES_OF_A_PHONE,
      ...ofPhone(customers, origin),
      refusal: after(loginLocked, {
        en: 'Too many wrong passwords for this phone, from many places.',
        pt: 'Senha deste telefone errada vezes demais, de vários lugares.',
      }),
    },
    fromAddress: failuresFromAddress(customers, origin.address),
  } satisfies Record<string, Counter>;
}

export function codeRequests(customers: Vaulted, origin: Origin): Counter[] {
  const refusal = after(otpTooSoon, {
    en: 'The next code cannot be asked for yet.',
    pt: 'Ainda não é possível pedir outro código.',
  });
  const pair = ofPair(customers, origin);
  return [
    { limit: CODES_A_MINUTE, ...pair, refusal },
    { limit: CODES_AN_HOUR, ...pair, refusal },
    { limit: CODES_OF_A_PHONE, ...ofPhone(customers, origin), refusal },
    {
      limit: CODES_FROM_AN_ADDRESS,
      subject: addressSubject(customers, origin.address),
      refusal: after(rateLimited, {
        en: 'Too many codes were asked for from this address.',
        pt: 'Este endereço pediu códigos demais.',
      }),
    },
  ];
}

/** Refused sign-ups with the right code. Without the limit the owner of a phone could test which CPFs are registered. */
export function refusedSignUps(customers: Vaulted, phone: string, address: string): Counter[] {
  const refusal = after(rateLimited, {
    en: 'Too many sign-ups were refused.',
    pt: 'Cadastros demais foram recusados.',
  });
  return [
    { limit: SIGNUPS_OF_A_PHONE, subject: phoneSubject(customers, phone), refusal },
    { limit: SIGNUPS_FROM_AN_ADDRESS, subject: addressSubject(customers, address), refusal },
  ];
}

/** Above any count that a policy distinguishes. */
const MOST_SIGNUPS = 1_000;

/** People who signed up: from the address and its network in a day, and on the device in a month where it is known. */
export function signUps(
  customers: Vaulted & Pick<Customers, 'signUpsPerAddress'>,
  { address, device }: { address: string; device: string | null },
): Counter[] {
  const { signUpsPerAddress: most, vault } = customers;
  const refusal = after(rateLimited, {
    en: 'Too many people signed up from this address today.',
    pt: 'Pessoas demais se cadastraram deste endereço hoje.',
  });
  const ofDevice = after(rateLimited, {
    en: 'Too many people signed up on this device.',
    pt: 'Pessoas demais se cadastraram neste aparelho.',
  });
  return [
    {
      limit: { kind: 'signup_day', most, windowMs: DAY_MS },
      subject: addressSubject(customers, address),
      refusal,
    },
    {
      limit: { kind: 'signup_network', most: Math.max(most, MOST_SIGNUPS), windowMs: DAY_MS },
      subject: vault.hash('network', wideNetworkOf(address)),
      refusal,
    },
    ...(device === null
      ? []
      : [
          {
            limit: { kind: 'signup_device', most: MOST_SIGNUPS, windowMs: 30 * DAY_MS },
            subject: vault.hash('device', device),
            refusal: ofDevice,
          },
        ]),
  ];
}

/** An export is expensive: it reads every table, and decrypts the PSP's notices since the first charge. */
export function ownExports({ vault }: Pick<SignIn, 'vault'>, customerId: string): Counter[] {
  return [
    {
      limit: OWN_EXPORTS,
      subject: vault.hash('export', customerId),
      refusal: after(rateLimited, {
        en: 'All of it was exported too often today.',
        pt: 'Os dados já foram exportados vezes demais hoje.',
      }),
    },
  ];
}
