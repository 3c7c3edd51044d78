import { Type } from 'typebox';
import { filterByMerchant } from '#catalog';
import { addDays, type Day, daysBetween, endOfDay, startOfDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { type Period, sumSalesByDay } from '#credit';
import { lockKey, shareAdvisory } from '#platform/database/advisory-locks.ts';
import { columns, type RowOf, type TableRow } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { omit } from '#platform/omit.ts';
import { merchant_lines, type payouts } from './generated/tables.ts';

export const PAYOUT_STATUSES = ['pending', 'paid', 'failed'] as const;

export const LINE_KINDS = ['sale', 'fee', 'return', 'return_fee', 'payout', 'payout_failed'] as const;

const lineColumns = columns(omit(merchant_lines, 'position', 'payout_id'));
/** `amount_cents` is positive if the line increases the amount that the merchant is owed. */
export type NewLine = RowOf<typeof lineColumns>;

/** Queues the insert of lines, except those with a zero amount. It is sent with the next awaited statement or with the commit. */
export function queueLines(tx: Tx, lines: readonly NewLine[]): void {
  const nonZeroLines = lines.filter(({ amount_cents }) => amount_cents !== 0);
  const [firstLine] = nonZeroLines;
  if (firstLine) tx.queueWrite(insertLines({ batchKey: firstLine.id, lines: nonZeroLines }));
}

/** The key is the id of the first line, because a line of a payout has no customer. */
const insertLines = batchable(
  (rows: ReadonlyArray<{ batchKey: string; lines: readonly NewLine[] }>) =>
    sql`insert into merchant_lines ${lineColumns.valuesFromJson(rows.flatMap(({ lines }) => lines))}`,
);

/** Sums the lines of a merchant that are in no payout yet. Returns a negative balance if the merchant owes. */
export const findBalance = async (db: Queryable, merchantId: number) =>
  (await db.value<number>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from merchant_lines
    where merchant_id = ${merchantId} and payout_id is null`))!;

/** Locks the balance of a merchant for a return, and returns it. Until the commit, payout batches and other returns of this merchant wait. */
export async function lockBalance(tx: Tx, merchantId: number): Promise<number> {
  await shareAdvisory(tx, 'payoutBatches');
  await lockKey(tx, 'merchant returns', String(merchantId));
  return findBalance(tx, merchantId);
}

/** Lists merchants with a positive balance of due lines that are in no payout yet. */
export const listDueMerchantIds = (tx: Tx, until: Day) =>
  tx.values<number>(sql`
    select merchant_id from merchant_lines where payout_id is null and due_on <= ${until}
    group by merchant_id having sum(amount_cents) > 0 order by merchant_id`);

/**
 * Creates a payout for each of these merchants from all due lines that are in no payout yet, if their sum is positive. Uses one
 * statement, so the sum matches the settled lines even if sales are added concurrently. The slug and name of the merchant are those of
 * its latest line. The caller has locked `payoutBatches`.
 */
export const insertPayouts = (
  tx: Tx,
  payees: ReadonlyArray<{ merchantId: number; payoutId: string; lineId: string }>,
  until: Day,
  now: Date,
) =>
  tx.rows<PayoutRow>(sql`
    with payees as (
      select * from unnest(${pluck(payees, 'merchantId')}::bigint[], ${pluck(payees, 'payoutId')}::text[],
                           ${pluck(payees, 'lineId')}::text[]) as input (merchant_id, payout_id, line_id)
    ), due_lines as materialized (
      select line.* from merchant_lines line join payees payee using (merchant_id)
      where line.payout_id is null and line.due_on <= ${until}
    ), created_payouts as (
      insert into payouts (id, merchant_id, merchant_slug, merchant_name, amount_cents, due_on, created_at,
                           pix_key, holder_name, tax_id)
      select payee.payout_id, due_line.merchant_id, (array_agg(due_line.merchant_slug order by due_line.position desc))[1],
             (array_agg(due_line.merchant_name order by due_line.position desc))[1], sum(due_line.amount_cents),
             max(due_line.due_on), ${now}, account.pix_key, account.holder_name, account.tax_id
      from due_lines due_line join payees payee using (merchant_id) left join payout_accounts account using (merchant_id)
      group by payee.payout_id, due_line.merchant_id, account.merchant_id having sum(due_line.amount_cents) > 0
      returning *
    ), settled_lines as (
      update merchant_lines line set payout_id = payout.id
      from due_lines due_line join created_payouts payout using (merchant_id)
      where line.merchant_id = due_line.merchant_id and line.id = due_line.id
    ), payout_lines as (
      insert into merchant_lines (merchant_id, id, kind, amount_cents, due_on, merchant_slug, merchant_name,
                                  of_payout_id, payout_id, occurred_at)
      select payout.merchant_id, payee.line_id, 'payout', -payout.amount_cents, payout.due_on, payout.merchant_slug,
             payout.merchant_name, payout.id, payout.id, payout.created_at
      from created_payouts payout join payees payee using (merchant_id)
    )
    select * from created_payouts order by merchant_slug, id`);

/** A payout, with the account that the merchant had when it was created, or else the first account that was set after that. */
export type PayoutRow = TableRow<typeof payouts>;

export const lockPayout = (tx: Tx, id: string) =>
  tx.row<PayoutRow>(sql`select * from payouts where id = ${id} for update`);

type PayoutResult =
  | { status: 'paid'; reference: string; reason?: never }
  | { status: 'failed'; reason: string; reference?: never };

/** Saves the bank's result of a payout. The caller has locked the payout, and checked that it is pending. */
export async function markPayoutClosed(
  tx: Tx,
  id: string,
  { status, reference, reason }: PayoutResult,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update payouts set status = ${status}, closed_at = ${now}, reference = ${reference ?? null}, reason = ${reason ?? null}
    where id = ${id}`);
}

/** Finds a payout. With `merchantId`, finds it only if it belongs to this merchant. */
export async function findPayout(db: Queryable, id: string, merchantId?: number) {
  return db.row<PayoutRow>(
    merchantId === undefined
      ? sql`select * from payouts where id = ${id}`
      : sql`select * from payouts where id = ${id} and merchant_id = ${merchantId}`,
  );
}

/** Finds payouts by id or bank number, in lower case. The bank number is the end of the id: see `toBankNumber` in render.ts. */
export const listPayoutsByIdOrNumber = (db: Queryable, idsOrNumbers: readonly string[]) =>
  db.rows<PayoutRow>(
    sql`select * from payouts where id = any(${idsOrNumbers}) or right(id, 20) = any(${idsOrNumbers})`,
  );

export const payoutList = defineList({
  select: sql`select * from payouts`,
  filters: {
    status: filterBy(Type.Enum([...PAYOUT_STATUSES]), sql`status`),
    merchant: filterByMerchant(sql`merchant_id`),
    ...filterByDays('Created', sql`created_at`),
  },
  search: {
    description: 'Name of the merchant, the id of a payout, or the bank’s reference.',
    merchantColumn: sql`merchant_id`,
    idColumns: [sql`id`, sql`reference`],
  },
  orderBy: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }: PayoutRow) => [created_at, id],
  sumColumn: sql`amount_cents`,
});

/** `payout_id`: the payout that settled the line. `of_payout_id`: the payout that a line of kind `payout` or `payout_failed` is about. */
export type LineRow = Omit<NewLine, `merchant_${string}`> & { payout_id: string | null };

/** Lists the lines that a payout settled, in order, without the line of the payout itself. */
export async function listPayoutLines(
  db: Queryable,
  payoutId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; lines: LineRow[] }> {
  const [lines, countRow] = await Promise.all([
    db.rows<LineRow>(sql`
      select id, kind, amount_cents, due_on, checkout_hash, of_payout_id, payout_id, occurred_at from merchant_lines
      where payout_id = ${payoutId} and kind <> 'payout' order by occurred_at, position limit ${limit} offset ${offset}`),
    db.row<{ total: number }>(
      sql`select count(*) as total from merchant_lines where payout_id = ${payoutId} and kind <> 'payout'`,
    ),
  ]);
  return { total: countRow!.total, lines };
}

export type StatementRow = LineRow & { balance_after_cents: number };

/**
 * Returns a page of a merchant's statement, newest first, with the balance after each line. The balance includes all earlier lines, even
 * lines outside the period. It is the balance after the newest line of the page, minus the newer lines of the page.
 */
export async function listStatement(
  db: Queryable,
  merchantId: number,
  { from, before }: { from: Date; before: Date },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: StatementRow[] }> {
  const [rows, countRow] = await Promise.all([
    db.rows<StatementRow>(sql`
      with page as materialized (
        select id, position, kind, amount_cents, due_on, checkout_hash, of_payout_id, payout_id, occurred_at
        from merchant_lines
        where merchant_id = ${merchantId} and occurred_at >= ${from} and occurred_at < ${before}
        order by occurred_at desc, position desc limit ${limit} offset ${offset}
      ), newest as (
        select occurred_at, position from page order by occurred_at desc, position desc limit 1
      ), balance_after_newest as (
        select coalesce(sum(line.amount_cents), 0) as amount_cents from merchant_lines line, newest
        where line.merchant_id = ${merchantId} and (line.occurred_at, line.position) <= (newest.occurred_at, newest.position)
      )
      select page.id, page.kind, page.amount_cents, page.due_on, page.checkout_hash, page.of_payout_id, page.payout_id,
             page.occurred_at,
             (balance_after_newest.amount_cents - coalesce(sum(page.amount_cents) over (
                order by page.occurred_at desc, page.position desc rows between unbounded preceding and 1 preceding), 0)
             )::bigint as balance_after_cents
      from page, balance_after_newest order by page.occurred_at desc, page.position desc`),
    db.row<{ total: number }>(sql`
      select count(*) as total from merchant_lines
      where merchant_id = ${merchantId} and occurred_at >= ${from} and occurred_at < ${before}`),
  ]);
  return { total: countRow!.total, rows };
}

type OwedToMerchant = {
  merchant_slug: string;
  merchant_name: string;
  /** The amount that is in no payout yet: the line of a payout cancels the lines that it settles. */
  owed_cents: number;
  /** The part of `owed_cents` that is due. */
  due_cents: number;
  /** The amount in payouts that the bank has not confirmed yet. */
  in_payouts_cents: number;
};

/** Lists the balance of each merchant at the end of a day, the largest first. Omits zero balances. */
export const listOwedToMerchants = (db: Queryable, day: Day, dayEnd: Date) =>
  db.rows<OwedToMerchant>(sql`
    select latest.merchant_slug, latest.merchant_name, owed.owed_cents, owed.due_cents, owed.in_payouts_cents
    from (select merchant_id, sum(owed_cents)::bigint as owed_cents, sum(due_cents)::bigint as due_cents,
                 sum(in_payouts_cents)::bigint as in_payouts_cents
          from (select merchant_id, sum(amount_cents) as owed_cents,
                       coalesce(sum(amount_cents) filter (where due_on <= ${day}), 0) as due_cents, 0 as in_payouts_cents
                from merchant_lines where occurred_at < ${dayEnd} group by merchant_id
                union all
                select merchant_id, 0, 0, sum(amount_cents) from payouts
                where created_at < ${dayEnd} and (closed_at is null or closed_at >= ${dayEnd})
                group by merchant_id) as parts
          group by merchant_id
          having sum(owed_cents) <> 0 or sum(in_payouts_cents) <> 0) as owed
    cross join lateral (
      select merchant_slug, merchant_name from merchant_lines line
      where line.merchant_id = owed.merchant_id order by occurred_at desc, position desc limit 1) as latest
    order by owed.owed_cents + owed.in_payouts_cents desc, latest.merchant_slug`);

const sumReturnsByDay = (db: Queryable, merchantId: number, { since, before }: Period) =>
  db.rows<{ day: string; returned_cents: number }>(sql`
    select (occurred_at at time zone 'America/Sao_Paulo')::date as day, -sum(amount_cents)::bigint as returned_cents
    from merchant_lines
    where merchant_id = ${merchantId} and occurred_at >= ${since} and occurred_at < ${before} and kind = 'return'
    group by day order by day`);

/**
 * Finds the next payment to a merchant: the oldest payout that the bank has not confirmed, or else the amount that a batch would pay on
 * the first day, from today on, with a positive due balance: the running sum of the lines by due day.
 */
export const findNextPayout = (db: Queryable, merchantId: number, today: Day) =>
  db.row<{ amount_cents: number; due_on: string }>(sql`
    select amount_cents, due_on from (
      (select 1 as rank, amount_cents, due_on from payouts
       where merchant_id = ${merchantId} and status = 'pending' order by created_at, id limit 1)
      union all
      (select 2, due_cents, due_on from (
         select due_on, sum(sum(amount_cents)) over (order by due_on)::bigint as due_cents
         from (select greatest(due_on, ${today}::date) as due_on, amount_cents from merchant_lines
               where merchant_id = ${merchantId} and payout_id is null) as lines
         group by due_on) as due
       where due_cents > 0 order by due_on limit 1)
    ) as next order by rank limit 1`);

export async function summarizeDays(db: Queryable, merchantId: number, { from, to }: { from: Day; to: Day }) {
  const period = { since: new Date(startOfDay(from)), before: new Date(endOfDay(to)) };
  const [salesRows, returnRows] = await Promise.all([
    sumSalesByDay(db, merchantId, period),
    sumReturnsByDay(db, merchantId, period),
  ]);
  const salesByDay = new Map(salesRows.map((row) => [row.day, row]));
  const returnedCentsByDay = new Map(returnRows.map((row) => [row.day, row.returned_cents]));
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => {
    const day = addDays(from, i);
    const { sales = 0, sold_cents = 0 } = salesByDay.get(day) ?? {};
    return {
      day,
      sales,
      sold: centsToReais(sold_cents),
      returned: centsToReais(returnedCentsByDay.get(day) ?? 0),
    };
  });
}
