import { addDays, type Day } from '#core/values/day.ts';
import type { CustomerRange } from '#module';
import { columns, type TableRow } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import type { credit_sums_progress } from '../generated/tables.ts';
import { credit_sums } from '../generated/tables.ts';
import type { Cohort, LatenessSums, PurchaseStatus, StatusSums } from './figures-store.ts';

/**
 * What a row of `credit_sums` sums, and by which columns:
 * - `cohort`: purchases by `week` of purchase.
 * - `status`: purchases by `day`, after which they are overdue ('infinity': paid). `returned`: purchases that were returned in full, in one row.
 * - `late`: unpaid installments by `day`, their effective due day, and `week` of purchase. `age`: the same without the week.
 * - `due`: amounts and returns of all installments by `day`, their due day.
 * Columns that a kind does not use are infinite.
 */
const SUM_KINDS = ['cohort', 'status', 'returned', 'late', 'age', 'due'] as const;
type SumKind = (typeof SUM_KINDS)[number];
export type Sums = TableRow<typeof credit_sums>;

const sumColumns = columns(credit_sums);
/** The sums of `age` and `due` keep the days this long before the floor: reports distinguish 90 days late, and list eight past weeks. */
const DAYS_BEFORE_FLOOR = 90;
/** A transaction adds at most this many changes to the sums, which takes less than a second. */
const MAX_CHANGES = 20_000;
/** Contains every customer, because every id begins with 'cus_'. */
const ALL_CUSTOMERS = { afterId: '', lastId: 'd' };

const amountColumns = sql`
  item_count, financed_cents, total_cents, paid_cents, returned_cents, outstanding_cents, written_off_count,
  written_off_cents`;
const amountSums = sql`
  sum(item_count)::bigint as item_count, sum(financed_cents)::bigint as financed_cents,
  sum(total_cents)::bigint as total_cents, sum(paid_cents)::bigint as paid_cents,
  sum(returned_cents)::bigint as returned_cents, sum(outstanding_cents)::bigint as outstanding_cents,
  sum(written_off_count)::bigint as written_off_count, sum(written_off_cents)::bigint as written_off_cents`;
const addOnConflict = sql`
  on conflict (kind, day, week) do update set
    item_count = credit_sums.item_count + excluded.item_count,
    financed_cents = credit_sums.financed_cents + excluded.financed_cents,
    total_cents = credit_sums.total_cents + excluded.total_cents,
    paid_cents = credit_sums.paid_cents + excluded.paid_cents,
    returned_cents = credit_sums.returned_cents + excluded.returned_cents,
    outstanding_cents = credit_sums.outstanding_cents + excluded.outstanding_cents,
    written_off_count = credit_sums.written_off_count + excluded.written_off_count,
    written_off_cents = credit_sums.written_off_cents + excluded.written_off_cents`;

/** SQL fragment: the purchases and installments of these customers as in `credit_changes`. Installment n is due n weeks after the purchase. */
const selectFacts = ({ afterId, lastId }: CustomerRange): Sql => sql`(
  select date_trunc('week', purchased_at at time zone 'America/Sao_Paulo')::date as week, late_after,
         returned_at is not null as is_returned, null::date as effective_due_on, null::date as due_on, 1 as item_count,
         financed_cents, total_cents, paid_cents, returned_cents, outstanding_cents,
         (written_off_at is not null)::int as written_off_count,
         case when written_off_at is null then 0 else outstanding_cents end as written_off_cents
  from checkouts where customer_id > ${afterId} and customer_id <= ${lastId}
  union all
  select date_trunc('week', i.agreed_due_on - 7 * i.number)::date as week, null as late_after, false as is_returned,
         i.effective_due_on, i.due_on, (i.outstanding_cents > 0)::int as item_count, 0 as financed_cents,
         i.amount_cents as total_cents, 0 as paid_cents, i.returned_cents, i.outstanding_cents, 0 as written_off_count,
         case when c.written_off_at is null then 0 else i.outstanding_cents end as written_off_cents
  from installments i join checkouts c on c.customer_id = i.customer_id and c.hash = i.checkout_hash
  where i.customer_id > ${afterId} and i.customer_id <= ${lastId} and c.customer_id > ${afterId} and c.customer_id <= ${lastId})`;

/**
 * SQL fragment: the amounts of rows like those of `credit_changes`, with the keys of the sums that include them: two sums for a purchase,
 * which has `late_after`, and three for an installment. Days before the floor become '-infinity'.
 */
const selectByKeys = (changes: Sql, floorDay: Day | '-infinity'): Sql => {
  const floor = sql`${floorDay}::date`;
  return sql`(
    select keys.*, ${amountColumns}
    from ${changes} as changes
    cross join lateral (
      select 'cohort' as kind, '-infinity'::date as day, week where late_after is not null
      union all
      select case when is_returned then 'returned' else 'status' end,
             case when is_returned then 'infinity' when late_after < ${floor} then '-infinity' else late_after end, '-infinity'
      where late_after is not null
      union all
      select 'late', case when effective_due_on < ${floor} then '-infinity' else effective_due_on end, week
      where late_after is null
      union all
      select 'age', case when effective_due_on < ${floor} - ${DAYS_BEFORE_FLOOR}::int then '-infinity' else effective_due_on end, '-infinity'
      where late_after is null
      union all
      select 'due', case when due_on < ${floor} - ${DAYS_BEFORE_FLOOR}::int then '-infinity' else due_on end, '-infinity'
      where late_after is null) as keys)`;
};

/** SQL fragment: the queued changes, with a row for each installment of a new purchase. */
const expandInstallments = (changes: Sql): Sql => sql`(
  select week, late_after, is_returned, effective_due_on, due_on, ${amountColumns}
  from ${changes} as change where new_installments is null
  union all
  select week, null as late_after, false as is_returned, installment.effective_due_on, installment.due_on,
         (installment.outstanding_cents > 0)::int as item_count, 0 as financed_cents, installment.amount_cents as total_cents,
         0 as paid_cents, installment.returned_cents, installment.outstanding_cents, 0 as written_off_count, 0 as written_off_cents
  from ${changes} as change
  cross join lateral jsonb_to_recordset(change.new_installments) as installment
    (effective_due_on date, due_on date, amount_cents bigint, returned_cents bigint, outstanding_cents bigint))`;

/** SQL fragment: the stored sums of these kinds, and the queued changes. Several rows can have the same key. */
const selectCurrentSums = (kinds: readonly SumKind[], floorDay: Day | '-infinity' = '-infinity'): Sql => sql`(
  select kind, day, week, ${amountColumns} from credit_sums where kind = any(${kinds})
  union all
  select kind, day, week, ${amountColumns}
  from ${selectByKeys(expandInstallments(sql`credit_changes`), floorDay)} as queued_sums where kind = any(${kinds})) as current_sums`;

/** Sums purchases by their current status. */
export const sumByStatus = (db: Queryable, today: Day) =>
  db.rows<StatusSums & { status: PurchaseStatus }>(sql`
    select case when kind = 'returned' then 'returned' when day = 'infinity' then 'paid'
                when day < ${today} then 'overdue' else 'open' end as status,
           sum(item_count)::bigint as purchases, sum(financed_cents)::bigint as financed_cents,
           sum(paid_cents)::bigint as paid_cents, sum(returned_cents)::bigint as returned_cents,
           sum(outstanding_cents)::bigint as outstanding_cents, sum(written_off_count)::bigint as written_off,
           sum(written_off_cents)::bigint as written_off_cents
    from ${selectCurrentSums(['status', 'returned'])} group by status`);

/** Sums purchases by the week of purchase. */
export const sumByWeek = (db: Queryable) =>
  db.rows<Omit<Cohort, 'overdue_cents'> & { week: Day }>(sql`
    select week, sum(item_count)::bigint as purchases, sum(financed_cents)::bigint as financed_cents,
           sum(total_cents)::bigint as total_cents, sum(paid_cents)::bigint as paid_cents,
           sum(returned_cents)::bigint as returned_cents, sum(outstanding_cents)::bigint as outstanding_cents,
           sum(written_off_cents)::bigint as written_off_cents
    from ${selectCurrentSums(['cohort'])} group by week`);

/** Sums late amounts by the week of purchase. */
export const sumLateByWeek = (db: Queryable, today: Day) =>
  db.rows<{ week: Day; overdue_cents: number }>(sql`
    select week, sum(outstanding_cents)::bigint as overdue_cents
    from ${selectCurrentSums(['late'])} where day < ${today} group by week`);

/** Sums late installments by days late. The days before the floor, which were merged, count as the first day of 2000. */
export const sumByAge = (db: Queryable, today: Day) =>
  db.rows<LatenessSums>(sql`
    select ${today}::date - greatest(day, '2000-01-01') as days_late, sum(item_count)::bigint as installments,
           sum(outstanding_cents)::bigint as outstanding_cents, sum(written_off_cents)::bigint as written_off_cents
    from ${selectCurrentSums(['age'])} where day < ${today} group by days_late`);

/** Sums the amounts of installments by due day, after returns. */
export const sumByDueDay = (db: Queryable, from: Day, to: Day) =>
  db.rows<{ day: Day; expected_cents: number }>(sql`
    select day, sum(total_cents - returned_cents)::bigint as expected_cents
    from ${selectCurrentSums(['due'])} where day between ${from} and ${to} group by day`);

/** How many `customers` the sums include, of `all_customers`. */
export type SumsProgress = Pick<TableRow<typeof credit_sums_progress>, 'customers' | 'all_customers'> & {
  /** Sums by day are stored as sums of '-infinity' for the days before this day. */
  floor_day: Day;
  /** The last customer that the sums include: '' before the first one, null once all are included. */
  computed_up_to: string | null;
};

/** Returns undefined before the first computation has started. */
export const findSumsProgress = (db: Queryable) =>
  db.row<SumsProgress>(sql`
    select floor_day, computed_up_to, customers, all_customers from credit_sums_progress`);

export async function saveSumsProgress(tx: Tx, progress: SumsProgress): Promise<void> {
  const { floor_day, computed_up_to, customers, all_customers } = progress;
  await tx.run(sql`
    insert into credit_sums_progress (floor_day, computed_up_to, customers, all_customers)
    values (${floor_day}, ${computed_up_to}, ${customers}, ${all_customers})
    on conflict (only_row) do update set
      floor_day = excluded.floor_day, computed_up_to = excluded.computed_up_to, customers = excluded.customers,
      all_customers = excluded.all_customers`);
}

/** Deletes queued changes, up to a limit, and returns their sums. */
export const deleteAndSumChanges = (tx: Tx, floorDay: Day) =>
  tx.rows<Sums>(sql`
    with changes as (
      delete from credit_changes
      where (customer_id, position) in (select customer_id, position from credit_changes limit ${MAX_CHANGES})
      returning *)
    select kind, day, week, ${amountSums} from ${selectByKeys(expandInstallments(sql`changes`), floorDay)} as by_keys group by kind, day, week`);

/**
 * Sums the purchases of these customers, and deletes the queued changes that these sums include. One statement, because both must read the
 * same snapshot.
 */
export const deleteChangesAndSumPurchases = (tx: Tx, { afterId, lastId }: CustomerRange, floorDay: Day) =>
  tx.rows<Sums>(sql`
    with changes as (delete from credit_changes where customer_id > ${afterId} and customer_id <= ${lastId})
    select kind, day, week, ${amountSums}
    from ${selectByKeys(selectFacts({ afterId, lastId }), floorDay)} as by_keys group by kind, day, week`);

export async function addToSums(tx: Tx, sums: readonly Sums[]): Promise<void> {
  await tx.run(sql`insert into credit_sums ${sumColumns.valuesFromJson(sums)} ${addOnConflict}`);
}

/** Adds the sums of the days before the floor to those of the day '-infinity'. */
export const mergeOldSums = (tx: Tx, floorDay: Day) =>
  tx.run(sql`
    with old_sums as (
      delete from credit_sums
      where day > '-infinity' and (
        kind in ('status', 'late') and day < ${floorDay}
        or kind in ('age', 'due') and day < ${addDays(floorDay, -DAYS_BEFORE_FLOOR)})
      returning *)
    insert into credit_sums (kind, day, week, ${amountColumns})
    select kind, '-infinity', week, ${amountSums} from old_sums group by kind, week ${addOnConflict}`);

export const deleteSums = (tx: Tx) => tx.run(sql`delete from credit_sums`);

/** Lists the stored sums, including the queued changes. For the auditor. */
export const listCurrentSums = (tx: Tx, floorDay: Day) =>
  tx.rows<Sums>(sql`
    select kind, day, week, ${amountSums} from ${selectCurrentSums(SUM_KINDS, floorDay)} group by kind, day, week`);

/** Recomputes the sums from all purchases. For the auditor. */
export const listExpectedSums = (tx: Tx, floorDay: Day) =>
  tx.rows<Sums>(sql`
    select kind, day, week, ${amountSums}
    from ${selectByKeys(selectFacts(ALL_CUSTOMERS), floorDay)} as by_keys group by kind, day, week`);
