import { addDays, type Day, daysBetween, endOfDay, startOfDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import { sumSalesByDay } from '#credit';
import type { Queryable } from '#platform/database/db.ts';
import { sumReturnsByDay } from './summary-store.ts';

/** Sales and returns of each day of a period, including days without any. */
export async function summarizeDays(db: Queryable, merchantId: number, { from, to }: { from: Day; to: Day }) {
  const period = { since: new Date(startOfDay(from)), before: new Date(endOfDay(to)) };
  const [salesByDay, returnsByDay] = await Promise.all([
    sumSalesByDay(db, merchantId, period),
    sumReturnsByDay(db, merchantId, period),
  ]);
  const salesOn = new Map(salesByDay.map((row) => [row.day, row]));
  const returnedOn = new Map(returnsByDay.map((row) => [row.day, row.returned_cents]));
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => {
    const day = addDays(from, i);
    const { sales = 0, sold_cents = 0 } = salesOn.get(day) ?? {};
    return {
      day,
      sales,
      sold: centsToReais(sold_cents),
      returned: centsToReais(returnedOn.get(day) ?? 0),
    };
  });
}
