import { addDays, type Day, daysBetween, endOfDay, startOfDay } from '#core/day.ts';
import { reaisOf } from '#core/money.ts';
import { sumSalesByDay } from '#credit';
import type { Queryable } from '#platform/database/db.ts';
import { sumReturnsByDay } from './summary-store.ts';

/** What was sold and returned on each day of a period, also on those without a sale. */
export async function listDays(db: Queryable, merchantId: number, { from, to }: { from: Day; to: Day }) {
  const period = { since: new Date(startOfDay(from)), before: new Date(endOfDay(to)) };
  const [sold, returned] = await Promise.all([
    sumSalesByDay(db, merchantId, period),
    sumReturnsByDay(db, merchantId, period),
  ]);
  const salesOn = new Map(sold.map((row) => [row.day, row]));
  const returnedOn = new Map(returned.map((row) => [row.day, row.returned_cents]));
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => {
    const day = addDays(from, i);
    const { sales = 0, sold_cents = 0 } = salesOn.get(day) ?? {};
    return {
      day,
      sales,
      sold: reaisOf(sold_cents),
      returned: reaisOf(returnedOn.get(day) ?? 0),
    };
  });
}
