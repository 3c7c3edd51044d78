/** When the PSP says it happened; but nothing happens before `earliest`, nor later than it is heard of, whatever its clock says. */
export function plausible(said: Date, { earliest, now }: { earliest: Date; now: Date }): Date {
  const latest = said > now ? now : said;
  return latest < earliest ? earliest : latest;
}
