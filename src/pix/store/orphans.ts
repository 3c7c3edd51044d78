import { columns, type TableRow } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import { pix_orphans } from '../generated/tables.ts';
import type { ReportedPayment } from './payments.ts';

/** `asked`: a staff user has requested the refund. `processing`: the refund was sent to the PSP. */
export const ORPHAN_STATUSES = ['open', 'asked', 'processing', 'returned'] as const;

/** An orphan is a payment that the service could not match to one of its charges. */
export type OrphanRow = TableRow<typeof pix_orphans>;

const newOrphans = columns(omit(pix_orphans, 'status', 'refund_id', 'asked_at', 'returned_at', 'reason'));

/** Inserts an orphan. Returns false if the payment is known, as an orphan or as the payment of a charge. */
export const insertOrphan = async (
  db: Queryable,
  orphan: ReportedPayment & Pick<OrphanRow, 'txid' | 'found_at'>,
) =>
  (await db.run(sql`
    with new_id as (
      insert into pix_end_to_end_ids (end_to_end_id) values (${orphan.end_to_end_id})
      on conflict do nothing returning end_to_end_id
    )
    insert into pix_orphans ${newOrphans.valuesFromJson([orphan])} join new_id using (end_to_end_id)`)) === 1;

export const findOrphan = (db: Queryable, endToEndId: string) =>
  db.row<OrphanRow>(sql`select * from pix_orphans where end_to_end_id = ${endToEndId}`);

/** Locks the orphan against refunds and assignments: first the end-to-end id, then the row, in the same order as `claimPayment`. */
export async function lockOrphan(tx: Tx, endToEndId: string): Promise<OrphanRow | undefined> {
  // Sent with the next statement.
  tx.queueWrite(sql`select from pix_end_to_end_ids where end_to_end_id = ${endToEndId} for update`);
  return tx.row(sql`select * from pix_orphans where end_to_end_id = ${endToEndId} for update`);
}

export const markOrphanRefundRequested = (
  tx: Tx,
  endToEndId: string,
  { refundId, now }: { refundId: string; now: Date },
) =>
  tx.run(sql`
    update pix_orphans set status = 'asked', refund_id = ${refundId}, asked_at = ${now}, reason = null
    where end_to_end_id = ${endToEndId}`);

type OrphanRefund = Pick<OrphanRow, 'end_to_end_id' | 'refund_id'>;

/** Must be called right before the refund is sent to the PSP. Returns false if the refund must not be sent. */
export const markOrphanProcessing = async (db: Queryable, { end_to_end_id, refund_id }: OrphanRefund) =>
  (await db.run(sql`
    update pix_orphans set status = 'processing'
    where end_to_end_id = ${end_to_end_id} and refund_id = ${refund_id} and status in ('asked', 'processing')`)) ===
  1;

/** Reopens an orphan that the PSP did not refund, so that a staff user may retry. */
export const reopenOrphan = (
  db: Queryable,
  { end_to_end_id, refund_id }: OrphanRefund,
  reason: string | null,
) =>
  db.run(sql`
    update pix_orphans set status = 'open', refund_id = null, reason = ${reason}
    where end_to_end_id = ${end_to_end_id} and refund_id = ${refund_id} and status in ('asked', 'processing')`);

/** Marks the orphans among these payments as returned, by our refund or by hand. */
export async function markOrphansReturned(db: Queryable, endToEndIds: string[], returnedAt: Date) {
  if (endToEndIds.length === 0) return;
  await db.run(sql`
    update pix_orphans set status = 'returned', returned_at = ${returnedAt}
    where end_to_end_id = any(${endToEndIds}) and status <> 'returned'`);
}

export const listOpenOrphanRefunds = (db: Queryable, requestedBefore: Date, limit: number) =>
  db.values<string>(sql`
    select end_to_end_id from pix_orphans
    where status in ('asked', 'processing') and asked_at < ${requestedBefore}
    order by asked_at limit ${limit}`);

export const countOpenOrphans = async (db: Queryable) =>
  (await db.value<number>(sql`select count(*) from pix_orphans where status = 'open'`))!;

/** Lists unpaid charges of this amount that were created in this period, the nearest to `nearestTo` first. Uses an index. */
export const listUnpaidCharges = (
  db: Queryable,
  amountCents: number,
  { from, to, nearestTo, limit }: { from: Date; to: Date; nearestTo: Date; limit: number },
) =>
  db.rows<{ customer_id: string; installment_id: string; checkout_hash: string }>(sql`
    select customer_id, installment_id, checkout_hash from pix_charges
    where created_at >= ${from} and created_at < ${to} and value_cents = ${amountCents} and status <> 'paid'
    order by abs(extract(epoch from created_at - ${nearestTo}::timestamptz)), id limit ${limit}`);

/** Returns which of these customers have paid from this bank before. `bankPrefix`: the first nine characters of its end-to-end ids. */
export async function listPayersFromBank(db: Queryable, customerIds: string[], bankPrefix: string) {
  return new Set(
    await db.values<string>(sql`
    select distinct customer_id from pix_payments
    where customer_id = any(${customerIds}) and substr(end_to_end_id, 1, 9) = ${bankPrefix}`),
  );
}
