import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/values/duration.ts';

const UNIT_MS = { W: 7 * DAY_MS, D: DAY_MS, H: HOUR_MS, M: MINUTE_MS, S: SECOND_MS };

const DURATION_PATTERN =
  /^(-?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;

/**
 * An ISO 8601 duration in milliseconds (P7D, PT12H, P1W, P1DT6H, -P3D), or null. Months and years are refused: their length
 * varies.
 */
export function parseDuration(text: string): number | null {
  const match = DURATION_PATTERN.exec(text);
  if (!match || /[PT]$/.test(text)) return null;
  const [, sign, weeks, days, hours, minutes, seconds] = match;
  const ms =
    Number(weeks ?? 0) * UNIT_MS.W +
    Number(days ?? 0) * UNIT_MS.D +
    Number(hours ?? 0) * UNIT_MS.H +
    Number(minutes ?? 0) * UNIT_MS.M +
    Number(seconds ?? 0) * UNIT_MS.S;
  return sign === '-' ? -ms : ms;
}
