import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readRawBody } from '#platform/http/raw-body.ts';

/** `isReadable` is false if the body could not be inflated. `text` is the raw body then, one character per byte. */
export type CallbackBody = { text: string; isReadable: boolean };

/** A PSP may report a whole day's payments in one callback. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Limit of the inflated body, against gzip bombs. */
const MAX_INFLATED_BYTES = 8 * 1024 * 1024;

const inflate = promisify(gunzip);

/** Reads the body regardless of the declared content type, and inflates it if it is gzip, declared or not. */
export async function readCallbackBody(request: IncomingMessage): Promise<CallbackBody> {
  const bytes = await readRawBody(request, MAX_BYTES);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { text: bytes.toString('utf8'), isReadable: true };
  try {
    const inflated = await inflate(bytes, { maxOutputLength: MAX_INFLATED_BYTES });
    return { text: inflated.toString('utf8'), isReadable: true };
  } catch {
    return { text: bytes.toString('latin1'), isReadable: false };
  }
}
