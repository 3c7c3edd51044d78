/** Clamps an instant that the PSP reports to [earliest, now], because the PSP's clock may be wrong. */
export function clampInstant(reported: Date, { earliest, now }: { earliest: Date; now: Date }): Date {
  const notFuture = reported > now ? now : reported;
  return notFuture < earliest ? earliest : notFuture;
}
