/** A number from 0 up to 1. */
export type Chance = () => number;

/** Random numbers; with a seed the same sequence every time (mulberry32), so that a failure can be reproduced. */
export function openChance(seed: number | undefined): Chance {
  if (seed === undefined) return Math.random;
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
