import { type Instant, saoPauloDay } from '#core/day.ts';
import { type Debt, debtAt, type Installment } from '#core/debt.ts';

/**
 * What is owed now. All known events count, also those slightly in the future because the PSP's clock is ahead of ours. Days are
 * counted up to today.
 */
export function debtNow(installment: Installment, now: Instant): Debt {
  const known = lastFact(installment);
  return known === null || known <= now
    ? debtAt(installment, now)
    : debtAt(installment, known, saoPauloDay(now));
}

/** The instant of the last known event; null when there is none. */
export function lastFact({ events }: Installment): Instant | null {
  let last: Instant | null = null;
  for (const event of events) {
    const at = Math.max(event.at, ('reversedAt' in event && event.reversedAt) || event.at);
    if (last === null || at > last) last = at;
  }
  return last;
}
