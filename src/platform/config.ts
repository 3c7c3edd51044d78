import { resolve } from 'node:path';
import { isMisspelling } from '#core/values/nearest.ts';
import { splitDatabaseUrl } from './database/database-client.ts';
import {
  ConfigErrors,
  choice,
  collectConfigErrors,
  defineSetting,
  defineSettings,
  type EffectiveSetting,
  type Environment,
  InvalidValue,
  integer,
  linkTemplate,
  type Mode,
  path,
  port,
  proxies,
  type Setting,
  type Settings,
  type SettingsOf,
  SettingsReader,
  text,
  toEffectiveSetting,
  webUrl,
} from './settings.ts';
import { type DataKey, parseDataKeys, parseKey, SANDBOX_SECRETS } from './vault.ts';

const KEY_CREATION_HINT = `create one with 'openssl rand -base64 32'`;
const encodeBase64 = (bytes: Buffer) => bytes.toString('base64');
const SANDBOX_KEYS = [SANDBOX_SECRETS.lookupKey, ...SANDBOX_SECRETS.dataKeys.map(({ key }) => key)];

const mode = defineSetting({
  name: 'SEMANA_MODE',
  description: { en: 'sandbox or live', pt: 'modo do serviço: sandbox ou live (produção)' },
  default: 'sandbox',
  parse: choice('sandbox', 'live'),
});
export const partnerHost = defineSetting({
  name: 'HOST',
  description: { en: 'address the partner API listens on', pt: 'endereço em que a API de parceiros atende' },
  default: '0.0.0.0',
  parse: text,
});
export const partnerPort = defineSetting({
  name: 'PORT',
  description: {
    en: 'port of the partner API; 0 picks a free one',
    pt: 'porta TCP da API de parceiros (a porta da frente); 0 escolhe uma livre',
  },
  default: '3000',
  parse: port,
});
export const staffPort = defineSetting({
  name: 'STAFF_PORT',
  description: {
    en: 'port of the staff API; 0 picks a free one',
    pt: 'porta TCP da API da equipe (a da operadora); 0 escolhe uma livre',
  },
  default: '3001',
  parse: port,
});

/** The settings of the web pages. They are settings of the web module, defined here because modules that link to a page read them too. */
export const webPort = defineSetting({
  name: 'WEB_PORT',
  description: {
    en: 'port of the web pages; 0 picks a free one, off disables them',
    pt: 'porta TCP das páginas (site, carteira, balcão); 0 escolhe uma livre, off: nenhuma',
  },
  default: '3003',
  parse: (value, currentMode) => (value === 'off' ? null : port(value, currentMode)),
});
export const webBaseUrl = defineSetting({
  name: 'WEB_URL',
  description: {
    en: 'URL of the site; https in live, and required there by `semana web`',
    pt: 'endereço do site; https, e obrigatório para `semana web` em produção',
  },
  defaultLabel: 'http://localhost:WEB_PORT',
  requiredInLive: 'live mode requires it for the web pages',
  parse: webUrl,
});

/** The settings of the back office, defined here because modules that link to a page read them too. */
export const officePort = defineSetting({
  name: 'OFFICE_PORT',
  description: {
    en: 'port of the back office; 0 picks a free one, off disables it',
    pt: 'porta TCP da retaguarda; 0 escolhe uma livre, off: nenhuma',
  },
  default: '3004',
  parse: (value, currentMode) => (value === 'off' ? null : port(value, currentMode)),
});
export const officeBaseUrl = defineSetting({
  name: 'OFFICE_URL',
  description: {
    en: 'URL of the back office; https in live, and required there by `semana office`',
    pt: 'endereço da retaguarda; https, e obrigatório para `semana office` em produção',
  },
  defaultLabel: 'http://localhost:OFFICE_PORT',
  requiredInLive: 'live mode requires it for the back office',
  parse: webUrl,
});

/** Declares the template of a link in messages, with `{name}` as a placeholder. The default is `page` on our own site. */
export const defineLinkSetting = (
  declaration: Pick<Setting, 'name' | 'description'> & { page: string; requiredInLive: string },
) =>
  defineSetting({
    name: declaration.name,
    description: declaration.description,
    default: {
      label: `http://localhost:WEB_PORT${declaration.page}`,
      derive(read) {
        const localUrl = `http://localhost:${read(webPort) || webPort.default}`; // A link cannot use `0` and `off`.
        return `${read(webBaseUrl) ?? localUrl}${declaration.page}`;
      },
    },
    requiredInLive: declaration.requiredInLive,
    parse: linkTemplate(declaration.page),
  });

const platformSettings = defineSettings(
  {
    mode,
    port: partnerPort,
    host: partnerHost,
    staffPort,
    staffHost: {
      name: 'STAFF_HOST',
      description: {
        en: 'address the staff API listens on; keep it off the internet: metrics and readiness require no API key',
        pt: 'endereço em que a API da equipe atende; mantenha fora da internet: métricas e prontidão não pedem chave',
      },
      default: '127.0.0.1',
      parse: text,
    },
    publicUrl: {
      name: 'PUBLIC_URL',
      description: {
        en: 'URL that partners use; https and required in live',
        pt: 'endereço que os parceiros usam; https e obrigatório em produção',
      },
      defaultLabel: 'http://localhost:PORT',
      requiredInLive: 'live mode requires the https URL that partners use',
      parse: webUrl,
    },
    databaseUrl: {
      name: 'DATABASE_URL',
      description: {
        en: 'PostgreSQL 15 or later; for several servers HOST:PORT,HOST:PORT, of which the writable one is used; required in live',
        pt: 'PostgreSQL 15 ou mais novo; vários servidores como HOST:PORT,HOST:PORT, dos quais se usa o que aceita escrita; obrigatório em produção',
      },
      defaultLabel: { en: '(embedded)', pt: '(embutido)' },
      requiredInLive: 'live mode stores its data in your own PostgreSQL',
      parse: parseDatabaseUrl,
    },
    databasePoolSize: {
      name: 'DATABASE_POOL',
      description: {
        en: 'database connections per process, 1 to 200',
        pt: 'conexões de cada processo com o banco de dados, 1 a 200',
      },
      default: '10',
      parse: integer(1, 200),
    },
    processes: {
      name: 'WEB_CONCURRENCY',
      description: {
        en: 'processes of this node, which share its ports, 1 to 64; recommended: one per available core',
        pt: 'processos deste servidor, que dividem as mesmas portas: tantos quantos núcleos houver para eles, 1 a 64',
      },
      default: '1',
      parse: integer(1, 64),
    },
    dataDir: {
      name: 'DATA_DIR',
      description: {
        en: 'data directory of the embedded PostgreSQL',
        pt: 'onde o PostgreSQL embutido guarda os dados',
      },
      default: '.semana',
      parse: path,
    },
    pgToolsDir: {
      name: 'PG_TOOLS_DIR',
      description: {
        en: 'directory of pg_dump and pg_restore, for backup and restore',
        pt: 'pasta do pg_dump e do pg_restore, para backup e restauração',
      },
      defaultLabel: { en: '(detected)', pt: '(procurado)' },
      parse: text,
    },
    mediaDir: {
      name: 'MEDIA_DIR',
      description: {
        en: 'directory of the files served under /media/',
        pt: 'pasta dos arquivos servidos em /media/',
      },
      defaultLabel: 'DATA_DIR/media',
      parse: path,
    },
    logLevel: {
      name: 'LOG_LEVEL',
      description: {
        en: 'debug (every request), info (requests that fail, write or take over a second), warn, error or silent',
        pt: 'debug (toda requisição), info (as que falharam, mudaram algo ou levaram mais de um segundo), warn, error ou silent',
      },
      default: 'info',
      parse: choice('debug', 'info', 'warn', 'error', 'silent'),
    },
    drainMs: {
      name: 'DRAIN_MS',
      description: {
        en: 'milliseconds to continue serving after SIGTERM, while /readyz returns 503',
        pt: 'por quantos milissegundos continuar atendendo depois do SIGTERM, enquanto /readyz responde 503',
      },
      default: { sandbox: '0', live: '5000' },
      parse: integer(0, 300_000),
    },
    trustProxy: {
      name: 'TRUST_PROXY',
      description: {
        en: 'addresses of proxies whose X-Forwarded-For header is trusted, e.g. 10.0.0.0/8,192.0.2.7',
        pt: 'endereços dos proxies cujo X-Forwarded-For é aceito, ex.: 10.0.0.0/8,192.0.2.7',
      },
      defaultLabel: { en: '(none)', pt: '(nenhum)' },
      parse: proxies,
    },
    dataKeys: {
      name: 'DATA_KEYS',
      description: {
        en: 'encryption keys for stored personal data, VERSION:BASE64 of 32 bytes, comma-separated: the first encrypts, all decrypt; required in live',
        pt: 'chaves que cifram os dados pessoais guardados, VERSÃO:BASE64 de 32 bytes, separadas por vírgula: a primeira cifra, todas decifram; obrigatórias em produção',
      },
      default: { sandbox: `1:${encodeBase64(SANDBOX_SECRETS.dataKeys[0]!.key)}` },
      requiredInLive: `live mode encrypts personal data: set 1:KEY, ${KEY_CREATION_HINT}`,
      secret: true,
      parse: parseDataKeySetting,
    },
    lookupKey: {
      name: 'LOOKUP_KEY',
      description: {
        en: 'base64 of 32 bytes for keyed hashes (CPF, codes); required in live; to change it, see docs/operating.md',
        pt: 'base64 de 32 bytes para os hashes com chave (CPF, códigos); obrigatória em produção, e só se troca como explica docs/operating.md',
      },
      default: { sandbox: encodeBase64(SANDBOX_SECRETS.lookupKey) },
      requiredInLive: KEY_CREATION_HINT,
      secret: true,
      parse: parseSecretKey,
    },
  },
  ({ dataKeys, lookupKey, mediaDir, trustProxy, ...values }, { addError }) => {
    if (values.port !== 0 && values.port === values.staffPort)
      addError(`PORT and STAFF_PORT are both ${values.port}; the two API servers need different ports.`);
    return {
      ...values,
      mediaDir: mediaDir ?? resolve(values.dataDir, 'media'),
      trustProxy: trustProxy ?? (false as const),
      secrets: { dataKeys, lookupKey },
    };
  },
);

export type Config = SettingsOf<typeof platformSettings>;

function parseDatabaseUrl(value: string): string {
  const [firstServerUrl] = splitDatabaseUrl(value) ?? [];
  // The value may contain a password, so the message does not repeat it.
  if (!firstServerUrl) throw new InvalidValue('is not a URL that begins with postgres:// or postgresql://.');
  const sessionAttributes = new URL(firstServerUrl).searchParams.get('target_session_attrs');
  if (sessionAttributes && !['read-write', 'primary'].includes(sessionAttributes))
    throw new InvalidValue('sets target_session_attrs; only read-write, the default, is supported.');
  return value.replace(/\/+$/, '');
}

/** The values are secrets, so error messages never repeat them. */
function parseDataKeySetting(value: string, currentMode: Mode): DataKey[] {
  const dataKeys = parseDataKeys(value);
  if (!dataKeys)
    throw new InvalidValue(
      `is not a comma-separated list of VERSION:KEY, each key 32 bytes in base64 (${KEY_CREATION_HINT}).`,
    );
  for (const { key } of dataKeys) refuseSandboxKey(key, currentMode);
  return dataKeys;
}

export function parseSecretKey(value: string, currentMode: Mode): Buffer {
  const key = parseKey(value);
  if (!key) throw new InvalidValue(`is not 32 bytes in base64; ${KEY_CREATION_HINT}.`);
  refuseSandboxKey(key, currentMode);
  return key;
}

function refuseSandboxKey(key: Buffer, currentMode: Mode): void {
  if (currentMode === 'live' && SANDBOX_KEYS.some((sandboxKey) => sandboxKey.equals(key)))
    throw new InvalidValue(`is the public key of the sandbox; ${KEY_CREATION_HINT}.`);
}

type Configurable = {
  readonly settings?: Settings<unknown>;
  /** In live mode such a module runs in a process of its own and not in the service. */
  readonly processCommand?: unknown;
};

export type ConfigReader = ReturnType<typeof createConfigReader>;

export function listSettings(modules: readonly Configurable[]): readonly Setting[] {
  return [...platformSettings.list, ...modules.flatMap(({ settings }) => settings?.list ?? [])];
}

/** Matches settings of common programs, such as PIP_CERT, which is close to our PSP_CERT. */
const COMMON_PROGRAM_PREFIX = /^(?:PIP|NPM|NODE|GIT)_/;

/** Describes environment variables whose names are close to a setting's. A name of one word is too common to be a mistake. */
export function listMisspelledSettings(env: Environment, settings: readonly Setting[]): string[] {
  const settingNames = settings.map(({ name }) => name);
  return Object.keys(env).flatMap((name) => {
    if (settingNames.includes(name) || COMMON_PROGRAM_PREFIX.test(name) || !/^[A-Z]+(?:_[A-Z]+)+$/.test(name))
      return [];
    const nearestName = settingNames.find((setting) => isMisspelling(name, setting));
    return nearestName === undefined ? [] : `${name} is not a setting. Did you mean ${nearestName}?`;
  });
}

/** Reads the settings of each module on first use. Throws all errors of that module together. */
export function createConfigReader(env: Environment) {
  const valuesBySettings = new Map<Settings<unknown>, unknown>();
  const readCached = <S>(settings: Settings<S>): S => {
    if (!valuesBySettings.has(settings)) {
      // The mode itself is read first, as if in the sandbox. All other settings are read in the mode that it names.
      const modeReader = new SettingsReader(env, 'sandbox');
      const reader = new SettingsReader(env, modeReader.readValue(mode));
      const settingValues = settings.read(reader);
      const errors = [...modeReader.errors, ...reader.errors];
      if (errors.length > 0) throw new ConfigErrors([...new Set(errors)]);
      valuesBySettings.set(settings, settingValues);
    }
    return valuesBySettings.get(settings) as S;
  };
  return {
    get config(): Config {
      return readCached(platformSettings);
    },
    readSettings: ({ settings }: Configurable): unknown => settings && readCached(settings),
    /** Lists the effective value of each setting: the configured one or the default. Secrets are hidden. */
    listEffectiveSettings: (settings: readonly Setting[]): EffectiveSetting[] =>
      settings.map((setting) => toEffectiveSetting(setting, env)),
  };
}

/** Reads and validates all settings of the service. Throws all errors together. */
export function createValidConfigReader(env: Environment, modules: readonly Configurable[] = []) {
  const configReader = createConfigReader(env);
  const isLive = new SettingsReader(env, 'sandbox').readValue(mode) === 'live';
  const usedModules = modules.filter((module) => !(isLive && module.processCommand));
  collectConfigErrors([
    () => configReader.config,
    ...usedModules.map((module) => () => configReader.readSettings(module)),
  ]);
  return configReader;
}
