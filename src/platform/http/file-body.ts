import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { ENCODINGS, FileError } from '../files/read-lines.ts';
import { fileRefused } from '../problem.ts';
import { readRawBody } from './raw-body.ts';

/** Enough for a picture or a hand-written file. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;

export const readFileBody = (request: IncomingMessage): Promise<Buffer> =>
  readRawBody(request, MAX_FILE_BYTES);

/** Query parameters of an endpoint whose body is a text file. The first format is the default. */
export const fileParameters = <F extends string>(formats: readonly [F, ...F[]]) => ({
  dry_run: Type.Optional(Type.Enum(['true', 'false'], { description: 'Only reports what would change.' })),
  format: Type.Optional(Type.Enum([...formats], { description: `The default is \`${formats[0]}\`.` })),
  encoding: Type.Optional(Type.Enum([...ENCODINGS], { description: 'The default is UTF-8.' })),
});

/** Turns an error about an unreadable file into a 422 `file_refused`. */
export function rethrowAsFileProblem(error: unknown): never {
  throw error instanceof FileError ? fileRefused(error.text) : error;
}
