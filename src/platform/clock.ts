/** The only source of time. Code that depends on time takes a clock and never calls `Date.now()`. */
export type Clock = {
  now(): Date;
  /** Registers a callback of a clock that can be moved. It is called when values derived from the time must be recomputed. */
  onMove?(callback: () => void): void;
};

export const systemClock: Clock = { now: () => new Date() };
