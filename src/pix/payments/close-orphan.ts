import { cents, sum, toReais } from '#core/money.ts';
import { findInstallmentPlace, showInstallment } from '#credit';
import { lockCustomerById } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import type { Db, Transactions, Tx } from '#platform/database/db.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { type Change, recordChange, rowSubject } from '#platform/privacy/trail.ts';
import { plausible } from '../arrival.ts';
import type { Pix } from '../pix.ts';
import { installmentUnknown, orphanClosed } from '../problems.ts';
import { newRefundId } from '../refunds/request-refunds.ts';
import { findOrphan, lockOrphan, markOrphanAsked, type OrphanRow } from '../store/orphans.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { orphanJob, REFUND_ATTEMPTS, SYNC_ATTEMPTS, syncJob } from '../tasks.ts';
import { insertAssignedCharge } from './move-payment.ts';
import { renderOrphan } from './render-orphan.ts';
import { applyPayment } from './settle-payment.ts';

/** Read without a lock, because assigning must lock the customer first. */
export const orphanSubject = rowSubject('pix_orphan', findOrphan, renderOrphan);

type AssignmentOrder = { endToEndId: string; installmentId: string };

/**
 * Assigns an orphan to an installment, as of its arrival, with all effects of a paid charge. Once: the first claim wins, be it
 * another person's or a late report of the PSP. Locks: the customer, then the orphan.
 */
async function assignOrphan(
  tx: CustomerTx,
  pix: Pick<Pix, 'events' | 'clock' | 'key'>,
  order: AssignmentOrder,
) {
  const { endToEndId, installmentId } = order;
  const place = await findInstallmentPlace(tx, installmentId);
  if (!place) throw installmentUnknown(installmentId);
  const { customer_id, checkout_hash, purchased_at } = place;
  await lockCustomerById(tx, customer_id);
  const { amount_cents: amountCents, paid_at: paidAt } = await lockOpenOrphan(tx, endToEndId);
  // Nothing is paid before it was bought.
  const receivedAt = plausible(paidAt, { earliest: purchased_at, now: pix.clock.now() });
  const charge = insertAssignedCharge(tx, pix, { place, order, receivedAt, amountCents });
  const received = { endToEndId, amountCents: cents(amountCents), paidAt };
  const applied = await applyPayment(tx, pix, charge, received, receivedAt);
  if (!applied) throw orphanClosed({ countsFor: 'charge' });
  // Some of it may have been refunded by hand.
  await enqueueAll(tx, [syncJob(charge.txid, endToEndId)], SYNC_ATTEMPTS);
  return {
    customer_id,
    checkout_hash,
    /** The instant as of which it counts. */
    received_at: receivedAt.toISOString(),
    /** What of it, and of other money of the installment, turns out to be excess, and is refunded. */
    too_much: toReais(sum(applied.toRefund.map((money) => money.amountCents))),
  };
}

/** Refunds the whole payment to its sender. A job asks the PSP after the commit. */
export async function refundOrphan(tx: Tx, endToEndId: string, now: Date): Promise<void> {
  await lockOpenOrphan(tx, endToEndId);
  await markOrphanAsked(tx, endToEndId, { refundId: newRefundId(), now });
  await enqueueAll(tx, [orphanJob(endToEndId)], REFUND_ATTEMPTS);
}

async function lockOpenOrphan(tx: Tx, endToEndId: string): Promise<OrphanRow> {
  const orphan = await lockOrphan(tx, endToEndId);
  if (orphan?.status === 'open') return orphan;
  if (orphan) throw orphanClosed({ status: orphan.status });
  throw orphanClosed({ countsFor: 'installment' });
}

/** The problem for one that is no longer an orphan; undefined when it never was known. */
export async function refuseClosed(tx: Tx, endToEndId: string): Promise<undefined> {
  const [owner] = await listPaymentOwners(tx, [endToEndId]);
  if (owner?.charge_id) throw orphanClosed({ countsFor: 'installment', pixId: owner.charge_id });
}

/** Where to assign it: in the transactions of the installment's customer. The verb reports an unknown installment. */
export async function forOwner(db: Db, installmentId: string): Promise<Transactions<CustomerTx>> {
  const place = await findInstallmentPlace(db, installmentId);
  return forCustomer(db, place?.customer_id ?? installmentId);
}

/** Assigns it and records the author. Undefined: unknown. */
export async function assignRecorded(
  tx: CustomerTx,
  pix: Parameters<typeof assignOrphan>[1],
  order: AssignmentOrder,
  change: Change,
) {
  let assigned: Awaited<ReturnType<typeof assignOrphan>> | undefined;
  const orphan = await recordChange(tx, change, { of: orphanSubject, id: order.endToEndId }, async () => {
    assigned = await assignOrphan(tx, pix, order);
  });
  if (!orphan || !assigned) return refuseClosed(tx, order.endToEndId);
  const now = change.now.getTime();
  const installment = (await showInstallment(tx, assigned.customer_id, order.installmentId, now))!;
  return { end_to_end_id: orphan.end_to_end_id, value: orphan.value, ...assigned, installment };
}
