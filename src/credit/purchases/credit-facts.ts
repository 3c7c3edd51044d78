import type { Day } from '#core/values/day.ts';
import { batchable, pluck, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { selectCreditUsed } from './store.ts';

/** A purchase that is paid sooner says nothing about how reliably a customer pays. */
const MIN_DAYS_TO_PAY = 7;

type CreditFacts = {
  owed_cents: number;
  owed_at_merchant_cents: number;
  /** Days since the oldest overdue due day of any purchase. */
  days_late: number;
  /** The maximum lateness of all installments that fell due within the last year, paid or not. */
  worst_days_late: number;
  /**
   * The number of purchases without returns that were paid in full and on time, the last installment at least `MIN_DAYS_TO_PAY` after
   * the purchase.
   */
  paid_on_time: number;
  /** The sum of the totals of these purchases. */
  paid_on_time_cents: number;
  /** The number of purchases since the `since` of the request. */
  bought_since: number;
  /** The number of purchases at the merchant of the request, ever. */
  bought_at_merchant: number;
};

/** Finds the facts for a credit decision. `merchantId` is null if the decision concerns no purchase. The caller has locked the customer. */
export const findCreditFacts = async (db: Queryable, request: CreditFactsRequest) =>
  (await db.row<CreditFacts>(selectCreditFacts(request)))!;

type CreditFactsRequest = { customerId: string; merchantId: number | null; today: Day; since: Date };

const selectCreditFacts = batchable(
  (rows: readonly CreditFactsRequest[], customerSql) => sql`
    select ${customerSql} as customer_id,
      ${selectCreditUsed(customerSql)} as owed_cents,
      (select coalesce(sum(outstanding_cents), 0)::bigint from checkouts
       where customer_id = ${customerSql} and late_after < 'infinity' and merchant_id = input.merchant_id) as owed_at_merchant_cents,
      (select coalesce(max(input.today - late_after), 0) from checkouts
       where customer_id = ${customerSql} and late_after < input.today) as days_late,
      (select greatest(0, max(coalesce((paid_at at time zone 'America/Sao_Paulo')::date, input.today) - effective_due_on))
       from installments
       where customer_id = ${customerSql} and effective_due_on > input.today - 365) as worst_days_late,
      on_time.count as paid_on_time, on_time.cents as paid_on_time_cents,
      (select count(*) from checkouts
       where customer_id = ${customerSql} and purchased_at > input.since) as bought_since,
      (select count(*) from checkouts
       where customer_id = ${customerSql} and merchant_id = input.merchant_id) as bought_at_merchant
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'merchantId')}::bigint[],
                ${pluck(rows, 'today')}::date[], ${pluck(rows, 'since')}::timestamptz[])
         as input (customer_id, merchant_id, today, since)
    cross join lateral (
      select count(*) as count, coalesce(sum(total_cents), 0)::bigint as cents from checkouts c
      where c.customer_id = ${customerSql} and c.late_after = 'infinity' and c.returned_cents = 0
        and (c.settled_at at time zone 'America/Sao_Paulo')::date
            >= (c.purchased_at at time zone 'America/Sao_Paulo')::date + ${MIN_DAYS_TO_PAY}::integer
        and not exists (
          select from installments i
          where i.customer_id = ${customerSql} and i.checkout_hash = c.hash
            and (i.paid_at at time zone 'America/Sao_Paulo')::date > i.effective_due_on)) as on_time`,
);

const LOST_AFTER_DAYS_LATE = 30;

/** Sums the sales of each merchant, and the outstanding part of them that is written off or more than `LOST_AFTER_DAYS_LATE` days late. */
export const sumLosses = (tx: Tx, today: Day) =>
  tx.rows<{ merchant_id: number; sold_cents: number; lost_cents: number }>(sql`
    select merchant_id, sum(total_cents - returned_cents)::bigint as sold_cents,
           (coalesce(sum(outstanding_cents)
              filter (where written_off_at is not null or late_after < ${today}::date - ${LOST_AFTER_DAYS_LATE}::integer), 0))::bigint as lost_cents
    from checkouts group by merchant_id`);

type PurchaseAmounts = {
  purchases: number;
  sold_cents: number;
  paid_cents: number;
  late_cents: number;
  written_off_cents: number;
};

/** Sums the paid, late and written-off amounts of the purchases from these offers, and of all purchases of these customers. */
export async function sumPurchaseAmounts(
  db: Queryable,
  offers: ReadonlyArray<{ customerId: string; offerId: string }>,
  customerIds: readonly string[],
  today: Day,
) {
  const row = await db.row<PurchaseAmounts>(sql`
    select count(*) as purchases, coalesce(sum(total_cents - returned_cents), 0)::bigint as sold_cents,
           coalesce(sum(paid_cents), 0)::bigint as paid_cents,
           coalesce(sum(outstanding_cents) filter (where late_after < ${today} and written_off_at is null), 0)::bigint as late_cents,
           coalesce(sum(outstanding_cents) filter (where written_off_at is not null), 0)::bigint as written_off_cents
    from checkouts
    where customer_id = any(${[...customerIds, ...offers.map(({ customerId }) => customerId)]}::text[])
      and (customer_id = any(${customerIds}::text[]) or offer_id = any(${offers.map(({ offerId }) => offerId)}::text[]))`);
  return row!;
}
