import { createReadStream } from 'node:fs';
import { type Encoding, FileFault } from '../files/read-lines.ts';
import { type Arguments, type CommandContext, type Option, UsageFault } from './command.ts';

// What commands that read a text file have in common.

export const FILE = { name: 'FILE', help: 'the file, or - for standard input' };

export const ENCODING: Option = { value: 'NAME', help: 'utf-8 or latin1 (default utf-8)' };

export function readEncoding(args: Arguments): Encoding {
  const wanted = args.option('encoding');
  if (wanted === undefined || wanted === 'utf-8' || wanted === 'utf8') return 'utf-8';
  if (wanted === 'latin1') return 'latin1';
  throw new UsageFault(`--encoding is '${wanted}'; it must be utf-8 or latin1.`);
}

export async function* readBytes(path: string, { stdin }: CommandContext): AsyncGenerator<Buffer> {
  try {
    yield* (path === '-' ? stdin : createReadStream(path)) as AsyncIterable<Buffer>;
  } catch (error) {
    const { message } = error as Error;
    throw new FileFault({
      en: `'${path}' cannot be read: ${message}.`,
      pt: `'${path}' não pode ser lido: ${message}.`,
    });
  }
}
