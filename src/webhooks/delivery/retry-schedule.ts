import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';

/** The delays between attempts: eight attempts in about a day. */
const DELAYS_MS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 15 * HOUR_MS];
/** After this many consecutive failures a webhook gets one delivery at a time as a probe. */
export const FAILURES_BEFORE_PROBING = 5;
/** The maximum of the backoff of 1 s, 2 s, 4 s, ... */
export const MAX_BACKOFF_MS = 5 * MINUTE_MS;
const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;
/** A webhook is disabled after it has only failed for this many days. */
export const FAILING_DAYS = 5;

/** Adds ten percent of jitter, so that deliveries that failed together are not retried together. */
const addJitter = (ms: number): number => ms * (0.9 + Math.random() * 0.2);

/** Returns the delay after this number of attempts, or null after the last one. */
export function computeRetryDelay(attempts: number): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : addJitter(delayMs);
}

/** Parses seconds or a date to milliseconds. Returns 0 for anything else. */
export function parseRetryAfter(text: string | undefined, now: Date): number {
  if (text === undefined) return 0;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS) : 0;
}
