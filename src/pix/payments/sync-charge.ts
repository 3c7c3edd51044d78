import { MINUTE_MS } from '#core/duration.ts';
import { lockCustomerById } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { chargeTerms } from '../charge-events.ts';
import { isFor } from '../payments/is-for.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import { settlePayments } from '../payments/settle-payments.ts';
import type { Pix } from '../pix.ts';
import type { Charge } from '../psp/index.ts';
import {
  type ChargeRow,
  findCharge,
  markCancelled,
  markDiscarded,
  markExpired,
  markRemoved,
} from '../store/charges.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { isRemoved, keepCharge } from './keep-charge.ts';
import { syncDebit } from './sync-debit.ts';

/** The longest time that a request that creates a charge takes. */
export const IN_DOUBT_AFTER_MS = 60_000;
/** Allowance for the PSP's clock, and for a payment in progress. */
export const EXPIRED_AFTER_MS = 2 * MINUTE_MS;

/**
 * Reads the state of a charge from the PSP, and updates ours. No notice is trusted: money counts only by this and by the list of
 * payments. Idempotent, on any number of nodes. `endToEndId` is a payment that is said to be for it. Returns how many payments
 * were new.
 */
export async function syncCharge(
  pix: Pix,
  charge: ChargeRow,
  endToEndId: string | null = null,
): Promise<number> {
  if (charge.assigned_end_to_end_id !== null) return syncAssigned(pix, charge, charge.assigned_end_to_end_id);
  if (charge.authorisation_id !== null) return syncDebit(pix, charge, endToEndId);
  const found = await pix.psp().getCob(charge.txid);
  pix.crash('after-truth-read');
  const theirs = found.kind === 'found' ? found.charge : null;
  if (theirs && !isFor(charge, theirs)) {
    pix.log.error({ txid: charge.txid }, 'the PSP has a charge under a txid of ours that is not ours');
    return 0;
  }
  const fresh = await settlePayments(pix, charge, theirs, endToEndId);
  const now = (await findCharge(pix.db, charge.customer_id, charge.id))!;
  if (theirs) return fresh + (await syncStatus(pix, now, theirs));
  await giveUp(pix, now);
  return fresh;
}

/** The PSP has the payment alone: what of it was refunded is read there. */
async function syncAssigned(pix: Pix, charge: ChargeRow, endToEndId: string): Promise<number> {
  const found = await pix.psp().getPix(endToEndId);
  pix.crash('after-truth-read');
  if (found.kind !== 'found') return 0;
  const [owner] = await listPaymentOwners(pix.db, [endToEndId]);
  return settlePayment(pix, charge, found.pix, owner);
}

/** What to do about a charge that the PSP has, by its status here. */
async function syncStatus(pix: Pix, charge: ChargeRow, theirs: Charge): Promise<number> {
  const { db, clock } = pix;
  const now = clock.now();
  switch (charge.status) {
    case 'creating':
      if (isOlderThan(charge.created_at, IN_DOUBT_AFTER_MS, now)) {
        if (theirs.brCode === null) await markDiscarded(db, charge);
        else await keepCharge(pix, charge, theirs);
      }
      return 0;
    case 'pending':
      // A charge that has been shown as expired stays so.
      if (isRemoved(theirs) && charge.expires_at > now) await markCancelled(db, charge, now);
      // A charge that is paid there and not here is a discrepancy, and does not expire.
      else if (theirs.status !== 'paid' && isOlderThan(charge.expires_at, EXPIRED_AFTER_MS, now))
        await expire(pix, charge);
      return 0;
    case 'cancelled':
    case 'discarded':
      return charge.removed_at === null && theirs.status !== 'paid' ? remove(pix, charge) : 0;
    default:
      return 0;
  }
}

/** The PSP does not have it, so it can never be paid. */
async function giveUp(pix: Pix, charge: ChargeRow): Promise<void> {
  const now = pix.clock.now();
  if (charge.status === 'creating') {
    // A request may still be about to create it.
    if (isOlderThan(charge.created_at, IN_DOUBT_AFTER_MS, now)) await markDiscarded(pix.db, charge);
  } else if (charge.status === 'pending') {
    pix.log.error({ txid: charge.txid }, 'the PSP no longer has a charge it had made');
    if (isOlderThan(charge.expires_at, EXPIRED_AFTER_MS, now)) await expire(pix, charge);
  } else if (charge.status !== 'paid') await markRemoved(pix.db, charge, now);
}

/** It may just have been paid: then the payment counts. */
async function remove(pix: Pix, charge: ChargeRow): Promise<number> {
  const removed = await pix.psp().removeCob(charge.txid);
  pix.crash('after-charge-removed');
  if (removed.kind === 'paid') return settlePayments(pix, charge, removed.charge);
  if (removed.kind === 'unclear')
    pix.log.warn({ txid: charge.txid, status: removed.charge.status }, 'a charge is not removed');
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
    const data = { ...chargeTerms(charge), expired_at: charge.expires_at.toISOString() };
    await events.emit(tx, { type: 'pix.expired', customerId: charge.customer_id, data }, clock.now());
  });
}

function isOlderThan(instant: Date, ms: number, now: Date): boolean {
  return now.getTime() - instant.getTime() >= ms;
}
