/** The one place time comes from. Everything that decides by time takes a clock, never `Date.now()`. */
export type Clock = {
  now(): Date;
  /** Of a clock that can be moved: for what was worked out from the time and kept. */
  onMove?(act: () => void): void;
};

export const systemClock: Clock = { now: () => new Date() };
