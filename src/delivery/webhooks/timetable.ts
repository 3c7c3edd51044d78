import { HOUR_MS, MINUTE_MS } from '#core/duration.ts';

/** Delays between tries: eight tries in about a day. */
const WAITS_MS = [
  ...[10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 6 * HOUR_MS, 15 * HOUR_MS],
];
export const MOST_TRIES = WAITS_MS.length + 1;
/** After so many failures in a row an endpoint gets one probe at a time. */
export const FAILURES_TO_PROBE = 5;
/** The upper bound of the backoff of 1 s, 2 s, 4 s, ... */
export const LONGEST_HOLD_MS = 5 * MINUTE_MS;
const LONGEST_RETRY_AFTER_MS = 6 * HOUR_MS;
export const FAILING_DAYS = 5;

/** Jitter of ten percent, so that what failed together is not retried together. */
const jitter = (ms: number): number => ms * (0.9 + Math.random() * 0.2);

/** The delay after try number `tries`; null: it was the last. */
export function waitAfter(tries: number): number | null {
  const waitMs = WAITS_MS[tries - 1];
  return waitMs === undefined ? null : jitter(waitMs);
}

/** Seconds or a date. Anything else is ignored. */
export function readRetryAfter(text: string | undefined, now: Date): number {
  if (text === undefined) return 0;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_RETRY_AFTER_MS) : 0;
}
