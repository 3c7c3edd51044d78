import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { badRequest, payloadTooLarge } from '#platform/problem.ts';

/** `isWhole` is false when it could not be inflated: then the text is the raw body, a character per byte. */
export type CallbackBody = { text: string; isWhole: boolean };

/** A PSP may put a whole day's payments into one notice. */
const MOST_BYTES = 2 * 1024 * 1024;
/** The limit of the inflated body, against gzip bombs. */
const MOST_INFLATED_BYTES = 8 * 1024 * 1024;

const inflate = promisify(gunzip);

/** Reads the body whatever content type is declared, and inflates it if it is gzip, declared or not. */
export async function readBody(request: IncomingMessage): Promise<CallbackBody> {
  const bytes = await readBytes(request);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { text: bytes.toString('utf8'), isWhole: true };
  try {
    const inflated = await inflate(bytes, { maxOutputLength: MOST_INFLATED_BYTES });
    return { text: inflated.toString('utf8'), isWhole: true };
  } catch {
    return { text: bytes.toString('latin1'), isWhole: false };
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = () => payloadTooLarge(MOST_BYTES);
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let count = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      count += chunk.length;
      // Read to its end, so that the refusal arrives.
      if (count <= MOST_BYTES) chunks.push(chunk);
    }
  } catch {
    throw badRequest({
      en: 'The body did not arrive whole.',
      pt: 'O corpo da requisição não chegou inteiro.',
    });
  }
  if (count > MOST_BYTES) throw tooLarge();
  return Buffer.concat(chunks);
}
