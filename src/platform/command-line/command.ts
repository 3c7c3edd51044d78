import type { Readable } from 'node:stream';
import { type ParseArgsConfig, parseArgs, styleText } from 'node:util';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/duration.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Db } from '../database/db.ts';
import type { Vault } from '../vault.ts';
import { didYouMean } from './suggestion.ts';

export type Option = {
  /** What the value is called in the help; without it the option is a switch. */
  value?: string;
  help: string;
  required?: true;
};

export type CommandContext = {
  config: Config;
  db: Db;
  databaseUrl: string;
  clock: Clock;
  vault: Vault;
  /** Who runs it: the account on the machine. */
  user: string;
  /** Results: standard output. */
  print(text: string): void;
  /** Progress, warnings, faults: standard error. */
  printError(text: string): void;
  /** What was piped in. */
  stdin: Readable;
  /** Asks the person at the terminal. Without a terminal there is nobody to ask. */
  ask?(question: string): Promise<string>;
};

export type Arguments = {
  positionals: string[];
  option(name: string): string | undefined;
  required(name: string): string;
  has(name: string): boolean;
};

/** A command as help, completion and argument parsing see it. */
export type CommandDeclaration = {
  /** The words it is called by, e.g. 'key create'. */
  name: string;
  summary: string;
  /** The module it belongs to: its chapter in the overview. */
  group?: string;
  positionals?: ReadonlyArray<{ name: string; help: string; optional?: true }>;
  options?: Readonly<Record<string, Option>>;
  details?: string;
  examples?: readonly string[];
};

export type Command = CommandDeclaration & {
  /** It works on a database that is not set up yet, or not as this release needs it. */
  beforeSetUp?: true;
  /** Whether LOOKUP_KEY may be another than the database knows. */
  mayChangeLookupKey?(args: Arguments): boolean;
  /** Settings of modules it reads: checked before it runs, together with the platform's. Others are not looked at. */
  needs?: ReadonlyArray<() => unknown>;
  /** Returns the exit code; nothing means 0. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command may end without a return
  run(context: CommandContext, args: Arguments): Promise<number | void>;
};

/** Needs neither settings nor a database. */
export type LocalCommand = CommandDeclaration & {
  runLocally(args: Arguments, print: CommandContext['print']): Promise<void>;
};

/** A usage error: reported in one line, with a pointer to the help. */
export class UsageFault extends Error {}

/** What the operator asked for cannot be done; the message says why and what to do. */
export class CommandFault extends Error {}

export function findCommand<C extends CommandDeclaration>(
  commands: readonly C[],
  words: readonly string[],
): C | undefined {
  return commands.find((command) => command.name.split(' ').every((word, i) => words[i] === word));
}

export function readArguments(command: CommandDeclaration, words: string[]): Arguments {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, option] of Object.entries(command.options ?? {})) {
    options[name] = { type: option.value ? 'string' : 'boolean' };
  }
  const { values, positionals } = parseStrictly(words, options);
  const expected = command.positionals ?? [];
  const missing = [
    ...expected.slice(positionals.length).filter(({ optional }) => !optional),
    ...Object.entries(command.options ?? {})
      .filter(([name, { required }]) => required && values[name] === undefined)
      .map(([name]) => ({ name: `--${name}` })),
  ];
  if (missing.length > 0)
    throw new UsageFault(`${missing.map(({ name }) => `${name} is missing`).join('; ')}.`);
  if (positionals.length > expected.length)
    throw new UsageFault(`'${positionals[expected.length]}' is one word too many.`);
  return {
    positionals,
    option: (name) => values[name] as string | undefined,
    required: (name) => values[name] as string,
    has: (name) => values[name] !== undefined,
  };
}

function parseStrictly(words: string[], options: NonNullable<ParseArgsConfig['options']>) {
  const args = joinNegatives(words);
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name));
  if (unknown?.kind === 'option') {
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageFault(`Unknown option '${unknown.rawName}'.${didYouMean(unknown.rawName, known)}`);
  }
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageFault((error as Error).message.split('. ')[0]!.replace(/\.?$/, '.'));
  }
}

/** '--amount -5' means '--amount=-5', though a word that begins with a dash is otherwise an option. */
function joinNegatives(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const isValue = /^-(\d|R\$)/i.test(word) && last?.startsWith('--') && !last.includes('=');
    if (isValue) joined.splice(-1, 1, `${last}=${word}`);
    else joined.push(word);
  }
  return joined;
}

export function aligned(
  rows: ReadonlyArray<readonly [string, string]>,
  width = Math.max(...rows.map(([left]) => left.length)),
): string {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Bold where a person reads it: on a terminal, and without NO_COLOR. */
export const bold = (text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText('bold', text, { stream });

/** Text from outside must not move the cursor or change colours: control characters are shown as a blank. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ');

/** The width of the terminal. In a pipe, or where the terminal does not report one: no limit. */
export const columnsOf = (stream: NodeJS.WriteStream): number =>
  (stream.isTTY && stream.columns) || Number.POSITIVE_INFINITY;

/** One thing, a line for each field, nothing cut. */
export const fieldsOf = (record: object): string =>
  aligned(Object.entries(record).map(([name, value]) => [name, printable(String(value ?? '-'))]));

/**
 * A table with headings. Where it does not fit the terminal, the widest columns are cut, but never the first, which names the
 * row. Where that is not enough, each row is a block of lines. `stream`: where it is printed.
 */
export function table(
  headings: string[],
  rows: string[][],
  stream: NodeJS.WriteStream = process.stdout,
): string {
  const shown = rows.map((row) => row.map(printable));
  const needed = headings.map((heading, i) =>
    Math.max(heading.length, ...shown.map((row) => row[i]!.length)),
  );
  const columns = columnsOf(stream);
  const widths = fitted(needed, columns);
  if (widthOf(widths) > columns)
    return shown.map((row) => aligned(headings.map((heading, i) => [heading, row[i]!]))).join('\n\n');
  const line = (cells: string[]) =>
    cells
      .map((cell, i) =>
        cell.length > widths[i]! ? `${cell.slice(0, widths[i]! - 1)}…` : cell.padEnd(widths[i]!),
      )
      .join('  ')
      .trimEnd();
  return [
    bold(line(headings), stream),
    line(widths.map((width) => '─'.repeat(width))),
    ...shown.map(line),
  ].join('\n');
}

const GAP = 2;
const NARROWEST = 8;
const widthOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + GAP, -GAP);

/** Shortens the widest column by one character at a time, until all fit or none can shrink. */
function fitted(needed: readonly number[], columns: number): number[] {
  const widths = [...needed];
  while (widthOf(widths) > columns) {
    const widest = widths.reduce((best, width, i) => (i > 0 && width > (widths[best] ?? 0) ? i : best), 1);
    if ((widths[widest] ?? 0) <= NARROWEST) break;
    widths[widest]! -= 1;
  }
  return widths;
}

const SPAN_MS: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** '90m', '24h' or '30d', in milliseconds. */
export function readSpan(text: string, option: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (!count || !unit)
    throw new UsageFault(`--${option} is '${text}'; write a number with m, h or d, like 24h.`);
  return Number(count) * SPAN_MS[unit]!;
}
