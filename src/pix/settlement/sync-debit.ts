import { type Day, endOfDay, saoPauloDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import {
  computeNextCheckTime,
  computeRetryDay,
  describeRejection,
  FINAL_REJECTION_CODES,
  saveCreatedDebit,
} from '../debits.ts';
import { isAbandoned, type Pix, withLockedCustomer } from '../pix.ts';
import { type Debit, type DebitAttempt, PspRefused } from '../psp/index.ts';
import { findAuthorisation, saveReviewDay } from '../store/authorisations.ts';
import { type ChargeRow, findCharge, markDiscarded, markExpired, markRemoved } from '../store/charges.ts';
import { type DebitRow, findDebit, markDebitClosed, updateDebit } from '../store/debits.ts';
import { settlePayments } from './settle-payment.ts';

/**
 * Reads a debit from the PSP, and updates the stored debit: settles its payment, retries or reports a refusal, or cancels at the PSP a debit
 * whose stored charge is cancelled. Returns the number of new payments.
 */
export async function syncDebit(pix: Pix, charge: ChargeRow, endToEndId: string | null): Promise<number> {
  const pspDebit = await pix.psp().getDebit(charge.txid);
  pix.failpoint('after-truth-read');
  const newPaymentCount = await settlePayments(pix, charge, pspDebit, endToEndId);
  const { customer_id, id } = charge;
  const currentCharge = (await findCharge(pix.db, customer_id, id))!;
  const debit = (await findDebit(pix.db, customer_id, id))!;
  const { status, removed_at } = currentCharge;
  if (!pspDebit) await handleMissingDebit(pix, currentCharge, debit);
  else if (status === 'creating') await saveCreatedDebit(pix, currentCharge, debit, pspDebit);
  else if (status === 'pending') await syncAttempts(pix, currentCharge, debit, pspDebit);
  else if ((status === 'cancelled' || status === 'discarded') && removed_at === null)
    return newPaymentCount + (await cancelAtPsp(pix, currentCharge, debit, pspDebit));
  return newPaymentCount;
}

/** Closes a stored debit that the PSP does not have: the bank debits nothing. Its week is free for another debit. */
async function handleMissingDebit(pix: Pix, charge: ChargeRow, debit: DebitRow): Promise<void> {
  const now = pix.clock.now();
  if (charge.status === 'creating') {
    // A request may still be creating the debit.
    if (!isAbandoned(charge, now)) return;
    // The debit was cancelled or created meanwhile: the next check reads it again.
    if (!(await markDiscarded(pix.db, charge))) return;
  } else if (charge.status === 'pending') {
    pix.log.error({ txid: charge.txid }, 'the PSP no longer has a debit that it had created');
    return failDebit(pix, charge, debit, { code: 'no_answer', count: debit.refusals });
  } else if (charge.status === 'paid' || charge.status === 'expired') return;
  await releaseDebit(pix, charge, debit);
}

/** Closes a debit that the bank can no longer make, so that its week is free again. */
async function releaseDebit(pix: Pix, charge: ChargeRow, debit: DebitRow): Promise<void> {
  const now = pix.clock.now();
  await markDebitClosed(pix.db, debit);
  const authorisation = await findAuthorisation(pix.db, debit.customer_id, debit.authorisation_id);
  await saveReviewDay(pix.db, authorisation!, saoPauloDay(now.getTime()));
  await markRemoved(pix.db, charge, now);
}

const isPlanned = ({ status }: DebitAttempt) => status === 'requested' || status === 'scheduled';
const isOpen = ({ status }: Debit) => status === 'created' || status === 'active';

/** Cancels a debit at the PSP. Only we request further attempts, so without a planned attempt nothing more is debited. */
async function cancelAtPsp(pix: Pix, charge: ChargeRow, debit: DebitRow, pspDebit: Debit): Promise<number> {
  if (!isOpen(pspDebit) || !pspDebit.attempts.some(isPlanned)) {
    await releaseDebit(pix, charge, debit);
    return 0;
  }
  const cancellation = await pix.psp().cancelDebit(charge.txid);
  pix.failpoint('after-charge-removed');
  // On the day of the debit it is too late. If the bank debits an amount that is no longer owed, it is refunded.
  if (cancellation.kind === 'too_late') return 0;
  const newPaymentCount =
    cancellation.kind === 'ended' ? await settlePayments(pix, charge, cancellation.debit) : 0;
  await releaseDebit(pix, charge, debit);
  return newPaymentCount;
}

/** The attempts that the bank has refused, and the code of the last refusal. */
type Refusals = { count: number; code: string };

async function syncAttempts(pix: Pix, charge: ChargeRow, debit: DebitRow, pspDebit: Debit): Promise<void> {
  const { attempts } = pspDebit;
  // The PSP reports the debit as paid, and no payment is stored: `settlePayments` has recorded the discrepancy.
  if (pspDebit.status === 'paid') return;
  const refusals = summarizeRefusals(attempts);
  if (!isOpen(pspDebit)) {
    const code = pspDebit.status === 'cancelled' ? 'withdrawn' : refusals.code;
    return failDebit(pix, charge, debit, { ...refusals, code });
  }
  const plannedAttempt = attempts.find(isPlanned);
  const awaitsResult = plannedAttempt !== undefined || refusals.count === 0;
  if (awaitsResult && pix.clock.now() >= charge.expires_at)
    return failDebit(pix, charge, debit, { ...refusals, code: 'no_answer' });
  if (plannedAttempt) return savePlannedAttempt(pix, charge, debit, plannedAttempt.day, refusals);
  if (awaitsResult) return;
  const [firstAttempt] = attempts;
  await retryDebit(pix, charge, debit, firstAttempt!.day, refusals);
}

function summarizeRefusals(attempts: readonly DebitAttempt[]): Refusals {
  const refusedAttempts = attempts.filter(({ status }) => status === 'expired' || status === 'rejected');
  return { count: refusedAttempts.length, code: refusedAttempts.at(-1)?.code ?? 'no_money' };
}

/** Requests another attempt from the PSP. If no day or retry is left, the debit has failed. */
async function retryDebit(
  pix: Pix,
  charge: ChargeRow,
  debit: DebitRow,
  firstAttemptOn: Day,
  refusals: Refusals,
): Promise<void> {
  const retryOn = FINAL_REJECTION_CODES.has(refusals.code)
    ? null
    : await findRetryDay(pix, debit, firstAttemptOn);
  if (retryOn === null) return failDebit(pix, charge, debit, refusals);
  try {
    await pix.psp().retryDebit(charge.txid, retryOn);
  } catch (error) {
    if (!(error instanceof PspRefused)) throw error;
    // The requested day is over, because midnight has just passed. The next check requests a later day.
    if ((await findRetryDay(pix, debit, firstAttemptOn)) !== retryOn) return;
    pix.log.warn({ err: error, txid: charge.txid }, 'the PSP refused to retry a debit');
    return failDebit(pix, charge, debit, refusals);
  }
  pix.failpoint('after-retry-asked');
  await savePlannedAttempt(pix, charge, debit, retryOn, refusals);
}

async function findRetryDay(pix: Pix, debit: DebitRow, firstAttemptOn: Day): Promise<Day | null> {
  const authorisation = await findAuthorisation(pix.db, debit.customer_id, debit.authorisation_id);
  if (authorisation?.status !== 'active') return null;
  return computeRetryDay(firstAttemptOn, pix.autopay.retryDays, {
    today: saoPauloDay(pix.clock.now().getTime()),
    startsOn: authorisation.starts_on as Day,
    cycle: debit.cycle,
  });
}

/**
 * Saves the planned attempt. The first refusal is published as an event. Before the first refusal, the price is held until the
 * planned day, because a day that the bank has moved must not cost a penalty.
 */
async function savePlannedAttempt(
  pix: Pix,
  charge: ChargeRow,
  debit: DebitRow,
  attemptOn: Day,
  refusals: Refusals,
): Promise<void> {
  const { customer_id } = charge;
  await withLockedCustomer(pix, customer_id, async (tx) => {
    if ((await findCharge(tx, customer_id, charge.id))!.status !== 'pending') return;
    const storedDebit = (await findDebit(tx, customer_id, charge.id))!;
    const now = pix.clock.now();
    const wasRefused = refusals.count > 0;
    await updateDebit(tx, debit, {
      attemptOn,
      refusals: refusals.count,
      reason: wasRefused ? refusals.code : null,
      checkAt: computeNextCheckTime(attemptOn, now),
      heldUntil: wasRefused ? charge.held_until! : new Date(endOfDay(attemptOn)),
    });
    if (wasRefused && storedDebit.refusals === 0)
      await emitDebitFailed(tx, pix, charge, { ...refusals, retryOn: attemptOn }, now);
  });
}

/** Marks a debit as failed permanently: its charge expires. From then on the installment must be paid by code. */
async function failDebit(pix: Pix, charge: ChargeRow, debit: DebitRow, refusals: Refusals): Promise<void> {
  const { customer_id } = charge;
  await withLockedCustomer(pix, customer_id, async (tx) => {
    if (!(await markExpired(tx, charge))) return;
    const now = pix.clock.now();
    await updateDebit(tx, debit, {
      attemptOn: debit.attempt_on as Day,
      refusals: refusals.count,
      reason: refusals.code,
      checkAt: null,
      heldUntil: charge.held_until!,
    });
    await emitDebitFailed(tx, pix, charge, { ...refusals, retryOn: null }, now);
  });
}

async function emitDebitFailed(
  tx: CustomerTx,
  { events }: Pix,
  charge: ChargeRow,
  { code, count, retryOn }: Refusals & { retryOn: Day | null },
  now: Date,
): Promise<void> {
  const data = {
    checkout_hash: charge.checkout_hash,
    autopay_id: charge.authorisation_id!,
    installment_id: charge.installment_id,
    value: centsToReais(charge.value_cents),
    tries: count,
    reason: describeRejection(code),
    retry_on: retryOn,
  };
  await events.emit(tx, { type: 'autopay.failed', customerId: charge.customer_id, data }, now);
}
