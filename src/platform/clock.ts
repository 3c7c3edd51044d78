/** The one place time comes from. Everything that decides by time takes a clock, never `Date.now()`. */
export type Clock = {
  now(): Date;
  /** For a clock that can be moved: called when values that were computed from the time must be computed anew. */
  onMove?(act: () => void): void;
};

export const systemClock: Clock = { now: () => new Date() };
