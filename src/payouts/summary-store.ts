import { addDays, type Day, daysBetween, endOfDay, startOfDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { type Period, sumSalesByDay } from '#credit';
import { type Queryable, sql } from '#platform/database/db.ts';

/** Sums a merchant's returns by day, in order. */
export const sumReturnsByDay = (db: Queryable, merchantId: number, { since, before }: Period) =>
  db.rows<{ day: string; returned_cents: number }>(sql`
    select (occurred_at at time zone 'America/Sao_Paulo')::date as day, -sum(amount_cents)::bigint as returned_cents
    from merchant_lines
    where merchant_id = ${merchantId} and occurred_at >= ${since} and occurred_at < ${before} and kind = 'return'
    group by 1 order by 1`);

/**
 * Finds the next payment to a merchant: the oldest payout that the bank has not confirmed, or else the amount that a batch would pay on
 * the first day, from today on, with a positive due balance.
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

/** Summarizes the sales and returns of each day of a period, including days without sales and returns. */
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
