const MS = { W: 604_800_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 };

const FORM = /^(-?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;

/**
 * An ISO 8601 duration in milliseconds (P7D, PT12H, P1W, P1DT6H, -P3D), or null. Months and years are refused: their length
 * varies.
 */
export function readDuration(text: string): number | null {
  const match = FORM.exec(text);
  if (!match || /[PT]$/.test(text)) return null;
  const [, sign, weeks, days, hours, minutes, seconds] = match;
  const ms =
    Number(weeks ?? 0) * MS.W +
    Number(days ?? 0) * MS.D +
    Number(hours ?? 0) * MS.H +
    Number(minutes ?? 0) * MS.M +
    Number(seconds ?? 0) * MS.S;
  return sign === '-' ? -ms : ms;
}
