import { createReadStream } from 'node:fs';
import { type Encoding, FileError } from '../files/read-lines.ts';
import { type Arguments, type CommandContext, type Option, UsageError } from './command.ts';

export const FILE_ARGUMENT = { name: 'FILE', help: 'the file, or - for standard input' };

export const ENCODING_OPTION: Option = { value: 'NAME', help: 'utf-8 or latin1 (default utf-8)' };

export function readEncoding(args: Arguments): Encoding {
  const encoding = args.option('encoding');
  if (encoding === undefined || encoding === 'utf-8' || encoding === 'utf8') return 'utf-8';
  if (encoding === 'latin1') return 'latin1';
  throw new UsageError(`--encoding is '${encoding}'; it must be utf-8 or latin1.`);
}

export async function* readBytes(path: string, { stdin }: CommandContext): AsyncGenerator<Buffer> {
  try {
    yield* (path === '-' ? stdin : createReadStream(path)) as AsyncIterable<Buffer>;
  } catch (error) {
    const { message } = error as Error;
    throw new FileError({
      en: `'${path}' cannot be read: ${message}.`,
      pt: `'${path}' não pode ser lido: ${message}.`,
    });
  }
}
