import { isAbsolute, resolve } from 'node:path';
import { type Cents, parseReais } from '#core/money.ts';

export type Mode = 'sandbox' | 'live';

/** One setting, as help and documentation show it. */
export type Setting = { readonly name: string; readonly fallback: string; readonly meaning: string };

/** What a module can be told by the environment: the list for people, and how it is read and checked. */
export type Settings<S> = { readonly declared: readonly Setting[]; read(from: SettingsReader): S };

/** All the faults of a configuration at once, in words the operator can act on. */
export class ConfigFaults extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:`);
    this.faults = faults;
  }
}

export type Environment = Record<string, string | undefined>;

export const WEB_PORT_FALLBACK = 3003;
const PROJECT_ROOT = resolve(import.meta.dirname, '../..');

/** Reads settings of the environment. Faults are collected, so that all of them can be told together. */
export class SettingsReader {
  readonly mode: Mode;
  readonly faults: string[];
  readonly #env: Environment;
  readonly #declared: ReadonlySet<string>;

  constructor(env: Environment, mode: Mode, declared: readonly Setting[], faults: string[]) {
    this.mode = mode;
    this.faults = faults;
    this.#env = env;
    this.#declared = new Set(declared.map(({ name }) => name));
  }

  fault(text: string): void {
    this.faults.push(text);
  }

  /** Undefined where nothing but space is set. */
  text(name: string): string | undefined {
    if (!this.#declared.has(name)) throw new Error(`The setting ${name} is read and not declared.`);
    return this.#env[name]?.trim() || undefined;
  }

  /** A text that live mode cannot do without. */
  needed(name: string, fallback: string, why: string): string {
    const value = this.text(name);
    if (this.mode === 'live' && value === undefined) this.fault(`${name} is missing; ${why}.`);
    return value ?? fallback;
  }

  choice<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.text(name) ?? fallback;
    if ((allowed as readonly string[]).includes(value)) return value as T;
    this.fault(`${name} is '${value}'; it must be one of ${allowed.join(', ')}.`);
    return fallback;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.text(name);
    if (value === undefined) return fallback;
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    this.fault(`${name} is '${value}'; it must be a whole number from ${min} to ${max}.`);
    return fallback;
  }

  reais(name: string, fallback: Cents): Cents {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const amount = /^\d{1,6}(\.\d{1,2})?$/.test(value) ? parseReais(Number(value)) : null;
    if (amount === null) this.fault(`${name} is '${value}'; it must be an amount in reais, like 20.00.`);
    return amount ?? fallback;
  }

  url(name: string, protocols: readonly string[]): string | null {
    const value = this.text(name);
    if (value === undefined) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '');
    // The value itself may hold a password, so it is not repeated.
    this.fault(`${name} is not an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
    return null;
  }

  /** An address that people are sent, with {a word} where something of theirs goes. On this machine `page` of its own pages. */
  link(name: string, page: string, why: string): string {
    const [place] = /\{\w+\}/.exec(page)!;
    const { WEB_URL, WEB_PORT } = this.#env;
    const port = Number(WEB_PORT) || WEB_PORT_FALLBACK;
    const value = this.needed(name, `${WEB_URL?.trim() || `http://localhost:${port}`}${page}`, why);
    const isAddress = URL.canParse(value) && this.webProtocols.includes(new URL(value).protocol);
    // In live the lack of it is told above.
    if ((!isAddress || !value.includes(place)) && (this.mode === 'sandbox' || this.text(name)))
      this.fault(
        `${name} is '${value}'; it must be an https address with ${place} in it, like https://semana.example${page}.`,
      );
    return value;
  }

  /** http is for the sandbox only. */
  get webProtocols(): readonly string[] {
    return this.mode === 'live' ? ['https:'] : ['http:', 'https:'];
  }

  path(name: string, fallback: string): string {
    const value = this.text(name) ?? fallback;
    return isAbsolute(value) ? value : resolve(PROJECT_ROOT, value);
  }
}
