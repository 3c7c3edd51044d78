import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random bytes are fetched in blocks, which is many times as fast. Not for secrets: those must not lie in memory in advance. */
let chance = Buffer.alloc(0);

/** An opaque id that sorts by creation: 48 bits of time, 80 random bits, e.g. `lead_01kfx3…`. */
export function newId(prefix: string, now: Date): string {
  let time = '';
  for (let left = now.getTime(); time.length < 10; left = Math.floor(left / 32))
    time = CROCKFORD[left % 32] + time;
  if (chance.length < 16) chance = randomBytes(4096);
  let text = `${prefix}_${time}`;
  for (const byte of chance.subarray(0, 16)) text += CROCKFORD[byte & 31];
  chance = chance.subarray(16);
  return text;
}

/** When an id was made; undefined if it is not one of ours. */
export function creationOf(id: string): Date | undefined {
  const [time] = /(?<=_)[0-9a-hjkmnp-tv-z]{10}(?=[0-9a-z]{16}$)/.exec(id) ?? [];
  if (time === undefined) return undefined;
  const at = new Date([...time].reduce((sum, character) => sum * 32 + CROCKFORD.indexOf(character), 0));
  return Number.isNaN(at.getTime()) ? undefined : at;
}

export const randomBase62 = (length: number): string => randomText(length, BASE62);

/** Unguessable text. Every character is uniformly distributed: bytes past the last multiple of their number are thrown away. */
export function randomText(length: number, characters: string): string {
  const end = 256 - (256 % characters.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < end && text.length < length) text += characters[byte % characters.length];
    }
  }
  return text;
}
