import { enqueueAll } from '#platform/jobs/jobs.ts';
import { forEachAtPsp } from '../for-each-at-psp.ts';
import { countNewPayments } from '../metrics.ts';
import {
  EXPIRY_GRACE_MS,
  isAbandoned,
  isOlderThan,
  type Pix,
  renderEventTerms,
  withLockedCustomer,
  withLockedCustomerInBatch,
} from '../pix.ts';
import type { Charge } from '../psp/index.ts';
import {
  type ChargeRow,
  clearRemovedAt,
  findCharge,
  isForCharge,
  listChargesByTxid,
  markDiscarded,
  markExpired,
  markPending,
  markRemoved,
  markRemovedAndCancelled,
} from '../store/charges.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { createSyncJob, SYNC_ATTEMPTS } from '../tasks.ts';
import { settlePayment, settlePayments } from './settle-payment.ts';
import { syncDebit } from './sync-debit.ts';

/**
 * Reads a charge from the PSP, and updates the stored charge. Callbacks are not trusted: payments are settled only from the charge and from
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
  const newPaymentCount = await settlePayments(pix, charge, pspCharge, endToEndId);
  const currentCharge = (await findCharge(pix.db, charge.customer_id, charge.id))!;
  if (pspCharge) return newPaymentCount + (await syncStatus(pix, currentCharge, pspCharge));
  await handleMissingCharge(pix, currentCharge);
  return newPaymentCount;
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

/** Updates a charge that the PSP has, depending on the stored status. Returns the number of new payments. */
async function syncStatus(pix: Pix, charge: ChargeRow, pspCharge: Charge): Promise<number> {
  const { db, clock } = pix;
  const now = clock.now();
  switch (charge.status) {
    case 'creating':
      // A request may still be creating the charge.
      if (!isAbandoned(charge, now)) return 0;
      if (pspCharge.brCode === null) await markDiscarded(db, charge);
      else await saveCreatedCharge(pix, charge, pspCharge);
      return 0;
    case 'pending':
      // A charge that was returned to a client as expired stays expired.
      if (isRemovedAtPsp(pspCharge) && charge.expires_at > now)
        await markRemovedAndCancelled(db, charge, now);
      // If the PSP reports a charge as paid and no payment is stored, that is a discrepancy, and the charge does not expire.
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

/** Closes a stored charge that the PSP does not have, so it cannot be paid. A charge that may still be created or valid stays open. */
async function handleMissingCharge(pix: Pix, charge: ChargeRow): Promise<void> {
  const now = pix.clock.now();
  if (charge.status === 'creating') {
    // A request may still be creating the charge.
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
  if (removal.kind === 'not_removed')
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

/**
 * Saves the code of a charge that the PSP has created. Returns undefined if the stored charge was cancelled meanwhile; a job then removes
 * the charge at the PSP.
 */
export async function saveCreatedCharge(
  pix: Pix,
  charge: ChargeRow,
  { brCode, location, payments }: Charge,
): Promise<ChargeRow | undefined> {
  const { customer_id: customerId, id } = charge;
  return withLockedCustomerInBatch(pix, customerId, async (tx) => {
    const pendingCharge = await markPending(tx, charge, { brCode: brCode!, location });
    if (pendingCharge) {
      const data = { ...renderEventTerms(charge), expires_at: charge.expires_at.toISOString() };
      await pix.events.emit(tx, { type: 'pix.created', customerId, data }, pix.clock.now());
    }
    const storedCharge = pendingCharge ?? (await findCharge(tx, customerId, id))!;
    const isCancelled = storedCharge.status === 'discarded' || storedCharge.status === 'cancelled';
    if (isCancelled) await clearRemovedAt(tx, charge);
    // A job removes the cancelled charge, or settles payments that have already arrived.
    if (isCancelled || payments.length > 0) await enqueueAll(tx, [createSyncJob(charge.txid)], SYNC_ATTEMPTS);
    return isCancelled ? undefined : storedCharge;
  });
}

export const isRemovedAtPsp = ({ status }: Charge): boolean =>
  status === 'removed' || status === 'removed_by_psp';
