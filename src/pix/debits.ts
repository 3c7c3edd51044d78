import { addDays, type Day, daysBetween, endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { cents } from '#core/values/money.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { type Pix, withLockedCustomerInBatch } from './pix.ts';
import { type Debit, PspRefused } from './psp/index.ts';
import { type ChargeRow, clearRemovedAt, findCharge, markDiscarded } from './store/charges.ts';
import { type DebitRow, markDebitClosed, markDebitPending } from './store/debits.ts';
import { createSyncJob, SYNC_ATTEMPTS } from './tasks.ts';

/** A debit must be requested at least this many days before the due day. */
export const MIN_LEAD_DAYS = 2;
/** The standard allows retries for seven days; the last one may be reported a day later. */
const DEBIT_TTL_DAYS = 8;
/** Half an hour after the two daily windows in which banks debit: 0 to 8 h and 18 to 21 h. */
const MORNING_CHECK_MS = 8.5 * HOUR_MS;
const EVENING_CHECK_MS = 21.5 * HOUR_MS;

/** Returns the week of the authorisation that a due day falls into, counted from 0. */
export const computeCycle = (startsOn: Day, dueOn: Day): number =>
  Math.floor(daysBetween(startsOn, dueOn) / 7);

/** Returns when to read the result of an attempt from the PSP, if no callback arrives. */
export function computeNextCheckTime(attemptOn: Day, now: Date): Date {
  const today = saoPauloDay(now.getTime());
  const firstDay = attemptOn > today ? attemptOn : today;
  const dayStarts = [startOfDay(firstDay), startOfDay(addDays(firstDay, 1))];
  const checksMs = dayStarts.flatMap((startMs) => [startMs + MORNING_CHECK_MS, startMs + EVENING_CHECK_MS]);
  return new Date(checksMs.find((checkMs) => checkMs > now.getTime())!);
}

/** Returns when the authorisations of a review day are reviewed: after its first debit window. */
export const computeReviewInstant = (reviewDay: Day): Date =>
  new Date(startOfDay(reviewDay) + MORNING_CHECK_MS);

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
export const FINAL_REJECTION_CODES: ReadonlySet<string> = new Set(['AM02']);

/** Requests a stored debit from the PSP, and saves the response. Without a response, reconciliation reads the debit later. */
export async function submitDebit(
  pix: Pix,
  charge: ChargeRow,
  debit: DebitRow,
  recId: string,
  { readFirst }: { readFirst: boolean },
): Promise<void> {
  try {
    const response = await pix.psp().putDebit(
      charge.txid,
      {
        recId,
        dueOn: debit.due_on as Day,
        amountCents: cents(charge.value_cents),
        account: pix.account!,
        note: 'Parcela em débito automático',
      },
      { readFirst },
    );
    pix.failpoint('after-debit-put');
    if (response.kind === 'created') return saveCreatedDebit(pix, charge, debit, response.debit);
    pix.log.error({ txid: charge.txid }, 'the PSP has another debit with our txid');
    await discardDebit(pix, charge, debit);
  } catch (error) {
    if (error instanceof PspRefused) await discardDebit(pix, charge, debit);
    throw error;
  }
}

/** Closes a debit that the PSP has not created, so its week may get another one. Reconciliation closes a debit that was cancelled meanwhile. */
async function discardDebit(pix: Pix, charge: ChargeRow, debit: DebitRow): Promise<void> {
  if (await markDiscarded(pix.db, charge)) await markDebitClosed(pix.db, debit);
}

/** Saves that the PSP has created the debit. If it was cancelled meanwhile, a job removes it at the PSP. */
export async function saveCreatedDebit(pix: Pix, charge: ChargeRow, debit: DebitRow, { attempts }: Debit) {
  const [firstAttempt] = attempts;
  const attemptOn = firstAttempt?.day ?? (debit.attempt_on as Day);
  await withLockedCustomerInBatch(pix, charge.customer_id, async (tx) => {
    const isPending = await markDebitPending(tx, debit, {
      attemptOn,
      heldUntil: new Date(endOfDay(attemptOn)),
      checkAt: computeNextCheckTime(attemptOn, pix.clock.now()),
    });
    if (isPending) return;
    const { status } = (await findCharge(tx, charge.customer_id, charge.id))!;
    if (status !== 'cancelled' && status !== 'discarded') return;
    await clearRemovedAt(tx, charge);
    await enqueueAll(tx, [createSyncJob(charge.txid)], SYNC_ATTEMPTS);
  });
}
