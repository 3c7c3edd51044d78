import { type Day, endOfDay, saoPauloDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import {
  computeNextCheck,
  computeRetryDay,
  describeRejection,
  FINAL_CODES,
  saveCreatedDebit,
} from '../debits.ts';
import { forEachAtPsp } from '../for-each-at-psp.ts';
import { countNewPayments } from '../metrics.ts';
import {
  EXPIRY_GRACE_MS,
  isAbandoned,
  isOlderThan,
  type Pix,
  renderEventTerms,
  withLockedCustomer,
  withSharedLockedCustomer,
} from '../pix.ts';
import { type Charge, type Debit, type DebitAttempt, PspRefused } from '../psp/index.ts';
import {
  type DebitRow,
  findAuthorisation,
  findDebit,
  markDebitClosed,
  saveReviewDay,
  updateDebit,
} from '../store/autopay.ts';
import {
  type ChargeRow,
  findCharge,
  isForCharge,
  listChargesByTxid,
  markCancelled,
  markDiscarded,
  markExpired,
  markFoundAtPsp,
  markPending,
  markRemoved,
} from '../store/charges.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { createSyncJob, SYNC_ATTEMPTS } from '../tasks.ts';
import { settlePayment, settlePayments } from './settle-payment.ts';

/**
 * Reads a charge from the PSP, and updates ours. Callbacks are not trusted: payments are settled only from the charge and from
 * the list of payments as read from the PSP. Idempotent, also when several nodes call it. `endToEndId` identifies a payment that a
 * callback reported for the charge. Returns the number of new payments.
 */
export async function syncCharge(pix: Pix, charge: ChargeRow, endToEndId: string | null = null) {
  if (charge.assigned_end_to_end_id !== null)
    return syncAssignedPayment(pix, charge, charge.assigned_end_to_end_id);
  if (charge.authorisation_id !== null) return syncDebit(pix, charge, endToEndId);
  const pspCharge = await pix.psp().getCob(charge.txid);
  pix.failpoint('after-truth-read');
  if (pspCharge && !isForCharge(charge, pspCharge)) {
    pix.log.error({ txid: charge.txid }, 'the PSP has another charge with our txid');
    return 0;
  }
  const newCount = await settlePayments(pix, charge, pspCharge, endToEndId);
  const settledCharge = (await findCharge(pix.db, charge.customer_id, charge.id))!;
  if (pspCharge) return newCount + (await syncStatus(pix, settledCharge, pspCharge));
  await handleMissingCharge(pix, settledCharge);
  return newCount;
}

export const syncCharges = (pix: Pix, txids: readonly string[]): Promise<void> =>
  forEachAtPsp(
    pix,
    txids.map((txid) => ({ txid })),
    async ({ txid }) => {
      const [charge] = await listChargesByTxid(pix.db, [txid]);
      if (charge) countNewPayments(pix.metrics, await syncCharge(pix, charge));
    },
  );

/** Records the refunds of a payment that was assigned to an installment. The PSP has no charge for it. */
async function syncAssignedPayment(pix: Pix, charge: ChargeRow, endToEndId: string): Promise<number> {
  const receivedPix = await pix.psp().getPix(endToEndId);
  pix.failpoint('after-truth-read');
  if (!receivedPix) return 0;
  const [paymentOwner] = await listPaymentOwners(pix.db, [endToEndId]);
  return settlePayment(pix, charge, receivedPix, paymentOwner);
}

/** Updates a charge that the PSP has, depending on its status here. Returns the number of new payments. */
async function syncStatus(pix: Pix, charge: ChargeRow, pspCharge: Charge): Promise<number> {
  const { db, clock } = pix;
  const now = clock.now();
  switch (charge.status) {
    case 'creating':
      // A request may still be creating it.
      if (!isAbandoned(charge, now)) return 0;
      if (pspCharge.brCode === null) await markDiscarded(db, charge);
      else await saveCreatedCharge(pix, charge, pspCharge);
      return 0;
    case 'pending':
      // A charge that was shown as expired stays expired.
      if (isRemovedAtPsp(pspCharge) && charge.expires_at > now) await markCancelled(db, charge, now);
      // A charge that is paid at the PSP and not here is a discrepancy, and does not expire.
      else if (pspCharge.status !== 'paid' && isOlderThan(charge.expires_at, EXPIRY_GRACE_MS, now))
        await expireCharge(pix, charge);
      return 0;
    case 'cancelled':
    case 'discarded':
      return charge.removed_at === null && pspCharge.status !== 'paid' ? removeAtPsp(pix, charge) : 0;
    default:
      return 0;
  }
}

/** The PSP does not have the charge, so it can never be paid. */
async function handleMissingCharge(pix: Pix, charge: ChargeRow): Promise<void> {
  const now = pix.clock.now();
  if (charge.status === 'creating') {
    // A request may still be creating it.
    if (isAbandoned(charge, now)) await markDiscarded(pix.db, charge);
  } else if (charge.status === 'pending') {
    pix.log.error({ txid: charge.txid }, 'the PSP no longer has a charge that it had created');
    if (isOlderThan(charge.expires_at, EXPIRY_GRACE_MS, now)) await expireCharge(pix, charge);
  } else if (charge.status !== 'paid') await markRemoved(pix.db, charge, now);
}

/** Removes a cancelled charge at the PSP. If it has just been paid, settles the payment. Returns the number of new payments. */
async function removeAtPsp(pix: Pix, charge: ChargeRow): Promise<number> {
  const removal = await pix.psp().removeCob(charge.txid);
  pix.failpoint('after-charge-removed');
  if (removal.kind === 'paid') return settlePayments(pix, charge, removal.charge);
  if (removal.kind === 'unclear')
    pix.log.warn({ txid: charge.txid, status: removal.charge.status }, 'the PSP has not removed a charge');
  else await markRemoved(pix.db, charge, pix.clock.now());
  return 0;
}

async function expireCharge(pix: Pix, charge: ChargeRow): Promise<void> {
  const { customer_id: customerId } = charge;
  await withLockedCustomer(pix, customerId, async (tx) => {
    if (!(await markExpired(tx, charge))) return;
    const data = { ...renderEventTerms(charge), expired_at: charge.expires_at.toISOString() };
    await pix.events.emit(tx, { type: 'pix.expired', customerId, data }, pix.clock.now());
  });
}

/** Saves the code of a charge that the PSP has created. If it was cancelled meanwhile, returns undefined, and a job removes it there. */
export async function saveCreatedCharge(
  pix: Pix,
  charge: ChargeRow,
  { brCode, location, payments }: Charge,
): Promise<ChargeRow | undefined> {
  const { customer_id: customerId, id } = charge;
  return withSharedLockedCustomer(pix, customerId, async (tx) => {
    const pendingCharge = await markPending(tx, charge, { brCode: brCode!, location });
    if (pendingCharge) {
      const data = { ...renderEventTerms(charge), expires_at: charge.expires_at.toISOString() };
      await pix.events.emit(tx, { type: 'pix.created', customerId, data }, pix.clock.now());
    }
    const storedCharge = pendingCharge ?? (await findCharge(tx, customerId, id))!;
    const isCancelled = storedCharge.status === 'discarded' || storedCharge.status === 'cancelled';
    if (isCancelled) await markFoundAtPsp(tx, charge);
    if (isCancelled || payments.length > 0) await enqueueAll(tx, [createSyncJob(charge.txid)], SYNC_ATTEMPTS);
    return isCancelled ? undefined : storedCharge;
  });
}

export const isRemovedAtPsp = ({ status }: Charge): boolean =>
  status === 'removed' || status === 'removed_by_psp';

/**
 * Reads a debit from the PSP, and updates ours: settles its payment, retries or reports a refusal, or cancels at the PSP a debit
 * that was cancelled here. Returns the number of new payments.
 */
async function syncDebit(pix: Pix, charge: ChargeRow, endToEndId: string | null): Promise<number> {
  const pspDebit = await pix.psp().getDebit(charge.txid);
  pix.failpoint('after-truth-read');
  const newCount = await settlePayments(pix, charge, pspDebit, endToEndId);
  const { customer_id, id } = charge;
  const settledCharge = (await findCharge(pix.db, customer_id, id))!;
  const debit = (await findDebit(pix.db, customer_id, id))!;
  const { status, removed_at } = settledCharge;
  if (!pspDebit) await handleMissingDebit(pix, settledCharge, debit);
  else if (status === 'creating') await saveCreatedDebit(pix, settledCharge, debit, pspDebit);
  else if (status === 'pending') await syncAttempts(pix, settledCharge, debit, pspDebit);
  else if ((status === 'cancelled' || status === 'discarded') && removed_at === null)
    return newCount + (await cancelAtPsp(pix, settledCharge, debit, pspDebit));
  return newCount;
}

/** The PSP does not have the debit, so nothing is debited. Its week is free for another debit. */
async function handleMissingDebit(pix: Pix, charge: ChargeRow, debit: DebitRow): Promise<void> {
  const now = pix.clock.now();
  if (charge.status === 'creating') {
    // A request may still be creating it.
    if (!isAbandoned(charge, now)) return;
    // The debit was cancelled or created meanwhile: the next check reads it again.
    if (!(await markDiscarded(pix.db, charge))) return;
  } else if (charge.status === 'pending') {
    pix.log.error({ txid: charge.txid }, 'the PSP no longer has a debit that it had created');
    return failDebit(pix, charge, debit, { code: 'no_answer', refusalCount: debit.refusals });
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
  const newCount = cancellation.kind === 'ended' ? await settlePayments(pix, charge, cancellation.debit) : 0;
  await releaseDebit(pix, charge, debit);
  return newCount;
}

async function syncAttempts(pix: Pix, charge: ChargeRow, debit: DebitRow, pspDebit: Debit): Promise<void> {
  const { attempts } = pspDebit;
  const refusedAttempts = attempts.filter(({ status }) => status === 'expired' || status === 'rejected');
  const plannedAttempt = attempts.find(isPlanned);
  const refusalCount = refusedAttempts.length;
  const code = refusedAttempts.at(-1)?.code ?? 'no_money';
  if (pspDebit.status === 'paid') return; // settlePayments has recorded the discrepancy
  if (!isOpen(pspDebit))
    return failDebit(pix, charge, debit, {
      code: pspDebit.status === 'cancelled' ? 'withdrawn' : code,
      refusalCount,
    });
  const awaitsResult = plannedAttempt !== undefined || refusalCount === 0;
  if (awaitsResult && pix.clock.now() >= charge.expires_at)
    return failDebit(pix, charge, debit, { code: 'no_answer', refusalCount });
  if (plannedAttempt)
    return savePlannedAttempt(pix, charge, debit, plannedAttempt.day, { refusalCount, code });
  if (awaitsResult) return;
  const retryOn = FINAL_CODES.has(code) ? null : await findRetryDay(pix, debit, attempts[0]!.day);
  if (retryOn === null) return failDebit(pix, charge, debit, { code, refusalCount });
  try {
    await pix.psp().retryDebit(charge.txid, retryOn);
  } catch (error) {
    if (!(error instanceof PspRefused)) throw error;
    // The requested day is over, because midnight has just passed. The next check requests a later one.
    if ((await findRetryDay(pix, debit, attempts[0]!.day)) !== retryOn) return;
    pix.log.warn({ err: error, txid: charge.txid }, 'the PSP refused to retry a debit');
    return failDebit(pix, charge, debit, { code, refusalCount });
  }
  pix.failpoint('after-retry-asked');
  await savePlannedAttempt(pix, charge, debit, retryOn, { refusalCount, code });
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
  { refusalCount, code }: { refusalCount: number; code: string },
): Promise<void> {
  const { customer_id } = charge;
  await withLockedCustomer(pix, customer_id, async (tx) => {
    const storedDebit = (await findDebit(tx, customer_id, charge.id))!;
    if ((await findCharge(tx, customer_id, charge.id))!.status !== 'pending') return;
    const now = pix.clock.now();
    await updateDebit(tx, debit, {
      attemptOn,
      refusals: refusalCount,
      reason: refusalCount > 0 ? code : null,
      check_at: computeNextCheck(attemptOn, now),
      heldUntil: refusalCount > 0 ? charge.held_until! : new Date(endOfDay(attemptOn)),
    });
    if (refusalCount > 0 && storedDebit.refusals === 0)
      await emitDebitFailed(tx, pix, charge, { code, refusalCount, retryOn: attemptOn }, now);
  });
}

/** The debit has failed permanently: the installment must be paid by code. */
async function failDebit(
  pix: Pix,
  charge: ChargeRow,
  debit: DebitRow,
  { code, refusalCount }: { code: string; refusalCount: number },
): Promise<void> {
  const { customer_id } = charge;
  await withLockedCustomer(pix, customer_id, async (tx) => {
    if (!(await markExpired(tx, charge))) return;
    const now = pix.clock.now();
    await updateDebit(tx, debit, {
      attemptOn: debit.attempt_on as Day,
      refusals: refusalCount,
      reason: code,
      check_at: null,
      heldUntil: charge.held_until!,
    });
    await emitDebitFailed(tx, pix, charge, { code, refusalCount, retryOn: null }, now);
  });
}

async function emitDebitFailed(
  tx: CustomerTx,
  { events }: Pix,
  charge: ChargeRow,
  { code, refusalCount, retryOn }: { code: string; refusalCount: number; retryOn: Day | null },
  now: Date,
): Promise<void> {
  const data = {
    checkout_hash: charge.checkout_hash,
    autopay_id: charge.authorisation_id!,
    installment_id: charge.installment_id,
    value: centsToReais(charge.value_cents),
    tries: refusalCount,
    reason: describeRejection(code),
    retry_on: retryOn,
  };
  await events.emit(tx, { type: 'autopay.failed', customerId: charge.customer_id, data }, now);
}
