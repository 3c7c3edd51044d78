import { isAbsolute, resolve } from 'node:path';

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
  };

  if (config.port !== 0 && config.port === config.staffPort) {
    faults.push(`PORT and STAFF_PORT are both ${config.port}; the two doors need a port each.`);
  }
  if (mode === 'live') {
    if (!text('DATABASE_URL'))
      faults.push('DATABASE_URL is missing; live mode keeps its data in your own PostgreSQL.');
    if (!text('PUBLIC_URL'))
      faults.push('PUBLIC_URL is missing; live mode needs the https address partners use.');
  }
  if (faults.length > 0) throw new ConfigFaults(faults);
  return config;
}
