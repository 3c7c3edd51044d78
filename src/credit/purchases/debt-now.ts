import { computeDebt, type Debt, type Installment } from '#core/finance/debt.ts';
import { type Instant, saoPauloDay } from '#core/values/day.ts';

/**
 * Computes the debt now. Includes all known events, even those slightly in the future because the PSP's clock is ahead of ours. Days
 * are counted up to today.
 */
export function computeDebtNow(installment: Installment, now: Instant): Debt {
  const lastEventAt = findLastEventAt(installment);
  return lastEventAt === null || lastEventAt <= now
    ? computeDebt(installment, now)
    : computeDebt(installment, lastEventAt, saoPauloDay(now));
}

/** Returns the instant of the last known event, or null if there is none. */
export function findLastEventAt({ events }: Installment): Instant | null {
  let last: Instant | null = null;
  for (const event of events) {
    const eventAt = Math.max(event.at, ('reversedAt' in event && event.reversedAt) || event.at);
    if (last === null || eventAt > last) last = eventAt;
  }
  return last;
}
