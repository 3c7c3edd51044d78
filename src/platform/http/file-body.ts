import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { ENCODINGS, FileFault } from '../files/read-lines.ts';
import { fileRefused, payloadTooLarge } from '../problem.ts';

/** More than a picture needs, or a file that is written by hand. */
export const MOST_BYTES = 2 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw payloadTooLarge(MOST_BYTES, { connection: 'close' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Parameters of an endpoint whose body is a text file. The first format is the default. */
export const fileParameters = <F extends string>(formats: readonly [F, ...F[]]) => ({
  dry_run: Type.Optional(Type.Enum(['true', 'false'], { description: 'Only says what would change.' })),
  format: Type.Optional(Type.Enum([...formats], { description: `\`${formats[0]}\` unless sent.` })),
  encoding: Type.Optional(Type.Enum([...ENCODINGS], { description: 'UTF-8 unless sent.' })),
});

/** 422 `file_refused` for a file that cannot be read. */
export function refuseUnreadable(error: unknown): never {
  throw error instanceof FileFault ? fileRefused(error.text) : error;
}
