/** The only source of time. Code that depends on time takes a clock and never calls `Date.now()`. */
export type Clock = {
  now(): Date;
  /** Registers a callback, if the clock can be moved. It is called after a move, so that values derived from the time are recomputed. */
  onManualMove?(callback: () => void): void;
};

export const systemClock: Clock = { now: () => new Date() };
