import { MINUTE_MS } from '#core/values/duration.ts';
import { lockCustomerById } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { forEachAtPsp } from '../for-each-at-psp.ts';
import { countNewPayments } from '../metrics.ts';
import { chargeEventTerms, type Pix } from '../pix.ts';
import type { Charge } from '../psp/index.ts';
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
import { settlePayment } from './settle-payment.ts';
import { settlePayments } from './settle-payments.ts';
import { syncDebit } from './sync-debit.ts';

/** A request that creates a charge never takes longer than this. */
export const IN_DOUBT_AFTER_MS = 60_000;
/** Tolerance for the PSP's clock, and for a payment in progress. */
export const EXPIRED_AFTER_MS = 2 * MINUTE_MS;

/**
 * Reads a charge from the PSP, and updates ours. Callbacks are not trusted: payments are settled only from this and from the
 * PSP's list of payments. Idempotent, also when several nodes call it. `endToEndId` is a payment that a callback reported for the
 * charge. Returns the number of new payments.
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
  const settled = (await findCharge(pix.db, charge.customer_id, charge.id))!;
  if (pspCharge) return newCount + (await syncStatus(pix, settled, pspCharge));
  await handleMissingCharge(pix, settled);
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

/** The PSP has no such charge, only the payment that was assigned to it, whose refunds are read. */
async function syncAssignedPayment(pix: Pix, charge: ChargeRow, endToEndId: string): Promise<number> {
  const received = await pix.psp().getPix(endToEndId);
  pix.failpoint('after-truth-read');
  if (!received) return 0;
  const [owner] = await listPaymentOwners(pix.db, [endToEndId]);
  return settlePayment(pix, charge, received, owner);
}

/** Updates a charge that the PSP has, depending on its status here. Returns the number of new payments. */
async function syncStatus(pix: Pix, charge: ChargeRow, pspCharge: Charge): Promise<number> {
  const { db, clock } = pix;
  const now = clock.now();
  switch (charge.status) {
    case 'creating':
      if (isOlderThan(charge.created_at, IN_DOUBT_AFTER_MS, now)) {
        if (pspCharge.brCode === null) await markDiscarded(db, charge);
        else await saveCreatedCharge(pix, charge, pspCharge);
      }
      return 0;
    case 'pending':
      // A charge that was shown as expired stays expired.
      if (isRemovedAtPsp(pspCharge) && charge.expires_at > now) await markCancelled(db, charge, now);
      // A charge that is paid at the PSP and not here is a discrepancy, and does not expire.
      else if (pspCharge.status !== 'paid' && isOlderThan(charge.expires_at, EXPIRED_AFTER_MS, now))
        await expire(pix, charge);
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
    if (isOlderThan(charge.created_at, IN_DOUBT_AFTER_MS, now)) await markDiscarded(pix.db, charge);
  } else if (charge.status === 'pending') {
    pix.log.error({ txid: charge.txid }, 'the PSP no longer has a charge that it had created');
    if (isOlderThan(charge.expires_at, EXPIRED_AFTER_MS, now)) await expire(pix, charge);
  } else if (charge.status !== 'paid') await markRemoved(pix.db, charge, now);
}

/** Removes a cancelled charge at the PSP. If it has just been paid, settles the payment. Returns the number of new payments. */
async function removeAtPsp(pix: Pix, charge: ChargeRow): Promise<number> {
  const removed = await pix.psp().removeCob(charge.txid);
  pix.failpoint('after-charge-removed');
  if (removed.kind === 'paid') return settlePayments(pix, charge, removed.charge);
  if (removed.kind === 'unclear')
    pix.log.warn({ txid: charge.txid, status: removed.charge.status }, 'the PSP has not removed a charge');
  else await markRemoved(pix.db, charge, pix.clock.now());
  return 0;
}

async function expire({ db, clock, events }: Pix, charge: ChargeRow): Promise<void> {
  await customerTransaction(db, charge.customer_id, async (tx) => {
    const [, isExpired] = await Promise.all([
      lockCustomerById(tx, charge.customer_id),
      markExpired(tx, charge),
    ]);
    if (!isExpired) return;
    const data = { ...chargeEventTerms(charge), expired_at: charge.expires_at.toISOString() };
    await events.emit(tx, { type: 'pix.expired', customerId: charge.customer_id, data }, clock.now());
  });
}

const isOlderThan = (instant: Date, ms: number, now: Date): boolean =>
  now.getTime() - instant.getTime() >= ms;

/** Saves the code of a charge that the PSP has created. Undefined if it was cancelled meanwhile; a job removes it at the PSP. */
export async function saveCreatedCharge(
  { db, clock, events }: Pix,
  charge: ChargeRow,
  { brCode, location, payments }: Charge,
): Promise<ChargeRow | undefined> {
  return sharedTransaction(db, charge.customer_id, async (tx) => {
    const [, pending] = await Promise.all([
      lockCustomerById(tx, charge.customer_id),
      markPending(tx, charge, { brCode: brCode!, location }),
    ]);
    if (pending) {
      const data = { ...chargeEventTerms(charge), expires_at: charge.expires_at.toISOString() };
      const customerId = charge.customer_id;
      await events.emit(tx, { type: 'pix.created', customerId, data }, clock.now());
    }
    const stored = pending ?? (await findCharge(tx, charge.customer_id, charge.id))!;
    const isCancelled = stored.status === 'discarded' || stored.status === 'cancelled';
    if (isCancelled) await markFoundAtPsp(tx, charge);
    if (isCancelled || payments.length > 0) await enqueueAll(tx, [createSyncJob(charge.txid)], SYNC_ATTEMPTS);
    return isCancelled ? undefined : stored;
  });
}

export const isRemovedAtPsp = ({ status }: Charge): boolean =>
  status === 'removed' || status === 'removed_by_psp';
