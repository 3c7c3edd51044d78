/** When the PSP says it happened, clamped to [earliest, now], whatever its clock says. */
export function plausible(said: Date, { earliest, now }: { earliest: Date; now: Date }): Date {
  const latest = said > now ? now : said;
  return latest < earliest ? earliest : latest;
}
