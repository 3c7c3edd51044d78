import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { splitDatabaseUrl } from './database/database-client.ts';
import { readDataKeys, readKey, SANDBOX_SECRETS, type Secrets } from './privacy/vault.ts';
import { ConfigFaults, type Environment, type Mode, type Setting, SettingsReader } from './settings.ts';

/** What every part of the service goes by. Each module declares its own settings besides. */
export type Config = {
  mode: Mode;
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
  /** How many processes serve, on the same ports. */
  processes: number;
  dataDir: string;
  mediaDir: string;
  /** null: wherever they are found. */
  pgToolsDir: string | null;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** How long a node that is told to stop goes on serving, unready. */
  drainMs: number;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustProxy: string | false;
  secrets: Secrets;
};

const SETTINGS: readonly Setting[] = [
  { name: 'SEMANA_MODE', fallback: 'sandbox', meaning: 'sandbox or live' },
  { name: 'PORT', fallback: '3000', meaning: 'port of the front door (partners); 0 picks a free one' },
  { name: 'HOST', fallback: '0.0.0.0', meaning: 'address the front door listens on' },
  { name: 'STAFF_PORT', fallback: '3001', meaning: 'port of the staff door (operator); 0 picks a free one' },
  {
    name: 'STAFF_HOST',
    fallback: '127.0.0.1',
    meaning:
      'address the staff door listens on; keep it off the internet: metrics and readiness ask for no key',
  },
  {
    name: 'PUBLIC_URL',
    fallback: 'http://localhost:PORT',
    meaning: 'address partners use; https, and required, in live',
  },
  {
    name: 'DATABASE_URL',
    fallback: '(embedded)',
    meaning:
      'PostgreSQL 15 or later; several servers as HOST:PORT,HOST:PORT, of which the one that can be written to is used; required in live',
  },
  { name: 'DATABASE_POOL', fallback: '10', meaning: 'connections of each process, 1 to 200' },
  {
    name: 'WEB_CONCURRENCY',
    fallback: '1',
    meaning: 'processes of this node, which share its ports: as many as there are cores for them, 1 to 64',
  },
  { name: 'DATA_DIR', fallback: '.semana', meaning: 'where the embedded PostgreSQL keeps its data' },
  {
    name: 'PG_TOOLS_DIR',
    fallback: '(searched for)',
    meaning: 'directory of pg_dump and pg_restore, for backup and restore',
  },
  { name: 'MEDIA_DIR', fallback: 'DATA_DIR/media', meaning: 'files served under /media/' },
  {
    name: 'LOG_LEVEL',
    fallback: 'info',
    meaning:
      'debug (every request), info (those that failed, changed something or took over a second), warn, error or silent',
  },
  {
    name: 'DRAIN_MS',
    fallback: '5000, in the sandbox 0',
    meaning: 'how long to serve on after SIGTERM while /readyz says 503',
  },
  {
    name: 'TRUST_PROXY',
    fallback: '(none)',
    meaning: 'addresses of proxies whose X-Forwarded-For is believed, e.g. 10.0.0.0/8,192.0.2.7',
  },
  {
    name: 'DATA_KEYS',
    fallback: '(known, sandbox only)',
    meaning:
      'keys for personal data at rest, VERSION:BASE64 of 32 bytes, comma-separated: the first encrypts, all decrypt; required in live',
  },
  {
    name: 'LOOKUP_KEY',
    fallback: '(known, sandbox only)',
    meaning:
      'base64 of 32 bytes for keyed hashes (CPF, codes); required in live, and never to be changed there',
  },
];

/** What the configuration asks of a module. */
type Configurable = {
  readonly settings?: { readonly declared: readonly Setting[]; read(from: SettingsReader): unknown };
};

export type ReadConfig<M> = { config: Config; settingsOf(module: M): unknown };

/** Everything that can be set, for help and documentation. */
export function listSettings(modules: readonly Configurable[]): Setting[] {
  return [...SETTINGS, ...modules.flatMap(({ settings }) => settings?.declared ?? [])];
}

/** Reads the environment once: the settings of all, or all that is wrong with them. Nothing else reads it. */
export function readConfig<M extends Configurable>(
  env: Environment,
  modules: readonly M[] = [],
): ReadConfig<M> {
  const faults: string[] = [];
  const mode = new SettingsReader(env, 'sandbox', SETTINGS, faults).choice(
    'SEMANA_MODE',
    ['sandbox', 'live'],
    'sandbox',
  );
  const config = readPlatform(new SettingsReader(env, mode, SETTINGS, faults));
  const read = new Map<M, unknown>();
  for (const module of modules) {
    const { settings } = module;
    if (settings) read.set(module, settings.read(new SettingsReader(env, mode, settings.declared, faults)));
  }
  if (faults.length > 0) throw new ConfigFaults(faults);
  return { config, settingsOf: (module) => read.get(module) };
}

/** The settings of one module, for a process that is not the service. */
export function readOwnSettings(env: Environment, { settings }: Configurable): unknown {
  const faults: string[] = [];
  const platform = new SettingsReader(env, 'sandbox', SETTINGS, faults);
  const mode = platform.choice('SEMANA_MODE', ['sandbox', 'live'], 'sandbox');
  const own = settings?.read(new SettingsReader(env, mode, settings.declared, faults));
  if (faults.length > 0) throw new ConfigFaults(faults);
  return own;
}

function readPlatform(from: SettingsReader): Config {
  const dataDir = from.path('DATA_DIR', '.semana');
  const config: Config = {
    mode: from.mode,
    host: from.text('HOST') ?? '0.0.0.0',
    port: from.integer('PORT', 3000, 0, 65535),
    staffHost: from.text('STAFF_HOST') ?? '127.0.0.1',
    staffPort: from.integer('STAFF_PORT', 3001, 0, 65535),
    publicUrl: from.url('PUBLIC_URL', from.webProtocols),
    databaseUrl: readDatabaseUrl(from),
    databasePoolSize: from.integer('DATABASE_POOL', 10, 1, 200),
    processes: from.integer('WEB_CONCURRENCY', 1, 1, 64),
    dataDir,
    mediaDir: from.path('MEDIA_DIR', resolve(dataDir, 'media')),
    pgToolsDir: from.text('PG_TOOLS_DIR') ?? null,
    logLevel: from.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    drainMs: from.integer('DRAIN_MS', from.mode === 'live' ? 5_000 : 0, 0, 300_000),
    trustProxy: readTrustProxy(from),
    secrets: readSecrets(from),
  };
  if (config.port !== 0 && config.port === config.staffPort)
    from.fault(`PORT and STAFF_PORT are both ${config.port}; the two doors need a port each.`);
  from.needed('DATABASE_URL', '', 'live mode keeps its data in your own PostgreSQL');
  from.needed('PUBLIC_URL', '', 'live mode needs the https address partners use');
  return config;
}

function readDatabaseUrl(from: SettingsReader): string | null {
  const url = from.text('DATABASE_URL');
  if (url === undefined) return null;
  const servers = splitDatabaseUrl(url);
  // The value itself may hold a password, so it is not repeated.
  if (!servers) from.fault('DATABASE_URL is not an address that begins with postgres:// or postgresql://.');
  const wish = servers && new URL(servers[0]!).searchParams.get('target_session_attrs');
  if (wish && !['read-write', 'primary'].includes(wish))
    from.fault('DATABASE_URL asks for target_session_attrs; only read-write, the default, can be served.');
  return servers && url.replace(/\/+$/, '');
}

const MAKE_A_KEY = `make one with 'openssl rand -base64 32'`;

/** The values are secrets, so a fault never repeats them. */
function readSecrets(from: SettingsReader): Secrets {
  const [dataKeysText, lookupKeyText] = [from.text('DATA_KEYS'), from.text('LOOKUP_KEY')];
  const dataKeys = dataKeysText === undefined ? undefined : readDataKeys(dataKeysText);
  const lookupKey = lookupKeyText === undefined ? undefined : readKey(lookupKeyText);
  if (dataKeysText !== undefined && !dataKeys)
    from.fault(
      `DATA_KEYS is not a comma-separated list of VERSION:KEY, each key 32 bytes in base64 (${MAKE_A_KEY}).`,
    );
  if (lookupKeyText !== undefined && !lookupKey)
    from.fault(`LOOKUP_KEY is not 32 bytes in base64; ${MAKE_A_KEY}.`);
  from.needed('DATA_KEYS', '', `live mode encrypts personal data: set 1:KEY, ${MAKE_A_KEY}`);
  from.needed('LOOKUP_KEY', '', MAKE_A_KEY);
  const known = [SANDBOX_SECRETS.lookupKey, ...SANDBOX_SECRETS.dataKeys.map(({ key }) => key)];
  const chosen = [...(dataKeys ?? []).map(({ key }) => key), ...(lookupKey ? [lookupKey] : [])];
  if (from.mode === 'live' && chosen.some((key) => known.some((other) => other.equals(key))))
    from.fault(`DATA_KEYS or LOOKUP_KEY is the one of the sandbox, which everybody knows; ${MAKE_A_KEY}.`);
  return {
    dataKeys: dataKeys ?? SANDBOX_SECRETS.dataKeys,
    lookupKey: lookupKey ?? SANDBOX_SECRETS.lookupKey,
  };
}

function readTrustProxy(from: SettingsReader): Config['trustProxy'] {
  const text = from.text('TRUST_PROXY');
  if (text === undefined) return false;
  const isAddress = (part: string) => {
    const [address = '', bits] = part.trim().split('/');
    return isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
  };
  if (text.split(',').every(isAddress)) return text;
  from.fault(`TRUST_PROXY is '${text}'; write the addresses of proxies: 10.0.0.0/8,192.0.2.7.`);
  return false;
}
