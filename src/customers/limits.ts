import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/duration.ts';
import { rateLimited } from '#partners';
import { type Counter, limited } from '#platform/http/attempt-limits.ts';
import { wideNetworkOf } from '#platform/http/network.ts';
import type { Customers } from './customers.ts';
import { loginLocked, otpTooSoon } from './problems.ts';
import { addressSubject, pairSubject, phoneSubject, type SignIn } from './sign-in.ts';

const QUARTER_MS = 15 * MINUTE_MS;

const CHECKS_OF_A_PHONE = limited({ kind: 'phone_check', most: 10, windowMs: MINUTE_MS }, rateLimited, {
  en: 'Too many checks of this phone.',
  pt: 'Este telefone foi consultado vezes demais.',
});
const CHECKS_FROM_AN_ADDRESS = limited(
  { kind: 'phone_check_address', most: 30, windowMs: MINUTE_MS },
  rateLimited,
  { en: 'Too many checks from this address.', pt: 'Este endereço fez consultas demais.' },
);
const FAILURES_OF_A_PAIR = limited(
  { kind: 'login', most: 5, windowMs: QUARTER_MS, locks: true },
  loginLocked,
  { en: 'Too many wrong passwords.', pt: 'Senha errada vezes demais.' },
);
const FAILURES_OF_A_PHONE = limited(
  { kind: 'login_phone', most: 20, windowMs: QUARTER_MS, locks: true },
  loginLocked,
  {
    en: 'Too many wrong passwords for this phone, from many places.',
    pt: 'Senha deste telefone errada vezes demais, de vários lugares.',
  },
);
const FAILURES_FROM_AN_ADDRESS = limited(
  { kind: 'login_address', most: 30, windowMs: MINUTE_MS },
  rateLimited,
  { en: 'Too many logins from this address failed.', pt: 'Este endereço errou o acesso vezes demais.' },
);
const NO_CODE_YET = {
  en: 'The next code cannot be asked for yet.',
  pt: 'Ainda não é possível pedir outro código.',
};
const CODES_A_MINUTE = limited(
  { kind: 'code_minute', most: 1, windowMs: MINUTE_MS },
  otpTooSoon,
  NO_CODE_YET,
);
const CODES_AN_HOUR = limited({ kind: 'code_hour', most: 5, windowMs: HOUR_MS }, otpTooSoon, NO_CODE_YET);
const CODES_OF_A_PHONE = limited(
  { kind: 'code_phone', most: 10, windowMs: HOUR_MS },
  otpTooSoon,
  NO_CODE_YET,
);
const CODES_FROM_AN_ADDRESS = limited({ kind: 'code_address', most: 30, windowMs: HOUR_MS }, rateLimited, {
  en: 'Too many codes were asked for from this address.',
  pt: 'Este endereço pediu códigos demais.',
});
const TOO_MANY_REFUSED = { en: 'Too many sign-ups were refused.', pt: 'Cadastros demais foram recusados.' };
const SIGNUPS_OF_A_PHONE = limited(
  { kind: 'signup', most: 20, windowMs: HOUR_MS },
  rateLimited,
  TOO_MANY_REFUSED,
);
const SIGNUPS_FROM_AN_ADDRESS = limited(
  { kind: 'signup_address', most: 60, windowMs: HOUR_MS },
  rateLimited,
  TOO_MANY_REFUSED,
);
const OWN_EXPORTS = limited({ kind: 'own_export', most: 10, windowMs: DAY_MS }, rateLimited, {
  en: 'All of it was exported too often today.',
  pt: 'Os dados já foram exportados vezes demais hoje.',
});

export const WRONG_PASSWORDS_FROM_ADDRESS = FAILURES_OF_A_PAIR.limit.kind;
export const WRONG_PASSWORDS = FAILURES_OF_A_PHONE.limit.kind;
/** All limits that can lock a phone's owner out of logging in. */
export const LOGIN_KINDS = [
  CHECKS_OF_A_PHONE,
  FAILURES_OF_A_PAIR,
  FAILURES_OF_A_PHONE,
  CODES_A_MINUTE,
  CODES_AN_HOUR,
  CODES_OF_A_PHONE,
].map(({ limit }) => limit.kind);

type Vaulted = Pick<SignIn, 'vault' | 'holders'>;

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

export const phoneChecks = (customers: Vaulted, origin: Origin): Counter[] => [
  { ...CHECKS_OF_A_PHONE, ...ofPhone(customers, origin) },
  { ...CHECKS_FROM_AN_ADDRESS, subject: addressSubject(customers, origin.address) },
];

/** All failed passwords and codes of an address, for any phone. */
export const failuresFromAddress = (customers: Vaulted, address: string): Counter => ({
  ...FAILURES_FROM_AN_ADDRESS,
  subject: addressSubject(customers, address),
});

/** Wrong passwords: of the phone from this address, of the phone from anywhere, and of whatever phone from this address. */
export const wrongPasswords = (customers: Vaulted, origin: Origin) => ({
  pair: { ...FAILURES_OF_A_PAIR, ...ofPair(customers, origin) },
  ofPhone: { ...FAILURES_OF_A_PHONE, ...ofPhone(customers, origin) },
  fromAddress: failuresFromAddress(customers, origin.address),
});

export function codeRequests(customers: Vaulted, origin: Origin): Counter[] {
  const pair = ofPair(customers, origin);
  return [
    { ...CODES_A_MINUTE, ...pair },
    { ...CODES_AN_HOUR, ...pair },
    { ...CODES_OF_A_PHONE, ...ofPhone(customers, origin) },
    { ...CODES_FROM_AN_ADDRESS, subject: addressSubject(customers, origin.address) },
  ];
}

/** Refused sign-ups with the right code. Without the limit the owner of a phone could test which CPFs are registered. */
export const refusedSignUps = (customers: Vaulted, phone: string, address: string): Counter[] => [
  { ...SIGNUPS_OF_A_PHONE, subject: phoneSubject(customers, phone) },
  { ...SIGNUPS_FROM_AN_ADDRESS, subject: addressSubject(customers, address) },
];

/** Above any count that a policy distinguishes. */
const MOST_SIGNUPS = 1_000;

const TOO_MANY_TODAY = {
  en: 'Too many people signed up from this address today.',
  pt: 'Pessoas demais se cadastraram deste endereço hoje.',
};

const SIGNUPS_ON_A_DEVICE = limited(
  { kind: 'signup_device', most: MOST_SIGNUPS, windowMs: 30 * DAY_MS },
  rateLimited,
  {
    en: 'Too many people signed up on this device.',
    pt: 'Pessoas demais se cadastraram neste aparelho.',
  },
);

/** People who signed up: from the address and its network in a day, and on the device in a month where it is known. */
export function signUps(
  customers: Vaulted & Pick<Customers, 'signUpsPerAddress'>,
  { address, device }: { address: string; device: string | null },
): Counter[] {
  const { signUpsPerAddress: perAddress, vault } = customers;
  const inADay = (kind: string, most: number) =>
    limited({ kind, most, windowMs: DAY_MS }, rateLimited, TOO_MANY_TODAY);
  return [
    { ...inADay('signup_day', perAddress), subject: addressSubject(customers, address) },
    {
      ...inADay('signup_network', Math.max(perAddress, MOST_SIGNUPS)),
      subject: vault.hash('network', wideNetworkOf(address)),
    },
    ...(device === null ? [] : [{ ...SIGNUPS_ON_A_DEVICE, subject: vault.hash('device', device) }]),
  ];
}

/** An export is expensive: it reads every table, and decrypts the PSP's notices since the first charge. */
export const ownExports = ({ vault }: Pick<SignIn, 'vault'>, customerId: string): Counter[] => [
  { ...OWN_EXPORTS, subject: vault.hash('export', customerId) },
];
