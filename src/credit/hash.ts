import { randomBase62 } from '#platform/ids.ts';

/** 22 characters of base62 hold 131 bits: nobody guesses one. */
export const newHash = (): string => randomBase62(22);

/** Whether it can be one at all. What cannot is not looked for. */
export const isHash = (text: string): boolean => /^[0-9A-Za-z]{22}$/.test(text);
