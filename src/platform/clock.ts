/** The one place time comes from. Everything that decides by time takes a clock, never `Date.now()`. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
