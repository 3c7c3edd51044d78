import type { Static } from 'typebox';
import { cents, sum, toReais } from '#core/money.ts';
import { findInstallmentPlace, showInstallment } from '#credit';
import { lockCustomerById } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import type { Db, Transactions, Tx } from '#platform/database/db.ts';
import { randomBase62 } from '#platform/ids.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { type Change, recordChange, type Subject } from '#platform/privacy/trail.ts';
import type { Pix } from '../pix.ts';
import { installmentUnknown, orphanClosed } from '../problems.ts';
import { renderOrphan } from '../reports/render-staff.ts';
import type { PixOrphan } from '../schemas.ts';
import { findOrphan, lockOrphan, markOrphanAsked, type OrphanRow } from '../store/orphans.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { orphanJob, REFUND_ATTEMPTS, SYNC_ATTEMPTS, syncJob } from '../tasks.ts';
import { plausible } from './arrival.ts';
import { insertAssignedCharge } from './move-payment.ts';
import { applyPayment } from './settle-payment.ts';

const REFUND_ID_LENGTH = 32;

/** Read without a lock, because assigning must lock the customer first. */
export const orphanSubject: Subject<Static<typeof PixOrphan>> = {
  kind: 'pix_orphan',
  async read(tx, endToEndId) {
    const orphan = await findOrphan(tx, endToEndId);
    return orphan && renderOrphan(orphan);
  },
};

type Assigned = {
  readonly customerId: string;
  readonly installmentId: string;
  readonly checkoutHash: string;
  /** The instant as of which it counts. */
  readonly receivedAt: Date;
  /** What of it, and of other money of the installment, turns out to be excess, and is refunded. */
  readonly tooMuchCents: number;
};

/**
 * Assigns an orphan to an installment, as of its arrival, with all effects of a paid charge. Once: the first claim wins, be it
 * another person's or a late report of the PSP. Locks: the customer, then the orphan.
 */
async function assignOrphan(
  tx: CustomerTx,
  context: Pick<Pix, 'events' | 'clock' | 'key'>,
  { endToEndId, installmentId }: { endToEndId: string; installmentId: string },
): Promise<Assigned> {
  const place = await findInstallmentPlace(tx, installmentId);
  if (!place) throw installmentUnknown(installmentId);
  const { customer_id, checkout_hash, purchased_at } = place;
  await lockCustomerById(tx, customer_id);
  const orphan = await lockOpenOrphan(tx, endToEndId);
  const now = context.clock.now();
  // Nothing is paid before it was bought.
  const receivedAt = plausible(orphan.paid_at, { earliest: purchased_at, now });
  const order = { endToEndId, installmentId };
  const charge = insertAssignedCharge(tx, context, {
    place,
    order,
    receivedAt,
    amountCents: orphan.amount_cents,
  });
  const received = { endToEndId, amountCents: cents(orphan.amount_cents), paidAt: orphan.paid_at };
  const applied = await applyPayment(tx, context, charge, received, receivedAt);
  if (!applied) throw orphanClosed({ countsFor: 'charge' });
  // Some of it may have been refunded by hand.
  await enqueueAll(tx, [syncJob(charge.txid, endToEndId)], SYNC_ATTEMPTS);
  const tooMuchCents = sum(applied.toRefund.map(({ amountCents }) => amountCents));
  return { customerId: customer_id, installmentId, checkoutHash: checkout_hash, receivedAt, tooMuchCents };
}

/** Refunds the whole payment to its sender. A job asks the PSP after the commit. */
export async function refundOrphan(tx: Tx, endToEndId: string, now: Date): Promise<void> {
  await lockOpenOrphan(tx, endToEndId);
  await markOrphanAsked(tx, endToEndId, { refundId: randomBase62(REFUND_ID_LENGTH), now });
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
  context: Parameters<typeof assignOrphan>[1],
  order: { endToEndId: string; installmentId: string },
  change: Change,
) {
  let assigned: Assigned | undefined;
  const orphan = await recordChange(tx, change, { of: orphanSubject, id: order.endToEndId }, async () => {
    assigned = await assignOrphan(tx, context, order);
  });
  if (!orphan || !assigned) return refuseClosed(tx, order.endToEndId);
  const { customerId, installmentId, checkoutHash: checkout_hash, receivedAt, tooMuchCents } = assigned;
  const installment = (await showInstallment(tx, customerId, installmentId, change.now.getTime()))!;
  return {
    end_to_end_id: orphan.end_to_end_id,
    value: orphan.value,
    customer_id: customerId,
    checkout_hash,
    received_at: receivedAt.toISOString(),
    too_much: toReais(cents(tooMuchCents)),
    installment,
  };
}
