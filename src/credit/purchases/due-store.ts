import type { Day } from '#core/values/day.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { batchable, pluck, type Queryable, type Sql, sql } from '#platform/database/db.ts';

type DueDay = { due_on: Day } | { effective_due_on: Day };

/** Lists the ids of customers with an unpaid installment that is due on a day, in the order of ids, after `afterId`. Uses an index. */
export async function listDueCustomerIds(db: Queryable, day: DueDay, afterId: string, limit: number) {
  const isDue =
    'due_on' in day ? sql`due_on = ${day.due_on}` : sql`effective_due_on = ${day.effective_due_on}`;
  const rows = await db.rows<{ customer_id: string }>(sql`
    select distinct customer_id from installments
    where paid_at is null and ${isDue} and customer_id > ${afterId} order by customer_id limit ${limit}`);
  return rows.map(({ customer_id }) => customer_id);
}

export type DueInstallment = {
  id: string;
  checkout_hash: string;
  number: number;
  due_on: Day;
  effective_due_on: Day;
  outstanding_cents: number;
  installments_total: number;
  merchant_name: string;
  created_at: Date;
};

/**
 * Lists unpaid installments of a customer that are due by a day, the earliest first. Omits written-off purchases, which are not collected.
 */
export const listDueInstallments = (db: Queryable, customerId: string, until: Day) =>
  db.rows<DueInstallment>(selectDueInstallments({ customerId, until }));

const selectDueInstallments = batchable(
  (rows: ReadonlyArray<{ customerId: string; until: Day }>, customerSql) => sql`
    select i.customer_id, i.id, i.checkout_hash, i.number, i.due_on, i.effective_due_on, i.outstanding_cents,
           c.installments_total, c.merchant_name, c.created_at
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'until')}::date[]) as input (customer_id, until)
    join installments i on i.customer_id = ${customerSql} and i.paid_at is null and i.due_on <= input.until
    join checkouts c on c.customer_id = ${customerSql} and c.hash = i.checkout_hash and c.written_off_at is null
    order by i.due_on, i.checkout_hash, i.number`,
);

type Summary = { merchant_name: string; total_cents: number; installments_total: number; first_due_on: Day };

export const findCheckoutSummary = (db: Queryable, customerId: string, hash: string) =>
  db.row<Summary>(sql`
    select c.merchant_name, c.total_cents, c.installments_total, i.agreed_due_on as first_due_on
    from checkouts c
    join installments i on i.customer_id = ${customerId} and i.checkout_hash = c.hash and i.number = 1
    where c.customer_id = ${customerId} and c.hash = ${hash}`);

type UnpaidInstallment = {
  customer_id: string;
  id: string;
  checkout_hash: string;
  number: number;
  effective_due_on: Day;
};

/**
 * Lists installments of all customers with exactly this outstanding amount that are due in a range of days, the nearest to `day`
 * first. Uses an index.
 */
export const listInstallmentsByOutstanding = (
  db: Queryable,
  outstandingCents: number,
  { from, to, day, limit }: { from: Day; to: Day; day: Day; limit: number },
) =>
  db.rows<UnpaidInstallment>(sql`
    select customer_id, id, checkout_hash, number, effective_due_on from installments
    where paid_at is null and outstanding_cents = ${outstandingCents} and effective_due_on between ${from} and ${to}
    order by abs(effective_due_on - ${day}::date), id limit ${limit}`);

/** SQL fragment: whether an installment was paid between two instants, both included. */
export const selectIsPaidBetween = (customerId: Sql, installmentId: Sql, from: Sql, until: Sql): Sql => sql`
  exists (select from installments
          where customer_id = ${customerId} and id = ${installmentId} and paid_at >= ${from} and paid_at <= ${until})`;

/**
 * SQL fragment: whether an installment is overdue today and its event was not published. `overdue_told` lists the due days for which
 * the event was published. Matches a partial index.
 */
const isOverdueEventPending = (today: Day): Sql => sql`
  paid_at is null and not (effective_due_on = any (overdue_told)) and effective_due_on < ${today}`;

export type OverdueCursor = { dueOn: Day; customerId: string };

/** Lists customers with unpublished overdue installments, once per due day, in the order of due days. */
export const listNewlyOverdueCustomers = (db: Queryable, today: Day, cursor: OverdueCursor, limit: number) =>
  db.rows<OverdueCursor>(sql`
    select distinct effective_due_on as "dueOn", customer_id as "customerId" from installments
    where ${isOverdueEventPending(today)} and (effective_due_on, customer_id) > (${cursor.dueOn}::date, ${cursor.customerId})
    order by effective_due_on, customer_id limit ${limit}`);

type OverdueInstallment = Omit<DueInstallment, 'created_at'> & {
  /** Whether an earlier call published an event of an installment of the purchase that is still overdue. The SELECT ignores the UPDATE. */
  purchase_was_overdue: boolean;
};

/** Marks overdue installments as published and returns them, each once per due day. The caller has locked the customer. */
export const markOverduePublished = (tx: CustomerTx, customerId: string, today: Day) =>
  tx.rows<OverdueInstallment>(sql`
    with published as (
      update installments set overdue_told = overdue_told || effective_due_on
      where customer_id = ${customerId} and ${isOverdueEventPending(today)}
      returning id, checkout_hash, number, due_on, effective_due_on, outstanding_cents)
    select p.*, c.installments_total, c.merchant_name,
           exists (select from installments i
                   where i.customer_id = ${customerId} and i.checkout_hash = p.checkout_hash and i.paid_at is null
                     and i.effective_due_on < ${today} and i.effective_due_on = any (i.overdue_told)) as purchase_was_overdue
    from published p join checkouts c on c.customer_id = ${customerId} and c.hash = p.checkout_hash
    order by p.checkout_hash, p.number`);
