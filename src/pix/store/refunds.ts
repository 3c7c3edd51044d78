import { type Queryable, sql, type Tx } from '#platform/db.ts';
import { remainderReference } from './payments.ts';

export type RefundStatus = 'asked' | 'processing' | 'returned' | 'failed' | 'given_up' | 'overtaken';

export type RefundRow = {
  customer_id: string;
  end_to_end_id: string;
  id: string;
  receipt: string;
  amount_cents: number;
  forced: boolean;
  status: RefundStatus;
  tries: number;
  reason: string | null;
  created_at: Date;
  due_at: Date;
  settled_at: Date | null;
};

export async function insertRefund(tx: Tx, refund: RefundRow): Promise<void> {
  await tx.run(sql`
    insert into pix_refunds (customer_id, end_to_end_id, id, receipt, amount_cents, forced, status, tries, reason,
                             created_at, due_at, settled_at)
    values (${refund.customer_id}, ${refund.end_to_end_id}, ${refund.id}, ${refund.receipt}, ${refund.amount_cents},
            ${refund.forced}, ${refund.status}, ${refund.tries}, ${refund.reason}, ${refund.created_at},
            ${refund.due_at}, ${refund.settled_at})`);
}

type Named = Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'id'>;

export async function findRefund(
  db: Queryable,
  { customer_id, end_to_end_id, id }: Named,
): Promise<RefundRow | undefined> {
  return db.row(sql`
    select * from pix_refunds
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and id = ${id}`);
}

export async function listRefunds(
  db: Queryable,
  customerId: string,
  endToEndId: string,
): Promise<RefundRow[]> {
  return db.rows(sql`
    select * from pix_refunds where customer_id = ${customerId} and end_to_end_id = ${endToEndId}
    order by created_at, id`);
}

/** Where the money of a refund is that did not go back: in the receipt it was a part of, or in one of its own. */
export function isMoneyOf({ end_to_end_id, id, receipt }: RefundRow, reference: string): boolean {
  return reference === receipt || reference === remainderReference(end_to_end_id, id);
}

/** False when it had come to an end before, or is not as it would have to be. */
export async function markRefund(
  db: Queryable,
  { customer_id, end_to_end_id, id }: Named,
  {
    status,
    reason = null,
    settledAt = null,
  }: { status: RefundStatus; reason?: string | null; settledAt?: Date | null },
  from: readonly RefundStatus[] = ['asked', 'processing'],
): Promise<boolean> {
  const touched = await db.run(sql`
    update pix_refunds set status = ${status}, reason = coalesce(${reason}, reason), settled_at = ${settledAt}
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and id = ${id}
      and status = any(${from})`);
  return touched === 1;
}

export async function listOpenRefunds(db: Queryable, before: Date, limit: number): Promise<Named[]> {
  return db.rows(sql`
    select customer_id, end_to_end_id, id from pix_refunds
    where status in ('asked', 'processing') and due_at < ${before} order by due_at limit ${limit}`);
}

/** Which of these, written 'end-to-end id/refund id', of these customers we know to be over. */
export async function listKnownRefunds(
  db: Queryable,
  customerIds: string[],
  names: string[],
): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`
    select end_to_end_id || '/' || id as name from pix_refunds
    where customer_id = any(${customerIds}) and end_to_end_id = any(${names.map((name) => name.split('/')[0])})
      and status not in ('asked', 'processing')`);
  return rows.map(({ name }) => name);
}

/** By its id alone, as an operator knows it. */
export async function findRefundById(tx: Tx, id: string): Promise<Named | undefined> {
  return tx.row(sql`
    select customer_id, end_to_end_id, id from pix_refunds where id = ${id} and not forced`);
}

/** The receipt in which the money is that a refund did not return, if it is still too much there. */
export async function findStrandedReceipt(
  tx: Tx,
  { customer_id, end_to_end_id, id, receipt }: RefundRow,
): Promise<{ reference: string; excess_cents: number } | undefined> {
  return tx.row(sql`
    select reference, excess_cents from receipts
    where customer_id = ${customer_id} and reference = any(${[receipt, remainderReference(end_to_end_id, id)]})
      and reversed_at is null and excess_cents > 0`);
}

/** What was given up of the money of a receipt is tried again with another refund. */
export async function markRetried(
  tx: Tx,
  { customer_id, end_to_end_id, receipt }: Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'receipt'>,
): Promise<void> {
  await tx.run(sql`
    update pix_refunds set status = 'failed'
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and status = 'given_up'
      and ${receipt} in (receipt, end_to_end_id || ' after ' || id)`);
}

export type StrandedRow = RefundRow & { stranded_cents: number };

/**
 * What was given up of which something is still here, and owed to the payer; newest first. What was applied since then, or
 * went back another way, is not.
 */
export async function listStrandedRefunds(
  db: Queryable,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; refunds: StrandedRow[] }> {
  const counted = await db.row<{ total: number }>(sql`
    select count(*) as total from pix_refunds x
    join receipts r on r.customer_id = x.customer_id
                   and r.reference in (x.receipt, x.end_to_end_id || ' after ' || x.id)
    where x.status = 'given_up' and r.reversed_at is null and r.excess_cents > 0`);
  const refunds = await db.rows<StrandedRow>(sql`
    select x.*, least(x.amount_cents, r.excess_cents) as stranded_cents from pix_refunds x
    join receipts r on r.customer_id = x.customer_id
                   and r.reference in (x.receipt, x.end_to_end_id || ' after ' || x.id)
    where x.status = 'given_up' and r.reversed_at is null and r.excess_cents > 0
    order by x.created_at desc, x.id offset ${offset} limit ${limit}`);
  return { total: counted!.total, refunds };
}
