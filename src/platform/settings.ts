import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Bilingual } from '#core/values/bilingual.ts';
import { type Cents, parseReais } from '#core/values/money.ts';

export type Mode = 'sandbox' | 'live';
export type Environment = Record<string, string | undefined>;

/** Parses the text of a setting. Throws InvalidValue if it cannot be used. */
type ParseSetting<T> = (text: string, mode: Mode) => T;

/** Thrown if the value of a setting is invalid. The message continues after the name of the setting: "is 'x'; it must be …". */
export class InvalidValue extends Error {}

/** A default that depends on other settings. `label` describes it in the help. */
type DerivedDefault = {
  readonly label: string;
  derive(read: <S extends Setting>(other: S) => Value<S>): unknown;
};

/** The complete declaration of a setting. Its parsing, help, docs/operating.md and error messages are derived from it. */
export type Setting = {
  readonly name: string;
  /** Help and docs/operating.md are in English, the back office is in Portuguese. */
  readonly description: Bilingual;
  /** A text, which is parsed like the value in the environment, or an object if the modes differ. Without a default the value is null. */
  readonly default?: string | { readonly sandbox: string; readonly live?: string } | DerivedDefault;
  /** Describes the default in the help instead of its value. */
  readonly defaultLabel?: string | Bilingual;
  /** Why live mode requires the setting. The error continues with it: "NAME is missing; …". */
  readonly requiredInLive?: string;
  /** Whether the value is never printed. Live mode rejects the sandbox default, which is public. */
  readonly secret?: true;
  readonly parse: ParseSetting<unknown>;
};

export type Value<S extends Setting> = S extends { default: unknown }
  ? ReturnType<S['parse']>
  : ReturnType<S['parse']> | null;

type Declarations = Readonly<Record<string, Setting>>;
type Values<D extends Declarations> = { -readonly [K in keyof D]: Value<D[K]> };

export type SettingChecks<K extends PropertyKey> = {
  readonly mode: Mode;
  addError(text: string): void;
  isSet(key: K): boolean;
  /** Adds an error for each of these settings that is not set. */
  requireSet(keys: readonly K[], reason: string): void;
};

export type Settings<S> = { readonly list: readonly Setting[]; read(reader: SettingsReader): S };
export type SettingsOf<G> = G extends Settings<infer S> ? S : never;

/** Declares the settings of a module. `combine` checks them together and builds the object that the module uses. */
export function defineSettings<const D extends Declarations, S = Values<D>>(
  declarations: D,
  combine: (values: Values<D>, checks: SettingChecks<keyof D>) => S = (values) => values as S,
): Settings<S> {
  return {
    list: Object.values(declarations),
    read(reader) {
      const values = Object.fromEntries(
        Object.entries(declarations).map(([key, setting]) => [key, reader.readValue(setting)]),
      ) as Values<D>;
      const isSet = (key: keyof D) => reader.isSet(declarations[key]!);
      return combine(values, {
        mode: reader.mode,
        addError: (text) => reader.addError(text),
        isSet,
        requireSet(keys, reason) {
          for (const key of keys)
            if (!isSet(key)) reader.addError(`${declarations[key]!.name} is missing; ${reason}.`);
        },
      });
    },
  };
}

export const defineSetting = <const S extends Setting>(setting: S): S => setting;

const NO_DEFAULT = '-';

export function formatDefault({ default: declaredDefault, defaultLabel, secret }: Setting): Bilingual {
  if (defaultLabel !== undefined) return toBilingual(defaultLabel);
  if (secret && declaredDefault !== undefined)
    return { en: '(public, sandbox only)', pt: '(conhecido, só na sandbox)' };
  if (declaredDefault === undefined || typeof declaredDefault === 'string')
    return toBilingual(declaredDefault ?? NO_DEFAULT);
  if ('derive' in declaredDefault) return toBilingual(declaredDefault.label);
  const { live, sandbox } = declaredDefault;
  if (live === undefined) return toBilingual(sandbox);
  return { en: `${live}, in the sandbox ${sandbox}`, pt: `${live}, na sandbox ${sandbox}` };
}

const toBilingual = (text: string | Bilingual): Bilingual =>
  typeof text === 'string' ? { en: text, pt: text } : text;

/** The effective value of a setting, for people, without secrets. `value` is null if the setting has none. */
export type EffectiveSetting = {
  name: string;
  description: Bilingual;
  value: Bilingual | null;
  is_default: boolean;
};

export function toEffectiveSetting(setting: Setting, env: Environment): EffectiveSetting {
  const { name, description, secret } = setting;
  const configuredText = env[name]?.trim();
  if (!configuredText) {
    const value = formatDefault(setting);
    return { name, description, value: value.en === NO_DEFAULT ? null : value, is_default: true };
  }
  // A URL may contain a password.
  const value = secret ? '***' : configuredText.replaceAll(/\/\/[^@/\s]*@/g, '//***@');
  return { name, description, value: toBilingual(value), is_default: false };
}

/** All errors of a configuration, in sentences for the operator. */
export class ConfigErrors extends Error {
  readonly errors: string[];
  constructor(errors: string[]) {
    super(`The configuration has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}:`);
    this.errors = errors;
  }
}

/** Calls all functions and throws their configuration errors together. */
export function collectConfigErrors(reads: ReadonlyArray<() => unknown>): void {
  const errors = reads.flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      if (error instanceof ConfigErrors) return error.errors;
      throw error;
    }
  });
  if (errors.length > 0) throw new ConfigErrors([...new Set(errors)]);
}

const PLACEHOLDER_WORD = '(?:ACCOUNT|CITY|ID|KEY|NAME|NUMBER|POSTCODE|SECRET|STATE|STREET|TILL_KEY)';
/** Matches the placeholders in the examples of deploy/, which the operator must replace. */
const PLACEHOLDER = new RegExp(
  `^(?:\\d+:)?${PLACEHOLDER_WORD}(?:, ${PLACEHOLDER_WORD})*$|^https://PSP/|://\\w+:SECRET@`,
);

/** Reads settings from the environment and collects the errors, so that they can be reported together. */
export class SettingsReader {
  readonly mode: Mode;
  readonly errors: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment, mode: Mode) {
    this.#env = env;
    this.mode = mode;
  }

  addError(text: string): void {
    this.errors.push(text);
  }

  /** A blank value counts as unset. */
  isSet({ name }: Setting): boolean {
    return !!this.#env[name]?.trim();
  }

  /** Returns the value of the setting, or its default. Adds an error if it is missing or invalid. */
  readValue<S extends Setting>(setting: S): Value<S> {
    const { name, requiredInLive, secret, parse } = setting;
    const text = this.#env[name]?.trim();
    if (text && this.mode === 'live' && PLACEHOLDER.test(text))
      this.addError(`${name} is still the placeholder of the example; set your own value.`);
    else if (text) {
      try {
        const value = parse(text, this.mode);
        if (!secret || this.mode === 'sandbox' || !isDeepStrictEqual(value, this.#default(setting)))
          return value as Value<S>;
        this.addError(`${name} is the public value of the sandbox; create your own.`);
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error;
        this.addError(`${name} ${error.message}`);
      }
    } else if (requiredInLive !== undefined && this.mode === 'live')
      this.addError(`${name} is missing; ${requiredInLive}.`);
    return this.#default(setting) as Value<S>;
  }

  /** Returns the default. A required setting that is missing in live mode gets the sandbox default and an error, so that other checks can run. */
  #default({ default: declaredDefault, parse: parseDefault }: Setting): unknown {
    if (declaredDefault === undefined) return null;
    if (typeof declaredDefault === 'string') return parseDefault(declaredDefault, this.mode);
    // Errors of the other settings are reported where they are declared.
    if ('derive' in declaredDefault)
      return declaredDefault.derive((other) => new SettingsReader(this.#env, this.mode).readValue(other));
    return this.mode === 'live' && declaredDefault.live !== undefined
      ? parseDefault(declaredDefault.live, 'live')
      : parseDefault(declaredDefault.sandbox, 'sandbox');
  }
}

// The parsers of settings, each named after the values that it accepts.

export const text = (input: string): string => input;

export const choice =
  <const T extends string>(...allowedValues: T[]): ParseSetting<T> =>
  (input) => {
    if ((allowedValues as string[]).includes(input)) return input as T;
    throw new InvalidValue(`is '${input}'; it must be one of ${allowedValues.join(', ')}.`);
  };

export const integer =
  (min: number, max: number): ParseSetting<number> =>
  (input) => {
    if (/^\d{1,9}$/.test(input) && Number(input) >= min && Number(input) <= max) return Number(input);
    throw new InvalidValue(`is '${input}'; it must be a whole number from ${min} to ${max}.`);
  };

export const port = integer(0, 65535);

export function reais(input: string): Cents {
  const amount = /^\d{1,6}(\.\d{1,2})?$/.test(input) ? parseReais(Number(input)) : null;
  if (amount !== null) return amount;
  throw new InvalidValue(`is '${input}'; it must be an amount in reais, like 20.00.`);
}

const isUrl = (input: string, protocols: readonly string[]) =>
  URL.canParse(input) && protocols.includes(new URL(input).protocol);

function parseUrl(input: string, protocols: readonly string[]): string {
  if (isUrl(input, protocols)) return input.replace(/\/+$/, '');
  // The value may contain a password, so the message does not repeat it.
  throw new InvalidValue(
    `is not a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
  );
}

const HTTP_PROTOCOLS = ['http:', 'https:'];
/** Lists the allowed protocols. http is allowed only in the sandbox. */
const listAllowedProtocols = (mode: Mode) => (mode === 'live' ? ['https:'] : HTTP_PROTOCOLS);

/** Parses a URL within our own network. */
export const internalUrl = (input: string): string => parseUrl(input, HTTP_PROTOCOLS);
export const webUrl: ParseSetting<string> = (input, mode) => parseUrl(input, listAllowedProtocols(mode));

/** Parses the template of a link in messages, which must have the placeholder of `page`. */
export const linkTemplate =
  (page: string): ParseSetting<string> =>
  (input, mode) => {
    const [placeholder] = /\{\w+\}/.exec(page)!;
    if (isUrl(input, listAllowedProtocols(mode)) && input.includes(placeholder)) return input;
    throw new InvalidValue(
      `is '${input}'; it must be an https URL that contains ${placeholder}, like https://semana.example${page}.`,
    );
  };

const PROJECT_ROOT = resolve(import.meta.dirname, '../..');
export const path = (input: string): string => (isAbsolute(input) ? input : resolve(PROJECT_ROOT, input));

export function proxies(input: string): string {
  const isProxy = (part: string) => {
    const [ip = '', prefixLength] = part.trim().split('/');
    return isIP(ip) !== 0 && (prefixLength === undefined || /^\d{1,3}$/.test(prefixLength));
  };
  if (input.split(',').every(isProxy)) return input;
  throw new InvalidValue(`is '${input}'; write the addresses of proxies: 10.0.0.0/8,192.0.2.7.`);
}
