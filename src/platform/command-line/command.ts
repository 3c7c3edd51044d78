import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { type ParseArgsConfig, parseArgs, styleText } from 'node:util';
import { findNearest } from '#core/values/nearest.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Db } from '../database/db.ts';
import type { Vault } from '../vault.ts';

export type Option = {
  /** The placeholder of the value in the help. Without it the option is a switch. */
  value?: string;
  help: string;
  required?: true;
  /** The values that the option can have, for completion and suggestions. */
  choices?: readonly string[];
};

export type CommandContext = {
  config: Config;
  db: Db;
  databaseUrl: string;
  clock: Clock;
  vault: Vault;
  user: string;
  /** Prints results to standard output. */
  print(text: string): void;
  /** Prints progress, warnings and errors to standard error. */
  printError(text: string): void;
  stdin: Readable;
  /** Asks the user at the terminal. Undefined without a terminal. */
  ask?(question: string): Promise<string>;
};

export type Arguments = {
  positionals: string[];
  getOption(name: string): string | undefined;
  getRequired(name: string): string;
  has(name: string): boolean;
  /** Whether the switch is set as --no-NAME. */
  isNegated(name: string): boolean;
};

export type CommandDeclaration = {
  name: string;
  summary: string;
  group?: string;
  positionals?: ReadonlyArray<{ name: string; help: string; optional?: true }>;
  options?: Readonly<Record<string, Option>>;
  details?: string;
  examples?: readonly string[];
};

export type Command = CommandDeclaration & {
  /** Whether the command also runs on a database that is not set up or not migrated to this release. */
  worksBeforeMigration?: true;
  /** Whether LOOKUP_KEY may differ from the one recorded in the database. */
  allowsNewLookupKey?(args: Arguments): boolean;
  /** Each function reads settings of a module. All are validated before the command runs, together with those of the platform. */
  requiredSettings?: ReadonlyArray<() => unknown>;
  /** Returns the exit code; undefined means 0. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command may end without a return
  run(context: CommandContext, args: Arguments): Promise<number | void>;
};

/** A command that requires neither settings nor a database. */
export type LocalCommand = CommandDeclaration & {
  runLocally(args: Arguments, print: CommandContext['print']): Promise<void>;
};

/** A usage error, reported in one line that refers to the help. */
export class UsageError extends Error {}

/** An error after which a command cannot continue. The message explains why and what to do. */
export class CommandError extends Error {}

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
  const { values, positionals } = parseWords(words, options);
  const expectedPositionals = command.positionals ?? [];
  const missingInputs = [
    ...expectedPositionals.slice(positionals.length).filter(({ optional }) => !optional),
    ...Object.entries(command.options ?? {})
      .filter(([name, { required }]) => required && values[name] === undefined)
      .map(([name]) => ({ name: `--${name}` })),
  ];
  if (missingInputs.length > 0)
    throw new UsageError(`${missingInputs.map(({ name }) => `${name} is missing`).join('; ')}.`);
  if (positionals.length > expectedPositionals.length)
    throw new UsageError(`'${positionals[expectedPositionals.length]}' is one argument too many.`);
  return {
    positionals,
    getOption: (name) => values[name] as string | undefined,
    getRequired: (name) => values[name] as string,
    has: (name) => values[name] !== undefined && values[name] !== false,
    isNegated: (name) => values[name] === false,
  };
}

function parseWords(words: string[], options: NonNullable<ParseArgsConfig['options']>) {
  const args = joinNegativeValues(words);
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const isKnown = (name: string) =>
    Object.hasOwn(options, name) || options[name.replace(/^no-/, '')]?.type === 'boolean';
  const unknownOption = tokens.find((token) => token.kind === 'option' && !isKnown(token.name));
  if (unknownOption?.kind === 'option') {
    const knownWords = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(
      `Unknown option '${unknownOption.rawName}'.${suggestSimilarWord(unknownOption.rawName, knownWords)}`,
    );
  }
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true, allowNegative: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0]!.replace(/\.?$/, '.'));
  }
}

/** Joins an option and a following negative value ('--amount -5' becomes '--amount=-5'), because parseArgs reads -5 as an option. */
function joinNegativeValues(words: readonly string[]): string[] {
  const joinedWords: string[] = [];
  for (const word of words) {
    const previousWord = joinedWords.at(-1);
    const isNegativeValue =
      /^-(\d|R\$)/i.test(word) && previousWord?.startsWith('--') && !previousWord.includes('=');
    if (isNegativeValue) joinedWords.splice(-1, 1, `${previousWord}=${word}`);
    else joinedWords.push(word);
  }
  return joinedWords;
}

export function alignRows(
  rows: ReadonlyArray<readonly [string, string]>,
  width = Math.max(...rows.map(([left]) => left.length)),
): string {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Formats text as bold on a terminal, unless NO_COLOR is set. */
export const formatBold = (text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText('bold', text, { stream });

/** Replaces control characters with blanks, so that untrusted text cannot move the cursor or change colours. */
export const replaceControlCharacters = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ');

/** Returns the width of the terminal, or infinity in a pipe or if the terminal does not report a width. */
export const getTerminalWidth = (stream: NodeJS.WriteStream): number =>
  (stream.isTTY && stream.columns) || Number.POSITIVE_INFINITY;

/** Lays out a table for the terminal. If it is too wide, columns are truncated, except the first. If that is not enough, each row becomes a block of lines. */
export function layOutTable(
  headings: string[],
  rows: string[][],
  stream: NodeJS.WriteStream = process.stdout,
): string {
  const printableRows = rows.map((row) => row.map(replaceControlCharacters));
  const idealWidths = headings.map((heading, i) =>
    Math.max(heading.length, ...printableRows.map((row) => row[i]!.length)),
  );
  const terminalWidth = getTerminalWidth(stream);
  const widths = fitWidths(idealWidths, terminalWidth);
  if (sumWidths(widths) > terminalWidth)
    return printableRows
      .map((row) => alignRows(headings.map((heading, i) => [heading, row[i]!])))
      .join('\n\n');
  const formatLine = (cells: string[]) =>
    cells
      .map((cell, i) =>
        cell.length > widths[i]! ? `${cell.slice(0, widths[i]! - 1)}…` : cell.padEnd(widths[i]!),
      )
      .join('  ')
      .trimEnd();
  return [
    formatBold(formatLine(headings), stream),
    formatLine(widths.map((width) => '─'.repeat(width))),
    ...printableRows.map(formatLine),
  ].join('\n');
}

const COLUMN_GAP = 2;
const MIN_COLUMN_WIDTH = 8;
const sumWidths = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, 0) + COLUMN_GAP * (widths.length - 1);

/** Shortens the widest column except the first by one character at a time, until the table fits or no column can shrink. */
function fitWidths(idealWidths: readonly number[], terminalWidth: number): number[] {
  const widths = [...idealWidths];
  while (sumWidths(widths) > terminalWidth) {
    const maxWidth = Math.max(0, ...widths.slice(1));
    if (maxWidth <= MIN_COLUMN_WIDTH) break;
    widths[widths.indexOf(maxWidth, 1)]! -= 1;
  }
  return widths;
}

/** Returns ' Did you mean ...?' if the word is close to a known word, otherwise an empty text. */
export function suggestSimilarWord(
  typedWord: string,
  knownWords: readonly string[],
  format = (word: string) => word,
): string {
  const nearestWord = findNearest(typedWord, knownWords);
  return nearestWord ? ` Did you mean '${format(nearestWord)}'?` : '';
}

const SAO_PAULO_FORMAT = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** Formats a timestamp for a terminal, in São Paulo time: '2026-11-15 09:30'. With --json commands print UTC. */
export const formatInstant = (timestamp: Date | string | null): string =>
  timestamp === null ? '-' : SAO_PAULO_FORMAT.format(new Date(timestamp));

type QueryResult = {
  readonly records: readonly object[];
  readonly text: string;
  readonly exitCode?: number;
};

/** `printResult` prints a result before the command ends, as JSON or as text. */
type QueryContext = CommandContext & { printResult(record: object, text: string): void };

/** A command that returns records and the same as text. */
type QueryDeclaration = CommandDeclaration &
  Pick<Command, 'requiredSettings'> & { query(context: QueryContext, args: Arguments): Promise<QueryResult> };

const JSON_OPTION: Option = { help: 'one JSON object per line, for scripts' };

/** Adds the option --json, with which the command prints its records as JSON instead of its text. */
export function queryCommand({ query, ...declaration }: QueryDeclaration): Command {
  return {
    ...declaration,
    options: { ...declaration.options, json: JSON_OPTION },
    async run(context, args) {
      const { print } = context;
      const printsJson = args.has('json');
      const printResult = (record: object, text: string) => print(printsJson ? JSON.stringify(record) : text);
      const { records, text, exitCode } = await query({ ...context, printResult }, args);
      if (printsJson) for (const record of records) print(JSON.stringify(record));
      else print(text);
      return exitCode;
    },
  };
}

type DestructiveCommand = Command & {
  /** Describes in a sentence what is lost. Returns undefined if these arguments destroy nothing. */
  describeLoss(args: Arguments): string | undefined;
};

const YES_OPTION: Option = { help: 'skip the confirmation' };

/** Makes a command ask for confirmation. Without a terminal it requires --yes. */
export function destructiveCommand({ describeLoss, ...command }: DestructiveCommand): Command {
  return {
    ...command,
    options: { ...command.options, yes: YES_OPTION },
    async run(context, args) {
      const loss = args.has('yes') ? undefined : describeLoss(args);
      if (loss !== undefined) await confirm(context, loss);
      return command.run(context, args);
    },
  };
}

export async function confirm({ ask }: CommandContext, loss: string): Promise<void> {
  if (!ask) throw new UsageError(`${loss} Use --yes to confirm.`);
  const answer = await ask(`${loss} Type yes to go on: `);
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.');
}

/** Asks on standard error. The end of input counts as an empty answer. A secret is not echoed. */
export async function askTerminal(question: string, { isSecret = false } = {}): Promise<string> {
  const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isSecret) process.stderr.write(question);
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? silentOutput : process.stderr,
    ...(isSecret && { terminal: true }),
  });
  const inputEnded = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), inputEnded]);
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}
