import type { Day } from '#core/day.ts';
import type { CustomerRange } from '#module';
import { type Queryable, sql } from '#platform/database/db.ts';
import type { InstallmentTuple, ReceiptTuple } from '../purchases/checkout-record.ts';
import { installmentsOf, receiptsOf } from '../purchases/reading-store.ts';
import { type TermsColumns, terms } from '../purchases/terms-columns.ts';

/** Of some purchases, in centavos. */
export type PurchaseSums = {
  purchases: number;
  financed_cents: number;
  paid_cents: number;
  returned_cents: number;
  outstanding_cents: number;
  written_off_cents: number;
};

type StatusSums = PurchaseSums & { written_off: number };
/** `returned`: the whole purchase was returned. It is shown as paid, but nobody paid it. */
type Status = 'open' | 'overdue' | 'paid' | 'returned';

type AgeSum = { days: number; installments: number; outstanding_cents: number };

export const AGES = ['1-7', '8-30', '31-90', '90+'] as const;
export type Age = (typeof AGES)[number];

/** The purchases of one week. */
export type Cohort = PurchaseSums & {
  /** As agreed, interest included. */
  total_cents: number;
  /** What of the outstanding amount is late. */
  overdue_cents: number;
};

/** The state of all purchases at the end of a day, in centavos; without penalties, as in the ledger. */
export type CreditFigures = {
  readonly byStatus: Record<Status, StatusSums>;
  readonly byAge: Record<Age, Omit<AgeSum, 'days'> & { written_off_cents: number }>;
  /** What falls due in each week, by its Monday. */
  readonly expected: Record<Day, number>;
  /** Purchases by the Monday of the week in which they were made. */
  readonly cohorts: Record<Day, Cohort>;
};

/**
 * Purchases by status, as they stand today. By the day after which they are late first: there are few of those, which the planner
 * knows, and it need not sort all purchases.
 */
export async function sumByStatus(
  db: Queryable,
  today: Day,
): Promise<Array<StatusSums & { status: Status }>> {
  return db.rows(sql`
    select case when is_returned then 'returned' when late_after = 'infinity' then 'paid'
                when late_after < ${today} then 'overdue' else 'open' end as status,
           sum(purchases)::bigint as purchases, sum(financed_cents)::bigint as financed_cents,
           sum(paid_cents)::bigint as paid_cents, sum(returned_cents)::bigint as returned_cents,
           sum(outstanding_cents)::bigint as outstanding_cents, sum(written_off)::bigint as written_off,
           sum(written_off_cents)::bigint as written_off_cents
    from (
      select late_after, returned_at is not null as is_returned, count(*) as purchases,
             sum(financed_cents) as financed_cents, sum(paid_cents) as paid_cents, sum(returned_cents) as returned_cents,
             sum(outstanding_cents) as outstanding_cents, count(written_off_at) as written_off,
             coalesce(sum(outstanding_cents) filter (where written_off_at is not null), 0) as written_off_cents
      from checkouts group by 1, 2
    ) as by_day
    group by 1`);
}

/** What is late today, by days late; optionally only of written-off purchases. */
export async function sumByAge(db: Queryable, today: Day, writtenOff: boolean): Promise<AgeSum[]> {
  return writtenOff
    ? db.rows(sql`
        select ${today}::date - i.effective_due_on as days, count(*) as installments,
               sum(i.outstanding_cents)::bigint as outstanding_cents
        from checkouts c join installments i on i.customer_id = c.customer_id and i.checkout_hash = c.hash
        where c.written_off_at is not null and i.paid_at is null and i.outstanding_cents > 0
          and i.effective_due_on < ${today}
        group by 1`)
    : db.rows(sql`
        select ${today}::date - effective_due_on as days, count(*) as installments,
               sum(outstanding_cents)::bigint as outstanding_cents
        from installments where paid_at is null and outstanding_cents > 0 and effective_due_on < ${today}
        group by 1`);
}

/** Purchases by the day they were made, as they stand today. */
export async function sumByDay(db: Queryable): Promise<Array<Omit<Cohort, 'overdue_cents'> & { day: Day }>> {
  return db.rows(sql`
    select (purchased_at at time zone 'America/Sao_Paulo')::date as day, count(*) as purchases,
           sum(financed_cents)::bigint as financed_cents, sum(total_cents)::bigint as total_cents,
           sum(paid_cents)::bigint as paid_cents, sum(returned_cents)::bigint as returned_cents,
           sum(outstanding_cents)::bigint as outstanding_cents,
           coalesce(sum(outstanding_cents) filter (where written_off_at is not null), 0)::bigint as written_off_cents
    from checkouts group by 1 order by 1`);
}

/** What is late today, by the day of its purchase: installment k was agreed to fall due 7·k days after it. */
export async function sumLateByDay(
  db: Queryable,
  today: Day,
): Promise<Array<{ day: Day; overdue_cents: number }>> {
  return db.rows(sql`
    select agreed_due_on - 7 * number as day, sum(outstanding_cents)::bigint as overdue_cents
    from installments
    where paid_at is null and outstanding_cents > 0 and effective_due_on < ${today} group by 1`);
}

/** What falls due on each of these days, as it stands today. */
export async function sumByDueDay(
  db: Queryable,
  from: Day,
  to: Day,
): Promise<Array<{ day: Day; expected_cents: number }>> {
  return db.rows(sql`
    select due_on as day, sum(amount_cents - returned_cents)::bigint as expected_cents from installments
    where due_on between ${from} and ${to} group by due_on`);
}

/** Receipts for installments by Pix or by hand between two instants, by day in São Paulo. */
export async function sumReceived(
  db: Queryable,
  since: Date,
  before: Date,
): Promise<Array<{ day: Day; received_cents: number }>> {
  return db.rows(sql`
    select (received_at at time zone 'America/Sao_Paulo')::date as day, sum(amount_cents)::bigint as received_cents
    from receipts
    where part = 0 and source <> 'cashback' and received_at >= ${since} and received_at < ${before} group by 1`);
}

type PastPurchase = TermsColumns & {
  purchased_on: Day;
  financed_cents: number;
  is_written_off: boolean;
  /** All of it. */
  is_returned: boolean;
  installments: InstallmentTuple[];
  receipts: ReceiptTuple[] | null;
};

/** Purchases of these customers made before an instant, with all their facts. */
export async function listPurchasesBefore(
  db: Queryable,
  { after, upTo }: CustomerRange,
  before: Date,
): Promise<PastPurchase[]> {
  return db.rows(sql`
    select (c.purchased_at at time zone 'America/Sao_Paulo')::date as purchased_on, c.financed_cents, ${terms.of('c')},
           exists (select from write_offs w where w.customer_id = c.customer_id and w.checkout_hash = c.hash
                   and w.written_off_at < ${before} and (w.reinstated_at is null or w.reinstated_at >= ${before})
                  ) as is_written_off,
           c.financed_cents = (select sum(t.amount_cents) from returns t
                               where t.customer_id = c.customer_id and t.checkout_hash = c.hash
                                 and t.returned_at < ${before}) is true as is_returned,
           ${installmentsOf(sql`c.customer_id`)} as installments, ${receiptsOf(sql`c.customer_id`)} as receipts
    from checkouts c
    where c.customer_id > ${after} and c.customer_id <= ${upTo} and c.purchased_at < ${before}`);
}

export type KeptFigures = { figures: CreditFigures; worked_out_at: Date };

export async function findFigures(db: Queryable, day: Day): Promise<KeptFigures | undefined> {
  return db.row(sql`select figures, worked_out_at from credit_days where day = ${day}`);
}

/** The first writer of each part wins: days that were stored before there were cohorts get them later. */
export async function insertFigures(
  db: Queryable,
  day: Day,
  { figures, worked_out_at }: KeptFigures,
): Promise<void> {
  await db.run(sql`
    insert into credit_days (day, figures, worked_out_at) values (${day}, ${JSON.stringify(figures)}::jsonb, ${worked_out_at})
    on conflict (day) do update set figures = excluded.figures || credit_days.figures`);
}
