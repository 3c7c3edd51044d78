import { resolve } from 'node:path';
import { splitDatabaseUrl } from './database/database-client.ts';
import {
  ConfigFaults,
  choice,
  collectFaults,
  defineSetting,
  defineSettings,
  type Environment,
  integer,
  linkTo,
  type Mode,
  path,
  port,
  proxies,
  type Setting,
  type SettingInForce,
  type Settings,
  type SettingsOf,
  SettingsReader,
  settingInForce,
  text,
  WrongValue,
  webUrl,
} from './settings.ts';
import { type DataKey, readDataKeys, readKey, SANDBOX_SECRETS } from './vault.ts';

const MAKE_A_KEY = `make one with 'openssl rand -base64 32'`;
const base64 = (bytes: Buffer) => bytes.toString('base64');
const KNOWN_KEYS = [SANDBOX_SECRETS.lookupKey, ...SANDBOX_SECRETS.dataKeys.map(({ key }) => key)];

const mode = defineSetting({
  name: 'SEMANA_MODE',
  meaning: { en: 'sandbox or live', pt: 'modo do serviço: sandbox ou live (produção)' },
  default: 'sandbox',
  read: choice('sandbox', 'live'),
});
export const frontHost = defineSetting({
  name: 'HOST',
  meaning: { en: 'address the front door listens on', pt: 'endereço em que a API de parceiros atende' },
  default: '0.0.0.0',
  read: text,
});
export const frontPort = defineSetting({
  name: 'PORT',
  meaning: {
    en: 'port of the front door (partners); 0 picks a free one',
    pt: 'porta TCP da API de parceiros (a porta da frente); 0 escolhe uma livre',
  },
  default: '3000',
  read: port,
});
export const staffPort = defineSetting({
  name: 'STAFF_PORT',
  meaning: {
    en: 'port of the staff door (operator); 0 picks a free one',
    pt: 'porta TCP da API da equipe (a da operadora); 0 escolhe uma livre',
  },
  default: '3001',
  read: port,
});

/** The address of the pages. The web module declares it; modules that send people to a page read it. */
export const webPort = defineSetting({
  name: 'WEB_PORT',
  meaning: {
    en: 'port of the pages; 0 picks a free one, off: none',
    pt: 'porta TCP das páginas (site, carteira, balcão); 0 escolhe uma livre, off: nenhuma',
  },
  default: '3003',
  read: (given, inMode) => (given === 'off' ? null : port(given, inMode)),
});
export const webAddress = defineSetting({
  name: 'WEB_URL',
  meaning: {
    en: 'address of the site; https, and required by `semana web` in live',
    pt: 'endereço do site; https, e obrigatório para `semana web` em produção',
  },
  shown: 'http://localhost:WEB_PORT',
  neededInLive: 'the pages need it in live mode',
  read: webUrl,
});

/** The address of the back office, declared by its module in the same way. */
export const officePort = defineSetting({
  name: 'OFFICE_PORT',
  meaning: {
    en: 'port of the back office; 0 picks a free one, off: none',
    pt: 'porta TCP da retaguarda; 0 escolhe uma livre, off: nenhuma',
  },
  default: '3004',
  read: (given, inMode) => (given === 'off' ? null : port(given, inMode)),
});
export const officeAddress = defineSetting({
  name: 'OFFICE_URL',
  meaning: {
    en: 'address of the back office; https, and required by `semana office` in live',
    pt: 'endereço da retaguarda; https, e obrigatório para `semana office` em produção',
  },
  shown: 'http://localhost:OFFICE_PORT',
  neededInLive: 'the back office needs it in live mode',
  read: webUrl,
});

/** The template of a link that people are sent, with `{name}` for a variable part. Default: `page` on our own pages. */
export const pageLink = (
  declared: Pick<Setting, 'name' | 'meaning'> & { page: string; neededInLive: string },
) =>
  defineSetting({
    name: declared.name,
    meaning: declared.meaning,
    default: {
      shown: `http://localhost:WEB_PORT${declared.page}`,
      from(read) {
        const own = `http://localhost:${read(webPort) || webPort.default}`;
        return `${read(webAddress) ?? own}${declared.page}`;
      },
    },
    neededInLive: declared.neededInLive,
    read: linkTo(declared.page),
  });

/** Settings that every part of the service uses. Each module declares its own beside these. */
const platformSettings = defineSettings(
  {
    mode,
    port: frontPort,
    host: frontHost,
    staffPort,
    staffHost: {
      name: 'STAFF_HOST',
      meaning: {
        en: 'address the staff door listens on; keep it off the internet: metrics and readiness ask for no key',
        pt: 'endereço em que a API da equipe atende; mantenha fora da internet: métricas e prontidão não pedem chave',
      },
      default: '127.0.0.1',
      read: text,
    },
    publicUrl: {
      name: 'PUBLIC_URL',
      meaning: {
        en: 'address partners use; https, and required, in live',
        pt: 'endereço que os parceiros usam; https e obrigatório em produção',
      },
      shown: 'http://localhost:PORT',
      neededInLive: 'live mode needs the https address partners use',
      read: webUrl,
    },
    databaseUrl: {
      name: 'DATABASE_URL',
      meaning: {
        en: 'PostgreSQL 15 or later; several servers as HOST:PORT,HOST:PORT, of which the one that can be written to is used; required in live',
        pt: 'PostgreSQL 15 ou mais novo; vários servidores como HOST:PORT,HOST:PORT, dos quais se usa o que aceita escrita; obrigatório em produção',
      },
      shown: { en: '(embedded)', pt: '(embutido)' },
      neededInLive: 'live mode keeps its data in your own PostgreSQL',
      read: readDatabaseUrl,
    },
    databasePoolSize: {
      name: 'DATABASE_POOL',
      meaning: {
        en: 'connections of each process, 1 to 200',
        pt: 'conexões de cada processo com o banco de dados, 1 a 200',
      },
      default: '10',
      read: integer(1, 200),
    },
    processes: {
      name: 'WEB_CONCURRENCY',
      meaning: {
        en: 'processes of this node, which share its ports: as many as there are cores for them, 1 to 64',
        pt: 'processos deste servidor, que dividem as mesmas portas: tantos quantos núcleos houver para eles, 1 a 64',
      },
      default: '1',
      read: integer(1, 64),
    },
    dataDir: {
      name: 'DATA_DIR',
      meaning: {
        en: 'where the embedded PostgreSQL keeps its data',
        pt: 'onde o PostgreSQL embutido guarda os dados',
      },
      default: '.semana',
      read: path,
    },
    pgToolsDir: {
      name: 'PG_TOOLS_DIR',
      meaning: {
        en: 'directory of pg_dump and pg_restore, for backup and restore',
        pt: 'pasta do pg_dump e do pg_restore, para backup e restauração',
      },
      shown: { en: '(searched for)', pt: '(procurado)' },
      read: text,
    },
    mediaDir: {
      name: 'MEDIA_DIR',
      meaning: { en: 'files served under /media/', pt: 'pasta dos arquivos servidos em /media/' },
      shown: 'DATA_DIR/media',
      read: path,
    },
    logLevel: {
      name: 'LOG_LEVEL',
      meaning: {
        en: 'debug (every request), info (those that failed, changed something or took over a second), warn, error or silent',
        pt: 'debug (toda requisição), info (as que falharam, mudaram algo ou levaram mais de um segundo), warn, error ou silent',
      },
      default: 'info',
      read: choice('debug', 'info', 'warn', 'error', 'silent'),
    },
    drainMs: {
      name: 'DRAIN_MS',
      meaning: {
        en: 'how long to serve on after SIGTERM while /readyz says 503',
        pt: 'por quantos milissegundos continuar atendendo depois do SIGTERM, enquanto /readyz responde 503',
      },
      default: { sandbox: '0', live: '5000' },
      read: integer(0, 300_000),
    },
    trustProxy: {
      name: 'TRUST_PROXY',
      meaning: {
        en: 'addresses of proxies whose X-Forwarded-For is believed, e.g. 10.0.0.0/8,192.0.2.7',
        pt: 'endereços dos proxies cujo X-Forwarded-For é aceito, ex.: 10.0.0.0/8,192.0.2.7',
      },
      shown: { en: '(none)', pt: '(nenhum)' },
      read: proxies,
    },
    dataKeys: {
      name: 'DATA_KEYS',
      meaning: {
        en: 'keys for personal data at rest, VERSION:BASE64 of 32 bytes, comma-separated: the first encrypts, all decrypt; required in live',
        pt: 'chaves que cifram os dados pessoais guardados, VERSÃO:BASE64 de 32 bytes, separadas por vírgula: a primeira cifra, todas decifram; obrigatórias em produção',
      },
      default: { sandbox: `1:${base64(SANDBOX_SECRETS.dataKeys[0]!.key)}` },
      neededInLive: `live mode encrypts personal data: set 1:KEY, ${MAKE_A_KEY}`,
      secret: true,
      read: dataKeys,
    },
    lookupKey: {
      name: 'LOOKUP_KEY',
      meaning: {
        en: 'base64 of 32 bytes for keyed hashes (CPF, codes); required in live, and changed only as docs/operating.md tells',
        pt: 'base64 de 32 bytes para os hashes com chave (CPF, códigos); obrigatória em produção, e só se troca como explica docs/operating.md',
      },
      default: { sandbox: base64(SANDBOX_SECRETS.lookupKey) },
      neededInLive: MAKE_A_KEY,
      secret: true,
      read: secretKey,
    },
  },
  ({ dataKeys, lookupKey, mediaDir, trustProxy, ...values }, { fault }) => {
    if (values.port !== 0 && values.port === values.staffPort)
      fault(`PORT and STAFF_PORT are both ${values.port}; the two doors need a port each.`);
    return {
      ...values,
      mediaDir: mediaDir ?? resolve(values.dataDir, 'media'),
      trustProxy: trustProxy ?? (false as const),
      secrets: { dataKeys, lookupKey },
    };
  },
);

export type Config = SettingsOf<typeof platformSettings>;

function readDatabaseUrl(given: string): string {
  const servers = splitDatabaseUrl(given);
  // The value itself may hold a password, so it is not repeated.
  if (!servers) throw new WrongValue('is not an address that begins with postgres:// or postgresql://.');
  const wish = new URL(servers[0]!).searchParams.get('target_session_attrs');
  if (wish && !['read-write', 'primary'].includes(wish))
    throw new WrongValue('asks for target_session_attrs; only read-write, the default, can be served.');
  return given.replace(/\/+$/, '');
}

/** The values are secrets, so a fault never repeats them. */
function dataKeys(given: string, inMode: Mode): DataKey[] {
  const keys = readDataKeys(given);
  if (!keys)
    throw new WrongValue(
      `is not a comma-separated list of VERSION:KEY, each key 32 bytes in base64 (${MAKE_A_KEY}).`,
    );
  for (const { key } of keys) refuseKnown(key, inMode);
  return keys;
}

export function secretKey(given: string, inMode: Mode): Buffer {
  const key = readKey(given);
  if (!key) throw new WrongValue(`is not 32 bytes in base64; ${MAKE_A_KEY}.`);
  refuseKnown(key, inMode);
  return key;
}

function refuseKnown(key: Buffer, inMode: Mode): void {
  if (inMode === 'live' && KNOWN_KEYS.some((known) => known.equals(key)))
    throw new WrongValue(`is the one of the sandbox, which everybody knows; ${MAKE_A_KEY}.`);
}

/** What the configuration asks of a module. */
type Configurable = {
  readonly settings?: Settings<unknown>;
  /** In live mode such a module has a process of its own, and the service does not run it. */
  readonly process?: unknown;
};

export type ReadConfig<M> = {
  readonly config: Config;
  settingsOf(module: M): unknown;
  /** As they are set or by default; secrets are hidden. */
  inForce(settings: readonly Setting[]): SettingInForce[];
};

/** Everything that can be set, for help and documentation. */
export function listSettings(modules: readonly Configurable[]): readonly Setting[] {
  return [...platformSettings.declared, ...modules.flatMap(({ settings }) => settings?.declared ?? [])];
}

/** Reads each module's settings from the environment when asked for them. Throws all faults of that module together. */
export function openConfig<M extends Configurable>(env: Environment): ReadConfig<M> {
  const read = new Map<Settings<unknown>, unknown>();
  const valuesOf = <S>(settings: Settings<S>): S => {
    if (!read.has(settings)) {
      const ofMode = new SettingsReader(env, 'sandbox');
      const from = new SettingsReader(env, ofMode.value(mode));
      const values = settings.read(from);
      collectFaults([() => refuse(ofMode.faults), () => refuse(from.faults)]);
      read.set(settings, values);
    }
    return read.get(settings) as S;
  };
  return {
    get config() {
      return valuesOf(platformSettings);
    },
    settingsOf: ({ settings }) => settings && valuesOf(settings),
    inForce: (settings) => settings.map((setting) => settingInForce(setting, env)),
  };
}

function refuse(faults: string[]): void {
  if (faults.length > 0) throw new ConfigFaults(faults);
}

/** Reads all settings of the service. Throws all faults together. */
export function readConfig<M extends Configurable>(
  env: Environment,
  modules: readonly M[] = [],
): ReadConfig<M> {
  const opened = openConfig<M>(env);
  const isLive = new SettingsReader(env, 'sandbox').value(mode) === 'live';
  const running = modules.filter((module) => !(isLive && module.process));
  collectFaults([() => opened.config, ...running.map((module) => () => opened.settingsOf(module))]);
  return opened;
}
