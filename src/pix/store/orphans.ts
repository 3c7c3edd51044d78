import { type Queryable, sql, type Tx } from '#platform/database/db.ts';

export const ORPHAN_STATUSES = ['open', 'asked', 'processing', 'returned'] as const;
export type OrphanStatus = (typeof ORPHAN_STATUSES)[number];

export type OrphanRow = {
  end_to_end_id: string;
  txid: string | null;
  amount_cents: number;
  paid_at: Date;
  found_at: Date;
  status: OrphanStatus;
  refund_id: string | null;
  asked_at: Date | null;
  returned_at: Date | null;
  /** Why the last refund failed. */
  reason: string | null;
};

/** Returns whether it is new: neither an orphan already nor a payment of a charge. */
export async function insertOrphan(
  db: Queryable,
  orphan: { endToEndId: string; txid: string | null; amountCents: number; paidAt: Date; foundAt: Date },
): Promise<boolean> {
  const stored = await db.run(sql`
    with unknown as (
      insert into pix_end_to_end_ids (end_to_end_id) values (${orphan.endToEndId})
      on conflict do nothing returning end_to_end_id
    )
    insert into pix_orphans (end_to_end_id, txid, amount_cents, paid_at, found_at)
    select end_to_end_id, ${orphan.txid}::text, ${orphan.amountCents}::bigint, ${orphan.paidAt}::timestamptz,
           ${orphan.foundAt}::timestamptz
    from unknown`);
  return stored === 1;
}

export async function findOrphan(db: Queryable, endToEndId: string): Promise<OrphanRow | undefined> {
  return db.row(sql`select * from pix_orphans where end_to_end_id = ${endToEndId}`);
}

/** Until the transaction ends it is neither refunded nor assigned. Locked in the order of a claim: its id, then its row. */
export async function lockOrphan(tx: Tx, endToEndId: string): Promise<OrphanRow | undefined> {
  tx.write(sql`select from pix_end_to_end_ids where end_to_end_id = ${endToEndId} for update`);
  return tx.row(sql`select * from pix_orphans where end_to_end_id = ${endToEndId} for update`);
}

export async function markOrphanAsked(
  tx: Tx,
  endToEndId: string,
  { refundId, now }: { refundId: string; now: Date },
): Promise<void> {
  await tx.run(sql`
    update pix_orphans set status = 'asked', refund_id = ${refundId}, asked_at = ${now}, reason = null
    where end_to_end_id = ${endToEndId}`);
}

/** Right before the PSP is asked: from here on it may be refunded. False when it must not be any more. */
export async function markOrphanProcessing(db: Queryable, endToEndId: string): Promise<boolean> {
  const touched = await db.run(sql`
    update pix_orphans set status = 'processing'
    where end_to_end_id = ${endToEndId} and status in ('asked', 'processing')`);
  return touched === 1;
}

/** The PSP did not carry it out: nothing was done, and a person may retry. */
export async function markOrphanFailed(
  db: Queryable,
  endToEndId: string,
  reason: string | null,
): Promise<void> {
  await db.run(sql`
    update pix_orphans set status = 'open', refund_id = null, reason = ${reason}
    where end_to_end_id = ${endToEndId} and status in ('asked', 'processing')`);
}

/** Marks those of these payments that are orphans as refunded, by us or by hand. */
export async function markOrphansReturned(db: Queryable, endToEndIds: string[], at: Date): Promise<void> {
  if (endToEndIds.length === 0) return;
  await db.run(sql`
    update pix_orphans set status = 'returned', returned_at = ${at}
    where end_to_end_id = any(${endToEndIds}) and status <> 'returned'`);
}

export async function listOpenOrphanRefunds(db: Queryable, before: Date, limit: number): Promise<string[]> {
  const rows = await db.rows<{ end_to_end_id: string }>(sql`
    select end_to_end_id from pix_orphans
    where status in ('asked', 'processing') and asked_at < ${before} limit ${limit}`);
  return rows.map(({ end_to_end_id }) => end_to_end_id);
}

export async function countOrphans(db: Queryable): Promise<number> {
  const row = await db.row<{ n: number }>(sql`select count(*) as n from pix_orphans where status = 'open'`);
  return row!.n;
}

/** Charges that nobody paid, of the same amount, made in this time, the nearest to the payment first; by an index. */
export const listUnpaidOf = (
  db: Queryable,
  amountCents: number,
  { from, to, at, limit }: { from: Date; to: Date; at: Date; limit: number },
) =>
  db.rows<{ customer_id: string; installment_id: string; checkout_hash: string }>(sql`
    select customer_id, installment_id, checkout_hash from pix_charges
    where created_at >= ${from} and created_at < ${to} and value_cents = ${amountCents} and status <> 'paid'
    order by abs(extract(epoch from created_at - ${at}::timestamptz)), id limit ${limit}`);

/** Which of these customers have paid from this bank before: the id of a payment names the bank it was made at. */
export async function listPayersAt(db: Queryable, customerIds: string[], bank: string): Promise<Set<string>> {
  const rows = await db.rows<{ customer_id: string }>(sql`
    select distinct customer_id from pix_payments
    where customer_id = any(${customerIds}) and substr(end_to_end_id, 1, 9) = ${bank}`);
  return new Set(rows.map(({ customer_id }) => customer_id));
}
