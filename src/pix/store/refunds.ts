import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';

export const REFUND_STATUSES = [
  'asked',
  'processing',
  'returned',
  'failed',
  'given_up',
  'overtaken',
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export type RefundRow = {
  customer_id: string;
  end_to_end_id: string;
  id: string;
  /** The part of the payment that it refunds. */
  part: number;
  amount_cents: number;
  forced: boolean;
  status: RefundStatus;
  tries: number;
  reason: string | null;
  /** What was abandoned of it, is still here, and owed to the payer. */
  stranded_cents: number;
  created_at: Date;
  due_at: Date;
  settled_at: Date | null;
};

type Named = Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'id'>;

/** Writes new and changed refunds of a customer: one statement. */
export async function writeRefunds(
  tx: Tx,
  customerId: string,
  refunds: ReadonlyArray<Omit<RefundRow, 'customer_id'>>,
): Promise<void> {
  if (refunds.length === 0) return;
  await tx.run(sql`
    insert into pix_refunds (customer_id, end_to_end_id, id, part, amount_cents, forced, status, tries, reason,
                             stranded_cents, created_at, due_at, settled_at)
    select ${customerId}, r.end_to_end_id, r.id, r.part, r.amount_cents, r.forced, r.status, r.tries, r.reason,
           r.stranded_cents, r.created_at, r.due_at, r.settled_at
    from jsonb_to_recordset(${JSON.stringify(refunds)}) as r (
      end_to_end_id text, id text, part smallint, amount_cents bigint, forced boolean, status text, tries integer,
      reason text, stranded_cents bigint, created_at timestamptz, due_at timestamptz, settled_at timestamptz)
    on conflict (customer_id, end_to_end_id, id) do update set
      part = excluded.part, status = excluded.status, reason = excluded.reason,
      stranded_cents = excluded.stranded_cents, settled_at = excluded.settled_at`);
}

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

/** The same, locked: until the transaction ends none of them is sent to the PSP. */
export async function lockRefunds(
  tx: CustomerTx,
  customerId: string,
  endToEndId: string,
): Promise<RefundRow[]> {
  return tx.rows(sql`
    select * from pix_refunds where customer_id = ${customerId} and end_to_end_id = ${endToEndId}
    order by created_at, id for no key update`);
}

/** Changes the status before and after the PSP is asked, outside of any lock. False when the status is not the expected one. */
export async function markRefund(
  db: Queryable,
  { customer_id, end_to_end_id, id }: Named,
  status: 'asked' | 'processing',
  from: 'asked' | 'processing',
): Promise<boolean> {
  const touched = await db.run(sql`
    update pix_refunds set status = ${status}
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and id = ${id} and status = ${from}`);
  return touched === 1;
}

export async function listOpenRefunds(db: Queryable, before: Date, limit: number): Promise<Named[]> {
  return db.rows(sql`
    select customer_id, end_to_end_id, id from pix_refunds
    where status in ('asked', 'processing') and due_at < ${before} order by due_at limit ${limit}`);
}

/** The refunds of these payments that are known to have ended; all written as 'end-to-end id/refund id'. */
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

/** By its id alone, as operators search for it. */
export async function findRefundById(tx: Queryable, id: string): Promise<Named | undefined> {
  return tx.row(sql`
    select customer_id, end_to_end_id, id from pix_refunds where id = ${id} and not forced`);
}

/** Sets what is still here of the abandoned money of a part; the rest was applied, or left another way. */
export async function markStranded(
  tx: Tx,
  { customer_id, end_to_end_id, part }: Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'part'>,
  strandedCents: number,
): Promise<void> {
  await tx.run(sql`
    update pix_refunds set stranded_cents = least(stranded_cents, ${strandedCents}),
                           status = case when ${strandedCents} = 0 then 'overtaken' else status end
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and part = ${part}
      and status = 'given_up'`);
}
