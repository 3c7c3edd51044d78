import type { Day } from '#core/values/day.ts';
import type { CustomerRange } from '#module';
import { type Queryable, sql } from '#platform/database/db.ts';
import type { InstallmentTuple, ReceiptTuple } from '../purchases/checkout-record.ts';
import { selectInstallments, selectReceipts } from '../purchases/reading-store.ts';
import { type TermsColumns, termsColumns } from '../purchases/terms.ts';

export type PurchaseSums = {
  purchases: number;
  financed_cents: number;
  paid_cents: number;
  returned_cents: number;
  outstanding_cents: number;
  written_off_cents: number;
};

/** `written_off`: count of written-off purchases. */
export type StatusSums = PurchaseSums & { written_off: number };
/** `returned`: returned in full. The API reports such a purchase as paid, although its customer did not pay it. */
export type PurchaseStatus = 'open' | 'overdue' | 'paid' | 'returned';

/** Sums of the installments that are late by the same number of days. */
export type LatenessSums = {
  days_late: number;
  installments: number;
  outstanding_cents: number;
  written_off_cents: number;
};

/** Ranges of days late. */
export const AGE_BUCKETS = ['1-7', '8-30', '31-90', '90+'] as const;
export type AgeBucket = (typeof AGE_BUCKETS)[number];

export type Cohort = PurchaseSums & {
  /** The agreed total, including interest. */
  total_cents: number;
  /** The part of the outstanding amount that is late. */
  overdue_cents: number;
};

/** Figures of all purchases at the end of a day, in centavos. Excludes penalties, which the ledger books when they are paid. */
export type CreditFigures = {
  readonly byStatus: Record<PurchaseStatus, StatusSums>;
  /** Late installments by days late. */
  readonly byAge: Record<AgeBucket, Omit<LatenessSums, 'days_late'>>;
  /** Agreed amounts of installments, less returns, by the Monday of the week in which they are due. */
  readonly expected: Record<Day, number>;
  /** Purchases by the Monday of the week in which they were made. */
  readonly cohorts: Record<Day, Cohort>;
};

/** Sums payments, without cashback, by the day of arrival. Part 0 of a payment has the whole received amount. */
export const sumReceived = (db: Queryable, since: Date, before: Date) =>
  db.rows<{ day: Day; received_cents: number }>(sql`
    select (received_at at time zone 'America/Sao_Paulo')::date as day, sum(amount_cents)::bigint as received_cents
    from receipts
    where part = 0 and source <> 'cashback' and received_at >= ${since} and received_at < ${before} group by 1`);

export type PastPurchase = TermsColumns & {
  purchased_on: Day;
  financed_cents: number;
  is_written_off: boolean;
  is_returned: boolean;
  installments: InstallmentTuple[];
  receipts: ReceiptTuple[] | null;
};

/** Lists purchases of these customers before an instant, with all facts needed to compute their debt. */
export const listPurchasesBefore = (db: Queryable, { afterId, lastId }: CustomerRange, before: Date) =>
  db.rows<PastPurchase>(sql`
    select (c.purchased_at at time zone 'America/Sao_Paulo')::date as purchased_on, c.financed_cents, ${termsColumns.selectFrom('c')},
           exists (select from write_offs w where w.customer_id = c.customer_id and w.checkout_hash = c.hash
                   and w.written_off_at < ${before} and (w.reinstated_at is null or w.reinstated_at >= ${before})
                  ) as is_written_off,
           (c.financed_cents = (select sum(t.amount_cents) from returns t
                               where t.customer_id = c.customer_id and t.checkout_hash = c.hash
                                 and t.returned_at < ${before})) is true as is_returned, -- false if there are no returns
           ${selectInstallments(sql`c.customer_id`)} as installments, ${selectReceipts(sql`c.customer_id`)} as receipts
    from checkouts c
    where c.customer_id > ${afterId} and c.customer_id <= ${lastId} and c.purchased_at < ${before}`);

/** `worked_out_at` is when the figures were computed. */
export type StoredFigures = { figures: CreditFigures; worked_out_at: Date };

export const findStoredFigures = (db: Queryable, day: Day) =>
  db.row<StoredFigures>(sql`select figures, worked_out_at from credit_days where day = ${day}`);

/** Stores the figures of a day. If the day is stored, adds only missing kinds, such as cohorts, which earlier releases did not store. */
export async function saveFigures(db: Queryable, day: Day, { figures, worked_out_at }: StoredFigures) {
  await db.run(sql`
    insert into credit_days (day, figures, worked_out_at) values (${day}, ${JSON.stringify(figures)}::jsonb, ${worked_out_at})
    on conflict (day) do update set figures = excluded.figures || credit_days.figures`);
}

/** The figures of a day that a job is computing. */
export type FiguresProgress = {
  figures: CreditFigures;
  /** The last customer that the figures include. */
  computed_up_to: string;
  /** How many customers the figures include, of `all_customers`. */
  customers: number;
  all_customers: number;
};

export const findProgress = (db: Queryable, day: Day) =>
  db.row<FiguresProgress>(sql`
    select figures, computed_up_to, customers, all_customers from credit_day_progress where day = ${day}`);

export async function saveProgress(db: Queryable, day: Day, progress: FiguresProgress): Promise<void> {
  const { figures, computed_up_to, customers, all_customers } = progress;
  await db.run(sql`
    insert into credit_day_progress (day, figures, computed_up_to, customers, all_customers)
    values (${day}, ${JSON.stringify(figures)}::jsonb, ${computed_up_to}, ${customers}, ${all_customers})
    on conflict (day) do update set
      figures = excluded.figures, computed_up_to = excluded.computed_up_to, customers = excluded.customers`);
}

export const deleteProgress = (db: Queryable, day: Day) =>
  db.run(sql`delete from credit_day_progress where day = ${day}`);
