import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random bytes, generated in blocks, which is many times faster. Not for secrets, which must not exist in memory in advance. */
let randomPool = Buffer.alloc(0);

/** Returns the next bytes for a kind of text: an id prefix, or 'text'. Returns undefined if they must be random. */
type ByteSource = (kind: string, length: number) => Buffer | undefined;

const byteSourceStorage = new AsyncLocalStorage<ByteSource>();

/**
 * Within `createData`, ids with these prefixes and random texts are derived from the seed and a counter. Only for published
 * data, because they can be guessed.
 */
export function withPublishedIds<T>(
  { seed, prefixes }: { seed: string; prefixes: readonly string[] },
  createData: () => Promise<T>,
): Promise<T> {
  const counts = new Map<string, number>();
  return byteSourceStorage.run((kind, length) => {
    if (kind !== 'text' && !prefixes.includes(kind)) return undefined;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return createHash('shake256', { outputLength: length }).update(`${seed} ${kind} ${count}`).digest();
  }, createData);
}

/** Creates an opaque id that sorts by creation time: 48 bits of time and 80 random bits, e.g. `lead_01kfx3…`. */
export function newId(prefix: string, now: Date): string {
  let encodedTime = '';
  for (let remaining = now.getTime(); encodedTime.length < 10; remaining = Math.floor(remaining / 32))
    encodedTime = CROCKFORD[remaining % 32] + encodedTime;
  let id = `${prefix}_${encodedTime}`;
  for (const byte of byteSourceStorage.getStore()?.(prefix, 16) ?? takeRandomBytes(16))
    id += CROCKFORD[byte & 31];
  return id;
}

function takeRandomBytes(length: number): Buffer {
  if (randomPool.length < length) randomPool = randomBytes(4096);
  const bytes = randomPool.subarray(0, length);
  randomPool = randomPool.subarray(length);
  return bytes;
}

/** Returns when an id was created; undefined if `newId` did not create it. */
export function readCreationTime(id: string): Date | undefined {
  const [encodedTime] = /(?<=_)[0-9a-hjkmnp-tv-z]{10}(?=[0-9a-z]{16}$)/.exec(id) ?? [];
  if (encodedTime === undefined) return undefined;
  const createdAt = new Date(
    [...encodedTime].reduce((sum, character) => sum * 32 + CROCKFORD.indexOf(character), 0),
  );
  return Number.isNaN(createdAt.getTime()) ? undefined : createdAt;
}

export const randomBase62 = (length: number): string => randomText(length, BASE62);

/** Creates an unguessable text. Bytes that would make some characters more frequent than others are discarded. */
export function randomText(length: number, characters: string): string {
  const usableValues = 256 - (256 % characters.length);
  let text = '';
  while (text.length < length) {
    for (const byte of byteSourceStorage.getStore()?.('text', length * 2) ?? randomBytes(length * 2)) {
      if (byte < usableValues && text.length < length) text += characters[byte % characters.length];
    }
  }
  return text;
}
