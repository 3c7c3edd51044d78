import { addDays, type Day, daysBetween, endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';

/** A debit must be requested at least this many days before the due day. */
export const MIN_LEAD_DAYS = 2;
/** The standard allows retries for seven days; the last one may be reported a day later. */
const DEBIT_TTL_DAYS = 8;
/** Half an hour after the two daily windows in which banks debit: 0 to 8 h and 18 to 21 h. */
const CHECK_TIMES_MS = [8.5, 21.5].map((hours) => hours * HOUR_MS);

/** Returns the week of the authorisation that a due day falls into, counted from 0. */
export const computeCycle = (startsOn: Day, dueOn: Day): number =>
  Math.floor(daysBetween(startsOn, dueOn) / 7);

/** Returns when to read the result of an attempt from the PSP, if no callback arrives. */
export function computeNextCheck(attemptOn: Day, now: Date): Date {
  const today = saoPauloDay(now.getTime());
  const firstDay = attemptOn > today ? attemptOn : today;
  const days = [firstDay, addDays(firstDay, 1)];
  const checksMs = days.flatMap((day) => CHECK_TIMES_MS.map((ms) => startOfDay(day) + ms));
  return new Date(checksMs.find((checkMs) => checkMs > now.getTime())!);
}

/** Returns when the authorisations of a review day are reviewed: after its first debit window. */
export const computeReviewInstant = (reviewDay: Day): Date =>
  new Date(startOfDay(reviewDay) + CHECK_TIMES_MS[0]!);

/** Returns when a debit with this day of its first attempt can no longer be paid. */
export const computeDebitExpiry = (firstAttemptOn: Day): Date =>
  new Date(endOfDay(addDays(firstAttemptOn, DEBIT_TTL_DAYS)));

/**
 * Returns the day on which a refused debit is retried: after today, and before the next week of the authorisation, which has its
 * own debit. Returns null if it is not retried.
 */
export function computeRetryDay(
  firstAttemptOn: Day,
  retryDays: readonly number[],
  { today, startsOn, cycle }: { today: Day; startsOn: Day; cycle: number },
): Day | null {
  const nextCycleOn = addDays(startsOn, 7 * (cycle + 1));
  const candidates = retryDays.map((days) => addDays(firstAttemptOn, days));
  return candidates.find((candidate) => candidate > today && candidate < nextCycleOn) ?? null;
}

/** Texts for the customer. Codes in capitals are codes of the Pix network; the others are ours. */
const REJECTION_TEXTS: Record<string, string> = {
  no_money: 'Não havia saldo na conta.',
  no_answer: 'O banco não respondeu.',
  withdrawn: 'O débito foi cancelado no banco.',
  AM02: 'O valor passa do limite que você definiu no aplicativo do banco.',
  AC05: 'A conta está encerrada.',
  AC06: 'A conta está bloqueada.',
  MSUC: 'A autorização não vale mais.',
  NITX: 'A autorização não vale mais.',
  DENC: 'A autorização não vale mais.',
};

export const describeRejection = (code: string): string =>
  REJECTION_TEXTS[code] ?? `O banco recusou o débito (${code}).`;

/** Rejections that a retry cannot change until the payer acts. */
export const FINAL_CODES: ReadonlySet<string> = new Set(['AM02']);
