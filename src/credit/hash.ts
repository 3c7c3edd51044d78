import { randomBase62 } from '#platform/ids.ts';

/** 22 characters of base62 hold 131 bits, which cannot be guessed. */
export const newHash = (): string => randomBase62(22);

export const HASH_PATTERN = '^[0-9A-Za-z]{22}$';
