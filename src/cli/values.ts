import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parseReaisInput, toReais } from '#core/values/money.ts';
import { CommandError, suggestSimilarWord, UsageError } from '#platform/command-line/command.ts';
import type { Input } from './manifest.ts';

type ValueSource = {
  option: string;
  stdin: Readable;
};

export async function parseValue(
  text: string,
  input: Input,
  { option, stdin }: ValueSource,
): Promise<unknown> {
  if (input.nullable && text === 'none') return null;
  const isFile = input.fromFile && text.startsWith('@');
  const content = isFile ? await readTextFile(text.slice(1), stdin) : text;
  switch (input.type) {
    case 'integer':
    case 'number':
      return parseNumber(content, input, option);
    case 'reais':
      return parseAmount(content, option);
    case 'list':
      return content === '' ? [] : content.split(',').map((word) => checkChoice(word.trim(), input, option));
    case 'json':
      return parseJson(content, option);
    default:
      return checkChoice(content, input, option);
  }
}

function parseNumber(text: string, { type }: Input, option: string): number {
  const pattern = type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}([.,]\d+)?$/;
  if (pattern.test(text)) return Number(text.replace(',', '.'));
  throw new UsageError(
    `${option} is '${text}'; write a ${type === 'integer' ? 'whole number, like 3' : 'number, like 2.5'}.`,
  );
}

function parseAmount(text: string, option: string): number {
  const amount = parseReaisInput(text);
  if (amount === null)
    throw new UsageError(`${option} is '${text}'; write an amount, like 249.90 or 1.249,90.`);
  return toReais(amount);
}

function parseJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${option} is not JSON. Write @FILE for the content of a file.`);
  }
}

function checkChoice(text: string, { choices }: Input, option: string): string {
  if (!choices || choices.includes(text)) return text;
  const suggestion = suggestSimilarWord(text, choices);
  throw new UsageError(`${option} is '${text}'; it must be one of ${choices.join(', ')}.${suggestion}`);
}

/** Reads a text file, or standard input for '-', without the final line break. */
const readTextFile = async (path: string, stdin: Readable): Promise<string> =>
  (await readFileArgument(path, stdin)).toString().replace(/\r?\n$/, '');

export async function readFileArgument(path: string, stdin: Readable): Promise<Buffer> {
  try {
    return path === '-' ? await buffer(stdin) : await readFile(path);
  } catch (error) {
    throw new CommandError(`'${path}' cannot be read: ${(error as Error).message}.`);
  }
}
