import type { Day } from '#core/day.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, type Sql, sql } from '#platform/database/db.ts';

/** SQL fragment: an installment that is overdue on this day and was not announced for this due day. Matches its index. */
const isUntold = (today: Day): Sql => sql`
  paid_at is null and not (effective_due_on = any (overdue_told)) and effective_due_on < ${today}`;

export type Turn = { dueOn: Day; customerId: string };

/** Customers with something to announce, in the order of due days; a customer can be listed once per due day. */
export async function listTurnedOverdue(
  db: Queryable,
  today: Day,
  after: Turn,
  limit: number,
): Promise<Turn[]> {
  return db.rows(sql`
    select distinct effective_due_on as "dueOn", customer_id as "customerId" from installments
    where ${isUntold(today)} and (effective_due_on, customer_id) > (${after.dueOn}::date, ${after.customerId})
    order by effective_due_on, customer_id limit ${limit}`);
}

type OverdueInstallment = {
  id: string;
  checkout_hash: string;
  number: number;
  due_on: string;
  effective_due_on: string;
  outstanding_cents: number;
  installments_total: number;
  merchant_name: string;
  /** Whether the purchase was already overdue and announced, by an earlier installment. */
  was_overdue: boolean;
};

/** The caller has locked the customer. Each is returned once per due day. */
export async function markOverdueTold(
  tx: CustomerTx,
  customerId: string,
  today: Day,
): Promise<OverdueInstallment[]> {
  return tx.rows(sql`
    with told as (
      update installments set overdue_told = overdue_told || effective_due_on
      where customer_id = ${customerId} and ${isUntold(today)}
      returning id, checkout_hash, number, due_on, effective_due_on, outstanding_cents)
    select t.*, c.installments_total, c.merchant_name,
           exists (select from installments i
                   where i.customer_id = ${customerId} and i.checkout_hash = t.checkout_hash and i.paid_at is null
                     and i.effective_due_on < ${today} and i.effective_due_on = any (i.overdue_told)) as was_overdue
    from told t join checkouts c on c.customer_id = ${customerId} and c.hash = t.checkout_hash
    order by t.checkout_hash, t.number`);
}
