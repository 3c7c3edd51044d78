import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { isSupportedCountry } from 'libphonenumber-js/max';
import type { TwilioSettings } from './messages/twilio.ts';
import { PSP_SETTINGS, type PspSettings, readPspSettings } from './psp-settings.ts';
import { REFERRAL_SETTINGS, type ReferralSettings, readReferralSettings } from './referral-settings.ts';
import { readDataKeys, readKey, SANDBOX_SECRETS, type Secrets } from './vault.ts';

/** Everything that can be configured, read once at start. Nothing else reads the environment. */
export type Config = {
  mode: 'sandbox' | 'live';
  /** Front door: partners. */
  host: string;
  port: number;
  /** Staff door: the operator. */
  staffHost: string;
  staffPort: number;
  /** The address partners reach the front door by; links and problem types begin with it. */
  publicUrl: string | null;
  /** null: embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | null;
  databasePoolSize: number;
  dataDir: string;
  mediaDir: string;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustProxy: string | false;
  secrets: Secrets;
  /** How messages leave: to the sandbox inbox, or by SMS. */
  messages: { sender: 'inbox' } | { sender: 'twilio'; twilio: TwilioSettings };
  /** Login codes are sent to mobile numbers of these countries only (ISO 3166). */
  otpCountries: string[];
  psp: PspSettings;
  referral: ReferralSettings;
  /** For tests: where the process is to end itself. Never in live. */
  crashAt: string | null;
};

/** All the faults of a configuration at once, in words the operator can act on. */
export class ConfigFaults extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:`);
    this.faults = faults;
  }
}

type Environment = Record<string, string | undefined>;

export const SETTINGS: ReadonlyArray<{ name: string; fallback: string; meaning: string }> = [
  { name: 'SEMANA_MODE', fallback: 'sandbox', meaning: 'sandbox or live' },
  { name: 'PORT', fallback: '3000', meaning: 'port of the front door (partners); 0 picks a free one' },
  { name: 'HOST', fallback: '0.0.0.0', meaning: 'address the front door listens on' },
  { name: 'STAFF_PORT', fallback: '3001', meaning: 'port of the staff door (operator); 0 picks a free one' },
  { name: 'STAFF_HOST', fallback: '127.0.0.1', meaning: 'address the staff door listens on' },
  { name: 'PUBLIC_URL', fallback: 'http://localhost:PORT', meaning: 'address partners use; https in live' },
  { name: 'DATABASE_URL', fallback: '(embedded)', meaning: 'PostgreSQL 15 or later; required in live' },
  { name: 'DATABASE_POOL', fallback: '10', meaning: 'connections of this node, 1 to 200' },
  { name: 'DATA_DIR', fallback: '.semana', meaning: 'where the embedded PostgreSQL keeps its data' },
  { name: 'MEDIA_DIR', fallback: 'DATA_DIR/media', meaning: 'files served under /media/' },
  { name: 'LOG_LEVEL', fallback: 'info', meaning: 'debug, info, warn, error or silent' },
  {
    name: 'TRUST_PROXY',
    fallback: '(none)',
    meaning: 'addresses of proxies whose X-Forwarded-For is believed, e.g. 10.0.0.0/8,192.0.2.7',
  },
  {
    name: 'DATA_KEYS',
    fallback: '(known, sandbox only)',
    meaning: 'VERSION:BASE64 of 32 bytes, comma-separated: the first encrypts, all decrypt; required in live',
  },
  {
    name: 'LOOKUP_KEY',
    fallback: '(known, sandbox only)',
    meaning: 'base64 of 32 bytes, for keyed hashes; required in live',
  },
  { name: 'SMS_SENDER', fallback: 'inbox', meaning: 'inbox (sandbox only) or twilio; required in live' },
  { name: 'TWILIO_URL', fallback: 'https://api.twilio.com', meaning: 'address of the SMS gateway' },
  { name: 'TWILIO_ACCOUNT_SID', fallback: '-', meaning: 'account at the SMS gateway' },
  { name: 'TWILIO_AUTH_TOKEN', fallback: '-', meaning: 'its secret' },
  { name: 'TWILIO_FROM', fallback: '-', meaning: 'sending number, or id of a messaging service (MG...)' },
  {
    name: 'OTP_COUNTRIES',
    fallback: 'BR',
    meaning: 'countries whose mobile numbers get login codes, e.g. BR,PT',
  },
  ...PSP_SETTINGS,
  ...REFERRAL_SETTINGS,
  {
    name: 'SEMANA_CRASH_AT',
    fallback: '-',
    meaning: 'for tests: where the process ends itself; never in live',
  },
];

const PROJECT_ROOT = resolve(import.meta.dirname, '../..');

export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;

  const choice = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback;
    if ((allowed as readonly string[]).includes(value)) return value as T;
    faults.push(`${name} is '${value}'; it must be one of ${allowed.join(', ')}.`);
    return fallback;
  };

  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    faults.push(`${name} is '${value}'; it must be a whole number from ${min} to ${max}.`);
    return fallback;
  };

  const url = (name: string, protocols: readonly string[]): string | null => {
    const value = text(name);
    if (value === undefined) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '');
    // The value itself may hold a password, so it is not repeated.
    faults.push(`${name} is not an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
    return null;
  };

  const path = (name: string, fallback: string): string => {
    const value = text(name) ?? fallback;
    return isAbsolute(value) ? value : resolve(PROJECT_ROOT, value);
  };

  const mode = choice('SEMANA_MODE', ['sandbox', 'live'], 'sandbox');
  const dataDir = path('DATA_DIR', '.semana');
  const config: Config = {
    mode,
    host: text('HOST') ?? '0.0.0.0',
    port: integer('PORT', 3000, 0, 65535),
    staffHost: text('STAFF_HOST') ?? '127.0.0.1',
    staffPort: integer('STAFF_PORT', 3001, 0, 65535),
    publicUrl: url('PUBLIC_URL', mode === 'live' ? ['https:'] : ['http:', 'https:']),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: integer('DATABASE_POOL', 10, 1, 200),
    dataDir,
    mediaDir: path('MEDIA_DIR', resolve(dataDir, 'media')),
    logLevel: choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    trustProxy: readTrustProxy(text('TRUST_PROXY'), faults),
    secrets: readSecrets(text('DATA_KEYS'), text('LOOKUP_KEY'), mode, faults),
    messages: readMessages(),
    otpCountries: readCountries(text('OTP_COUNTRIES') ?? 'BR', faults),
    psp: readPspSettings({ mode, faults, text, url, integer, choice }),
    referral: readReferralSettings({ mode, faults, text }),
    crashAt: text('SEMANA_CRASH_AT') ?? null,
  };

  if (config.port !== 0 && config.port === config.staffPort) {
    faults.push(`PORT and STAFF_PORT are both ${config.port}; the two doors need a port each.`);
  }
  if (mode === 'live') {
    if (config.crashAt) faults.push('SEMANA_CRASH_AT is set; it is for tests only.');
    if (!text('DATABASE_URL'))
      faults.push('DATABASE_URL is missing; live mode keeps its data in your own PostgreSQL.');
    if (!text('PUBLIC_URL'))
      faults.push('PUBLIC_URL is missing; live mode needs the https address partners use.');
  }
  if (faults.length > 0) throw new ConfigFaults(faults);
  return config;

  function readMessages(): Config['messages'] {
    if (mode === 'live' && !text('SMS_SENDER')) {
      faults.push('SMS_SENDER is missing; live mode sends login codes by SMS: set it to twilio.');
      return { sender: 'inbox' };
    }
    const sender =
      mode === 'live'
        ? choice('SMS_SENDER', ['twilio'], 'twilio')
        : choice('SMS_SENDER', ['inbox', 'twilio'], 'inbox');
    if (sender === 'inbox') return { sender };
    const needed = (name: string): string => {
      if (!text(name)) faults.push(`${name} is missing; SMS_SENDER=twilio needs it.`);
      return text(name) ?? '';
    };
    const twilio = {
      url: url('TWILIO_URL', mode === 'live' ? ['https:'] : ['http:', 'https:']) ?? 'https://api.twilio.com',
      accountSid: needed('TWILIO_ACCOUNT_SID'),
      authToken: needed('TWILIO_AUTH_TOKEN'),
      from: needed('TWILIO_FROM'),
    };
    return { sender, twilio };
  }
}

function readCountries(text: string, faults: string[]): string[] {
  const countries = text.split(',').map((word) => word.trim());
  const unknown = countries.filter((country) => !isSupportedCountry(country));
  if (unknown.length > 0)
    faults.push(`OTP_COUNTRIES is '${text}'; write two-letter codes of countries: BR,PT.`);
  return countries;
}

const MAKE_A_KEY = `make one with 'openssl rand -base64 32'`;

/** The values are secrets, so a fault never repeats them. */
function readSecrets(
  dataKeysText: string | undefined,
  lookupKeyText: string | undefined,
  mode: Config['mode'],
  faults: string[],
): Secrets {
  const dataKeys = dataKeysText === undefined ? undefined : readDataKeys(dataKeysText);
  const lookupKey = lookupKeyText === undefined ? undefined : readKey(lookupKeyText);
  if (dataKeysText !== undefined && !dataKeys) {
    faults.push(
      `DATA_KEYS is not a comma-separated list of VERSION:KEY, each key 32 bytes in base64 (${MAKE_A_KEY}).`,
    );
  }
  if (lookupKeyText !== undefined && !lookupKey)
    faults.push(`LOOKUP_KEY is not 32 bytes in base64; ${MAKE_A_KEY}.`);
  if (mode === 'live') {
    if (dataKeysText === undefined)
      faults.push(`DATA_KEYS is missing; live mode encrypts personal data: set 1:KEY, ${MAKE_A_KEY}.`);
    if (lookupKeyText === undefined) faults.push(`LOOKUP_KEY is missing; ${MAKE_A_KEY}.`);
    const known = [SANDBOX_SECRETS.lookupKey, ...SANDBOX_SECRETS.dataKeys.map(({ key }) => key)];
    const given = [...(dataKeys ?? []).map(({ key }) => key), ...(lookupKey ? [lookupKey] : [])];
    if (given.some((key) => known.some((other) => other.equals(key))))
      faults.push(`DATA_KEYS or LOOKUP_KEY is the one of the sandbox, which everybody knows; ${MAKE_A_KEY}.`);
  }
  return {
    dataKeys: dataKeys ?? SANDBOX_SECRETS.dataKeys,
    lookupKey: lookupKey ?? SANDBOX_SECRETS.lookupKey,
  };
}

function readTrustProxy(text: string | undefined, faults: string[]): Config['trustProxy'] {
  if (text === undefined) return false;
  const isAddress = (part: string) => {
    const [address = '', bits] = part.trim().split('/');
    return isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
  };
  if (text.split(',').every(isAddress)) return text;
  faults.push(`TRUST_PROXY is '${text}'; write the addresses of proxies: 10.0.0.0/8,192.0.2.7.`);
  return false;
}
