import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random bytes are generated in blocks, which is many times faster. Not for secrets, which must not exist in memory in advance. */
let randomPool = Buffer.alloc(0);

/** Creates an opaque id that sorts by creation time: 48 bits of time and 80 random bits, e.g. `lead_01kfx3…`. */
export function newId(prefix: string, now: Date): string {
  let time = '';
  for (let left = now.getTime(); time.length < 10; left = Math.floor(left / 32))
    time = CROCKFORD[left % 32] + time;
  if (randomPool.length < 16) randomPool = randomBytes(4096);
  let text = `${prefix}_${time}`;
  for (const byte of randomPool.subarray(0, 16)) text += CROCKFORD[byte & 31];
  randomPool = randomPool.subarray(16);
  return text;
}

/** Returns when an id was created; undefined if `newId` did not create it. */
export function readCreationTime(id: string): Date | undefined {
  const [time] = /(?<=_)[0-9a-hjkmnp-tv-z]{10}(?=[0-9a-z]{16}$)/.exec(id) ?? [];
  if (time === undefined) return undefined;
  const createdAt = new Date(
    [...time].reduce((sum, character) => sum * 32 + CROCKFORD.indexOf(character), 0),
  );
  return Number.isNaN(createdAt.getTime()) ? undefined : createdAt;
}

export const randomBase62 = (length: number): string => randomText(length, BASE62);

/** Creates an unguessable text of uniformly distributed characters: bytes beyond the last multiple of their number are discarded. */
export function randomText(length: number, characters: string): string {
  const usableValues = 256 - (256 % characters.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < usableValues && text.length < length) text += characters[byte % characters.length];
    }
  }
  return text;
}
