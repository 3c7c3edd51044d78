import { columns, type RowOf } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { pix_refunds } from '../generated/tables.ts';

export const REFUND_STATUSES = [
  'asked',
  'processing',
  'returned',
  'failed',
  'given_up',
  'credited',
  'overtaken',
] as const;

/** `part`: the number of the payment part that it refunds. `stranded_cents`: the given up amount that is still owed to the payer. */
const refunds = columns(pix_refunds);
export type RefundRow = RowOf<typeof refunds>;
export type RefundStatus = RefundRow['status'];

export type RefundKey = Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'id'>;

export async function upsertRefunds(
  tx: Tx,
  customerId: string,
  newAndChanged: ReadonlyArray<Omit<RefundRow, 'customer_id'>>,
): Promise<void> {
  if (newAndChanged.length === 0) return;
  const rows = newAndChanged.map((refund) => ({ ...refund, customer_id: customerId }));
  await tx.run(sql`
    insert into pix_refunds ${refunds.valuesFromJson(rows, sql`${customerId}`)}
    on conflict (customer_id, end_to_end_id, id) do update set
      part = excluded.part, status = excluded.status, reason = excluded.reason,
      stranded_cents = excluded.stranded_cents, settled_at = excluded.settled_at`);
}

export const findRefund = (db: Queryable, { customer_id, end_to_end_id, id }: RefundKey) =>
  db.row<RefundRow>(sql`
    select * from pix_refunds
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and id = ${id}`);

export const listRefunds = (db: Queryable, customerId: string, endToEndId: string) =>
  db.rows<RefundRow>(sql`
    select * from pix_refunds where customer_id = ${customerId} and end_to_end_id = ${endToEndId}
    order by created_at, id`);

export type ChargeRefund = {
  amount_cents: number;
  status: Exclude<RefundStatus, 'failed' | 'overtaken'>;
};

/** Lists our refunds of a charge's payments, as the customer sees them: without refunds that were replaced. */
export const listChargeRefunds = (db: Queryable, customerId: string, chargeId: string) =>
  db.rows<ChargeRefund>(sql`
    select r.amount_cents, r.status
    from pix_payments p join pix_refunds r on r.customer_id = p.customer_id and r.end_to_end_id = p.end_to_end_id
    where p.customer_id = ${customerId} and p.charge_id = ${chargeId} and not r.forced
      and r.status not in ('failed', 'overtaken')
    order by r.created_at, r.id`);

/** Locks all refunds of a payment. Until the transaction ends, none of them is sent to the PSP. */
export const lockRefunds = (tx: CustomerTx, customerId: string, endToEndId: string) =>
  tx.rows<RefundRow>(sql`
    select * from pix_refunds where customer_id = ${customerId} and end_to_end_id = ${endToEndId}
    order by created_at, id for no key update`);

/** Changes the status before or after a call to the PSP, without a lock. Returns false if the status is not the expected one. */
export const updateRefundStatus = async (
  db: Queryable,
  { customer_id, end_to_end_id, id }: RefundKey,
  { from, to }: Record<'from' | 'to', 'asked' | 'processing'>,
) =>
  (await db.run(sql`
    update pix_refunds set status = ${to}
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and id = ${id} and status = ${from}`)) ===
  1;

export const listOpenRefunds = (db: Queryable, before: Date, limit: number) =>
  db.rows<RefundKey>(sql`
    select customer_id, end_to_end_id, id from pix_refunds
    where status in ('asked', 'processing') and due_at < ${before} order by due_at limit ${limit}`);

/** Returns which of these refunds, named 'end-to-end id/refund id', are stored and no longer in progress. */
export const listEndedRefunds = (db: Queryable, customerIds: string[], names: string[]) =>
  db.values<string>(sql`
    select end_to_end_id || '/' || id as name from pix_refunds
    where customer_id = any(${customerIds}) and end_to_end_id = any(${names.map((name) => name.split('/')[0])})
      and status not in ('asked', 'processing')`);

export const findRefundKey = (tx: Queryable, id: string) =>
  tx.row<RefundKey>(sql`
    select customer_id, end_to_end_id, id from pix_refunds where id = ${id} and not forced`);

/** Reduces the given up amount of a payment part, because the rest was applied to a debt or returned another way. */
export const reduceStranded = (
  tx: Tx,
  { customer_id, end_to_end_id, part }: Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'part'>,
  strandedCents: number,
) =>
  tx.run(sql`
    update pix_refunds set stranded_cents = least(stranded_cents, ${strandedCents}),
                           status = case when ${strandedCents} = 0 then 'overtaken' else status end
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and part = ${part}
      and status = 'given_up'`);

export const countGivenUpRefunds = async (db: Queryable) =>
  (await db.value<number>(sql`select count(*) as n from pix_refunds where status = 'given_up'`))!;
