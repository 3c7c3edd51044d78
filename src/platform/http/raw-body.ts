import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { badRequest, fileRefused, payloadTooLarge } from '../problem.ts';
import { ENCODINGS, FileError } from '../text-file.ts';

/** Node reads and discards an unread body up to this size, and the connection stays usable. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/** Reads the body of an endpoint with `rawBody`. A larger body gets 413, and `closeUnreadConnections` closes its connection. */
export async function readRawBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw payloadTooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Destroying the stream would destroy its socket, on which the response is sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw badRequest({
      en: 'The connection was closed before the whole body arrived.',
      pt: 'O corpo da requisição não chegou inteiro.',
    });
  }
  if (size > maxBytes) throw payloadTooLarge(maxBytes);
  return Buffer.concat(chunks);
}

/** Closes connections with a large unread body, because the next request would wait until the whole body has arrived. */
export function closeUnreadConnections(server: FastifyInstance): void {
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (!raw.complete && mayHaveLargeBody(raw)) reply.header('connection', 'close');
    done();
  });
}

const mayHaveLargeBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES;

/** The size limit of pictures and of files that people write by hand. */
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
