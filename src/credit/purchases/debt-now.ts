import { type Instant, saoPauloDay } from '#core/day.ts';
import { type Debt, debtAt, type Installment } from '#core/debt.ts';

/**
 * What is owed now. Everything we know of counts, also what the PSP's clock, ahead of ours, puts a moment into the future;
 * days are counted up to today all the same.
 */
export function debtNow(installment: Installment, now: Instant): Debt {
  const known = lastFact(installment);
  return known === null || known <= now
    ? debtAt(installment, now)
    : debtAt(installment, known, saoPauloDay(now));
}

/** When the last thing happened that we know of; null when nothing did. */
export function lastFact({ events }: Installment): Instant | null {
  let last: Instant | null = null;
  for (const event of events) {
    const at = Math.max(event.at, ('reversedAt' in event && event.reversedAt) || event.at);
    if (last === null || at > last) last = at;
  }
  return last;
}
