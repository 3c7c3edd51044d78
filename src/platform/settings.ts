import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Bilingual } from '#core/bilingual.ts';
import { type Cents, parseReais } from '#core/money.ts';

export type Mode = 'sandbox' | 'live';
export type Environment = Record<string, string | undefined>;

/** Reads what is set. Throws a WrongValue where it cannot be used. */
type Read<T> = (text: string, mode: Mode) => T;

/** The value cannot be used. The message continues after the name of the setting: "is 'x'; it must be …". */
export class WrongValue extends Error {}

/** A default that follows from other settings. */
type DerivedDefault = {
  readonly shown: string;
  from(read: <S extends Setting>(other: S) => Value<S>): unknown;
};

/** Everything about one setting. What the code reads, help, docs/operating.md and the faults all follow from it. */
export type Setting = {
  readonly name: string;
  /** Help and docs/operating.md are in English, the back office is in Portuguese. */
  readonly meaning: Bilingual;
  /** Written as in the environment, and parsed like that. An object where the modes differ. No default: null. */
  readonly default?: string | { readonly sandbox: string; readonly live?: string } | DerivedDefault;
  /** What help shows in place of the default. */
  readonly shown?: string | Bilingual;
  /** Why live mode cannot do without it. */
  readonly neededInLive?: string;
  /** Never shown. Live mode refuses the sandbox default, which is public. */
  readonly secret?: true;
  readonly read: Read<unknown>;
};

export type Value<S extends Setting> = S extends { default: unknown }
  ? ReturnType<S['read']>
  : ReturnType<S['read']> | null;

type Declared = Readonly<Record<string, Setting>>;
type Values<D extends Declared> = { -readonly [K in keyof D]: Value<D[K]> };

/** For conditions on several settings together. */
export type Checks<K extends PropertyKey> = {
  readonly mode: Mode;
  fault(text: string): void;
  isSet(key: K): boolean;
  /** A fault for each of these that is not set. */
  require(keys: readonly K[], why: string): void;
};

export type Settings<S> = { readonly declared: readonly Setting[]; read(from: SettingsReader): S };
export type SettingsOf<G> = G extends Settings<infer S> ? S : never;

/** The settings of one module. `combine` checks them together and builds the object that the module uses. */
export function defineSettings<const D extends Declared, S = Values<D>>(
  declared: D,
  combine: (values: Values<D>, checks: Checks<keyof D>) => S = (values) => values as S,
): Settings<S> {
  return {
    declared: Object.values(declared),
    read(from) {
      const values = Object.fromEntries(
        Object.entries(declared).map(([key, setting]) => [key, from.value(setting)]),
      ) as Values<D>;
      const isSet = (key: keyof D) => from.isSet(declared[key]!);
      return combine(values, {
        mode: from.mode,
        fault: (text) => from.fault(text),
        isSet,
        require(keys, why) {
          for (const key of keys) if (!isSet(key)) from.fault(`${declared[key]!.name} is missing; ${why}.`);
        },
      });
    },
  };
}

/** The type of one declared setting. */
export const defineSetting = <const S extends Setting>(setting: S): S => setting;

/** The default, as help and documentation show it. */
export function shownDefault({ default: given, shown, secret }: Setting): Bilingual {
  if (shown !== undefined) return inBoth(shown);
  if (secret && given !== undefined) return { en: '(known, sandbox only)', pt: '(conhecido, só na sandbox)' };
  if (given === undefined || typeof given === 'string') return inBoth(given ?? '-');
  if ('from' in given) return inBoth(given.shown);
  const { live, sandbox } = given;
  if (live === undefined) return inBoth(sandbox);
  return { en: `${live}, in the sandbox ${sandbox}`, pt: `${live}, na sandbox ${sandbox}` };
}

const inBoth = (text: string | Bilingual): Bilingual =>
  typeof text === 'string' ? { en: text, pt: text } : text;

/** For people: what is in force, without secrets. */
export type SettingInForce = {
  name: string;
  meaning: Bilingual;
  value: Bilingual | null;
  is_default: boolean;
};

export function settingInForce(setting: Setting, env: Environment): SettingInForce {
  const { name, meaning, secret } = setting;
  const given = env[name]?.trim();
  if (!given) {
    const usual = shownDefault(setting);
    return { name, meaning, value: usual.en === '-' ? null : usual, is_default: true };
  }
  // An address may have a password in it.
  const value = secret ? '***' : given.replaceAll(/\/\/[^@/\s]*@/g, '//***@');
  return { name, meaning, value: inBoth(value), is_default: false };
}

/** All the faults of a configuration at once, in words the operator can act on. */
export class ConfigFaults extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:`);
    this.faults = faults;
  }
}

/** Calls them all, and throws the faults of all of them together. */
export function collectFaults(reads: ReadonlyArray<() => unknown>): void {
  const faults = reads.flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      if (error instanceof ConfigFaults) return error.faults;
      throw error;
    }
  });
  if (faults.length > 0) throw new ConfigFaults([...new Set(faults)]);
}

/** Reads settings from the environment. Faults are collected and reported together. */
export class SettingsReader {
  readonly mode: Mode;
  readonly faults: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment, mode: Mode) {
    this.#env = env;
    this.mode = mode;
  }

  fault(text: string): void {
    this.faults.push(text);
  }

  /** A blank value counts as not set. */
  isSet({ name }: Setting): boolean {
    return !!this.#env[name]?.trim();
  }

  value<S extends Setting>(setting: S): Value<S> {
    const { name, neededInLive, secret, read } = setting;
    const text = this.#env[name]?.trim();
    if (text) {
      try {
        const value = read(text, this.mode);
        if (!secret || this.mode === 'sandbox' || !isDeepStrictEqual(value, this.#default(setting)))
          return value as Value<S>;
        this.fault(`${name} is the one of the sandbox, which everybody knows; make one of your own.`);
      } catch (error) {
        if (!(error instanceof WrongValue)) throw error;
        this.fault(`${name} ${error.message}`);
      }
    } else if (neededInLive !== undefined && this.mode === 'live')
      this.fault(`${name} is missing; ${neededInLive}.`);
    return this.#default(setting) as Value<S>;
  }

  /** In live mode without a default: the sandbox default, together with a fault, so that the other checks can run. */
  #default({ default: given, read }: Setting): unknown {
    if (given === undefined) return null;
    if (typeof given === 'string') return read(given, this.mode);
    // Faults of the other settings are reported where those are declared.
    if ('from' in given) return given.from((other) => new SettingsReader(this.#env, this.mode).value(other));
    return this.mode === 'live' && given.live !== undefined
      ? read(given.live, 'live')
      : read(given.sandbox, 'sandbox');
  }
}

export const text = (given: string): string => given;

export const choice =
  <const T extends string>(...allowed: T[]): Read<T> =>
  (given) => {
    if ((allowed as string[]).includes(given)) return given as T;
    throw new WrongValue(`is '${given}'; it must be one of ${allowed.join(', ')}.`);
  };

export const integer =
  (min: number, max: number): Read<number> =>
  (given) => {
    if (/^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max) return Number(given);
    throw new WrongValue(`is '${given}'; it must be a whole number from ${min} to ${max}.`);
  };

export const port = integer(0, 65535);

export function reais(given: string): Cents {
  const amount = /^\d{1,6}(\.\d{1,2})?$/.test(given) ? parseReais(Number(given)) : null;
  if (amount !== null) return amount;
  throw new WrongValue(`is '${given}'; it must be an amount in reais, like 20.00.`);
}

const isAddress = (given: string, protocols: readonly string[]) =>
  URL.canParse(given) && protocols.includes(new URL(given).protocol);

function address(given: string, protocols: readonly string[]): string {
  if (isAddress(given, protocols)) return given.replace(/\/+$/, '');
  // The value itself may hold a password, so it is not repeated.
  throw new WrongValue(`is not an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
}

const WEB = ['http:', 'https:'];
/** http is for the sandbox only. */
const protocolsIn = (mode: Mode) => (mode === 'live' ? ['https:'] : WEB);

/** An address within our own network. */
export const innerUrl = (given: string): string => address(given, WEB);
export const webUrl: Read<string> = (given, mode) => address(given, protocolsIn(mode));

/** The template of a link that people are sent, with `{name}` for a variable part, like `page`. */
export const linkTo =
  (page: string): Read<string> =>
  (given, mode) => {
    const [place] = /\{\w+\}/.exec(page)!;
    if (isAddress(given, protocolsIn(mode)) && given.includes(place)) return given;
    throw new WrongValue(
      `is '${given}'; it must be an https address with ${place} in it, like https://semana.example${page}.`,
    );
  };

const PROJECT_ROOT = resolve(import.meta.dirname, '../..');
export const path = (given: string): string => (isAbsolute(given) ? given : resolve(PROJECT_ROOT, given));

/** Addresses of proxies, as Fastify takes them. */
export function proxies(given: string): string {
  const isProxy = (part: string) => {
    const [ip = '', bits] = part.trim().split('/');
    return isIP(ip) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
  };
  if (given.split(',').every(isProxy)) return given;
  throw new WrongValue(`is '${given}'; write the addresses of proxies: 10.0.0.0/8,192.0.2.7.`);
}
