import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { rateLimited } from '#partners';
import { type AttemptCounter, attachProblem } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { toWideNetwork } from '#platform/http/ip-addresses.ts';
import type { CustomersDeps } from './customers.ts';
import { loginLocked, otpTooSoon } from './problems.ts';
import type { Recognition } from './sessions/store.ts';
import {
  hashAddressSubject,
  hashDevice,
  hashPhoneAndAddressSubject,
  hashPhoneSubject,
  type SignInDeps,
} from './sign-in.ts';

const FIFTEEN_MINUTES_MS = 15 * MINUTE_MS;

const newLimit = (kind: string, maxAttempts: number, windowMs: number) => ({ kind, maxAttempts, windowMs });
const newLockout = (kind: string, maxAttempts: number) =>
  ({ ...newLimit(kind, maxAttempts, FIFTEEN_MINUTES_MS), locksOut: true }) as const;

const PHONE_CHECKS_PER_PHONE = attachProblem(newLimit('phone_check', 10, MINUTE_MS), rateLimited, {
  en: 'This phone was checked too often.',
  pt: 'Este telefone foi consultado vezes demais.',
});
const PHONE_CHECKS_PER_ADDRESS = attachProblem(newLimit('phone_check_address', 30, MINUTE_MS), rateLimited, {
  en: 'This IP address sent too many checks.',
  pt: 'Este endereço fez consultas demais.',
});
const LOGIN_FAILURES_PER_PHONE_AND_ADDRESS = attachProblem(newLockout('login', 5), loginLocked, {
  en: 'Too many wrong passwords.',
  pt: 'Senha errada vezes demais.',
});
const LOGIN_FAILURES_PER_PHONE = attachProblem(newLockout('login_phone', 20), loginLocked, {
  en: 'Too many wrong passwords for this phone, from several IP addresses.',
  pt: 'Senha deste telefone errada vezes demais, de vários lugares.',
});
const LOGIN_FAILURES_PER_ADDRESS = attachProblem(newLimit('login_address', 30, MINUTE_MS), rateLimited, {
  en: 'Too many failed logins from this IP address.',
  pt: 'Este endereço errou o acesso vezes demais.',
});
const newCodeRequestLimit = (kind: string, maxAttempts: number, windowMs: number) =>
  attachProblem(newLimit(kind, maxAttempts, windowMs), otpTooSoon, {
    en: 'Another code cannot be requested yet.',
    pt: 'Ainda não é possível pedir outro código.',
  });
const CODES_PER_MINUTE = newCodeRequestLimit('code_minute', 1, MINUTE_MS);
const CODES_PER_HOUR = newCodeRequestLimit('code_hour', 5, HOUR_MS);
const CODES_PER_PHONE = newCodeRequestLimit('code_phone', 10, HOUR_MS);
const CODES_PER_ADDRESS = attachProblem(newLimit('code_address', 30, HOUR_MS), rateLimited, {
  en: 'This IP address requested too many codes.',
  pt: 'Este endereço pediu códigos demais.',
});
const newRefusedSignUpLimit = (kind: string, maxAttempts: number) =>
  attachProblem(newLimit(kind, maxAttempts, HOUR_MS), rateLimited, {
    en: 'Too many sign-ups were refused.',
    pt: 'Cadastros demais foram recusados.',
  });
const REFUSED_SIGNUPS_PER_PHONE = newRefusedSignUpLimit('signup', 20);
const REFUSED_SIGNUPS_PER_ADDRESS = newRefusedSignUpLimit('signup_address', 60);
const EXPORTS_PER_CUSTOMER = attachProblem(newLimit('own_export', 10, DAY_MS), rateLimited, {
  en: 'The data was exported too often today.',
  pt: 'Os dados já foram exportados vezes demais hoje.',
});

export const PHONE_AND_ADDRESS_LOCKOUT_KIND = LOGIN_FAILURES_PER_PHONE_AND_ADDRESS.limit.kind;
export const PHONE_LOCKOUT_KIND = LOGIN_FAILURES_PER_PHONE.limit.kind;
/** The kinds of all limits that can lock the owner of a phone out. */
export const LOGIN_LIMIT_KINDS = [
  PHONE_CHECKS_PER_PHONE,
  LOGIN_FAILURES_PER_PHONE_AND_ADDRESS,
  LOGIN_FAILURES_PER_PHONE,
  CODES_PER_MINUTE,
  CODES_PER_HOUR,
  CODES_PER_PHONE,
].map(({ limit }) => limit.kind);

type LimitDeps = Pick<SignInDeps, 'vault' | 'principalKind'>;

/** The phone that a request is about, the IP address it comes from, and whether the owner of the phone is known there. */
export type RequestOrigin = Recognition & { phone: string; ipAddress: string };

/** Registered and unknown phones run the same statement, so that its duration reveals nothing. */
export async function findOrigin(
  deps: Pick<SignInDeps, 'db' | 'vault' | 'principalKind'>,
  phone: string,
  { ipAddress, deviceId }: Pick<Caller, 'ipAddress' | 'deviceId'>,
): Promise<RequestOrigin> {
  const { db, principalKind } = deps;
  const hashes = { address: hashAddressSubject(deps, ipAddress), device: hashDevice(deps, deviceId) };
  return { phone, ipAddress, ...(await principalKind.origins.recognize(db, phone, hashes)) };
}

const buildPhoneAndAddressSubject = (deps: LimitDeps, { phone, ipAddress }: RequestOrigin) => ({
  subject: hashPhoneAndAddressSubject(deps, phone, ipAddress),
  phoneHash: hashPhoneSubject(deps, phone),
});

/** Attempts for a phone count together, but those from a known IP address separately, so that strangers cannot use up the owner's. */
const buildPhoneSubject = (deps: LimitDeps, origin: RequestOrigin) =>
  origin.isKnown
    ? buildPhoneAndAddressSubject(deps, origin)
    : { subject: hashPhoneSubject(deps, origin.phone) };

export const buildPhoneCheckCounters = (deps: LimitDeps, origin: RequestOrigin): AttemptCounter[] => [
  { ...PHONE_CHECKS_PER_PHONE, ...buildPhoneSubject(deps, origin) },
  { ...PHONE_CHECKS_PER_ADDRESS, subject: hashAddressSubject(deps, origin.ipAddress) },
];

/** Counts failed passwords and codes of an IP address, for all phones together. */
export const buildLoginFailureCounter = (deps: LimitDeps, ipAddress: string): AttemptCounter => ({
  ...LOGIN_FAILURES_PER_ADDRESS,
  subject: hashAddressSubject(deps, ipAddress),
});

export const buildWrongPasswordCounters = (deps: LimitDeps, origin: RequestOrigin) => ({
  phoneAndAddressCounter: {
    ...LOGIN_FAILURES_PER_PHONE_AND_ADDRESS,
    ...buildPhoneAndAddressSubject(deps, origin),
  },
  phoneCounter: { ...LOGIN_FAILURES_PER_PHONE, ...buildPhoneSubject(deps, origin) },
  addressCounter: buildLoginFailureCounter(deps, origin.ipAddress),
});

export function buildCodeRequestCounters(deps: LimitDeps, origin: RequestOrigin): AttemptCounter[] {
  const phoneAndAddressSubject = buildPhoneAndAddressSubject(deps, origin);
  return [
    { ...CODES_PER_MINUTE, ...phoneAndAddressSubject },
    { ...CODES_PER_HOUR, ...phoneAndAddressSubject },
    { ...CODES_PER_PHONE, ...buildPhoneSubject(deps, origin) },
    { ...CODES_PER_ADDRESS, subject: hashAddressSubject(deps, origin.ipAddress) },
  ];
}

/** Counts refused sign-ups with a correct code. Without this limit, the owner of a phone could test which CPFs are registered. */
export const buildRefusedSignUpCounters = (deps: LimitDeps, phone: string, ipAddress: string) => [
  { ...REFUSED_SIGNUPS_PER_PHONE, subject: hashPhoneSubject(deps, phone) },
  { ...REFUSED_SIGNUPS_PER_ADDRESS, subject: hashAddressSubject(deps, ipAddress) },
];

/** Must exceed every threshold of a credit policy, which receives the numbers of sign-ups from a device and a network. */
export const HIGHEST_SIGN_UP_LIMIT = 1_000;

const newDailySignUpLimit = (kind: string, maxAttempts: number) =>
  attachProblem(newLimit(kind, maxAttempts, DAY_MS), rateLimited, {
    en: 'Too many people signed up from this IP address today.',
    pt: 'Pessoas demais se cadastraram deste endereço hoje.',
  });
const SIGNUPS_PER_DEVICE = attachProblem(
  newLimit('signup_device', HIGHEST_SIGN_UP_LIMIT, 30 * DAY_MS),
  rateLimited,
  {
    en: 'Too many people signed up on this device.',
    pt: 'Pessoas demais se cadastraram neste aparelho.',
  },
);

/** Counts sign-ups per day by IP address and by network, and per 30 days by device if the caller sent one. */
export function buildSignUpCounters(
  deps: LimitDeps & Pick<CustomersDeps, 'maxSignUpsPerAddress'>,
  { ipAddress, deviceId }: Pick<Caller, 'ipAddress' | 'deviceId'>,
): AttemptCounter[] {
  const { maxSignUpsPerAddress: maxPerAddress, vault } = deps;
  const device = hashDevice(deps, deviceId);
  return [
    { ...newDailySignUpLimit('signup_day', maxPerAddress), subject: hashAddressSubject(deps, ipAddress) },
    {
      ...newDailySignUpLimit('signup_network', Math.max(maxPerAddress, HIGHEST_SIGN_UP_LIMIT)),
      subject: vault.hash('network', toWideNetwork(ipAddress)),
    },
    ...(device === null ? [] : [{ ...SIGNUPS_PER_DEVICE, subject: device }]),
  ];
}

export const buildRegistrationCounter = (
  { vault, maxCustomersPerStaffUser }: Pick<CustomersDeps, 'vault' | 'maxCustomersPerStaffUser'>,
  staffUserId: string,
): AttemptCounter => ({
  ...attachProblem(newLimit('registration', maxCustomersPerStaffUser, DAY_MS), rateLimited, {
    en: 'You have registered the maximum number of customers in a day.',
    pt: 'Você já cadastrou o máximo de clientes em um dia.',
  }),
  subject: vault.hash('registration', staffUserId),
});

/** An export is expensive: it reads every table, and decrypts all PSP callbacks since the first charge. */
export const buildExportCounters = (
  { vault }: Pick<SignInDeps, 'vault'>,
  customerId: string,
): AttemptCounter[] => [{ ...EXPORTS_PER_CUSTOMER, subject: vault.hash('export', customerId) }];
