import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import type { Vault } from './vault.ts';

export type Option = {
  /** What the value is called in the help; without it the option is a switch. */
  value?: string;
  help: string;
};

export type CommandContext = {
  config: Config;
  db: Db;
  databaseUrl: string;
  clock: Clock;
  vault: Vault;
  /** Results: standard output. */
  print(text: string): void;
  /** Progress, warnings, faults: standard error. */
  printError(text: string): void;
};

export type Arguments = {
  positionals: string[];
  option(name: string): string | undefined;
  has(name: string): boolean;
};

export type Command = {
  /** The words it is called by, e.g. 'key create'. */
  name: string;
  summary: string;
  positionals?: ReadonlyArray<{ name: string; help: string; optional?: true }>;
  options?: Readonly<Record<string, Option>>;
  details?: string;
  examples?: readonly string[];
  /** Returns the exit code; nothing means 0. */
  run(context: CommandContext, args: Arguments): Promise<number | undefined>;
};

/** The operator typed something that cannot be meant: told in one line, with the way to the help. */
export class UsageFault extends Error {}

/** What the operator asked for cannot be done; the message says why and what to do. */
export class CommandFault extends Error {}

export function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands.find((command) => command.name.split(' ').every((word, i) => words[i] === word));
}

export function readArguments(command: Command, words: string[]): Arguments {
  const options: ParseArgsConfig['options'] = {};
  for (const [name, option] of Object.entries(command.options ?? {})) {
    options[name] = { type: option.value ? 'string' : 'boolean' };
  }
  const { values, positionals } = parseStrictly(words, options);
  const expected = command.positionals ?? [];
  const missing = expected.slice(positionals.length).find((positional) => !positional.optional);
  if (missing) throw new UsageFault(`${missing.name} is missing.`);
  if (positionals.length > expected.length)
    throw new UsageFault(`'${positionals[expected.length]}' is one word too many.`);
  return {
    positionals,
    option: (name) => values[name] as string | undefined,
    has: (name) => values[name] !== undefined,
  };
}

function parseStrictly(words: string[], options: ParseArgsConfig['options']) {
  try {
    const args = joinNegatives(words);
    return parseArgs({ args, options: options ?? {}, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageFault((error as Error).message.split('. ')[0]!.replace(/\.?$/, '.'));
  }
}

/** '--amount -5' is meant as '--amount=-5', though a word that begins with a dash is an option otherwise. */
function joinNegatives(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const isValue = /^-\d/.test(word) && last?.startsWith('--') && !last.includes('=');
    if (isValue) joined.splice(-1, 1, `${last}=${word}`);
    else joined.push(word);
  }
  return joined;
}

export function commandHelp(command: Command): string {
  const positionals = command.positionals ?? [];
  const options = Object.entries(command.options ?? {});
  const shape = positionals.map(({ name, optional }) => (optional ? `[${name}]` : name));
  const rows = [
    ...positionals.map(({ name, help }) => [name, help] as const),
    ...options.map(([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help] as const),
    ['--help', 'this text'] as const,
  ];
  return [
    `semana ${command.name}: ${command.summary}`,
    '',
    `Usage: semana ${[command.name, ...shape].join(' ')}${options.length > 0 ? ' [options]' : ''}`,
    '',
    aligned(rows),
    ...(command.details ? ['', command.details] : []),
    ...(command.examples ? ['', 'Examples:', ...command.examples.map((example) => `  ${example}`)] : []),
  ].join('\n');
}

export function overview(commands: readonly Command[]): string {
  return [
    'semana: the command line of the weekly-credit service',
    '',
    'Usage: semana COMMAND [options]',
    '',
    aligned(commands.map((command) => [command.name, command.summary] as const)),
    '',
    `'semana COMMAND --help' explains each. Settings come from the environment, as for the service itself.`,
  ].join('\n');
}

export function aligned(rows: ReadonlyArray<readonly [string, string]>): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Rows under headings, in columns as wide as they need to be. */
export function table(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

const SPAN_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** '90m', '24h' or '30d', in milliseconds. */
export function readSpan(text: string, option: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (!count || !unit)
    throw new UsageFault(`--${option} is '${text}'; write a number with m, h or d, like 24h.`);
  return Number(count) * SPAN_MS[unit]!;
}
