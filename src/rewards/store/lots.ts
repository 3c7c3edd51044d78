import type { LotTake } from '#core/finance/cashback.ts';
import type { Day } from '#core/values/day.ts';
import { batchable } from '#platform/database/batchable.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql } from '#platform/database/db.ts';

export type LotRow = {
  position: number;
  /** The id of the credit. */
  id: string;
  checkout_hash: string | null;
  occurred_at: Date;
  installment_id: string | null;
  expires_on: string;
  amount_cents: number;
  remaining_cents: number;
  expired_cents: number;
};

/** Lots with a remaining amount, the first to expire first. */
export async function listLots(tx: CustomerTx, customerId: string): Promise<LotRow[]> {
  return tx.rows(sql`
    select * from cashback_credits
    where customer_id = ${customerId} and remaining_cents > 0
    order by expires_on, position`);
}

/** Lots that expired before today and have no line yet, in the order of expiry. */
export async function listExpiredLots(tx: CustomerTx, customerId: string, today: Day): Promise<LotRow[]> {
  return tx.rows(sql`
    select * from cashback_credits
    where customer_id = ${customerId} and remaining_cents > 0 and expires_on < ${today}
    order by expires_on, position`);
}

/** Finds the lot of this line of the statement, unless it was reversed. */
export async function findLot(
  tx: CustomerTx,
  customerId: string,
  position: number,
): Promise<LotRow | undefined> {
  return tx.row(sql`
    select * from cashback_credits
    where customer_id = ${customerId} and position = ${position} and reversed_at is null`);
}

/** Finds the amount that an installment has earned, and the position of the credit. */
export async function findEarned(
  tx: CustomerTx,
  customerId: string,
  installmentId: string,
): Promise<{ position: number; amount_cents: number } | undefined> {
  return tx.row(findAllEarned({ customerId, installmentId }));
}

const findAllEarned = batchable(
  (rows: ReadonlyArray<{ customerId: string; installmentId: string }>, owner) => sql`
    select l.customer_id, l.position, l.amount_cents
    from unnest(${rows.map(({ customerId }) => customerId)}::text[],
                ${rows.map(({ installmentId }) => installmentId)}::text[]) as k (customer_id, installment_id)
    join cashback_lots l on l.customer_id = ${owner} and l.installment_id = k.installment_id
    where l.reversed_at is null`,
);

export async function markTaken(
  tx: CustomerTx,
  customerId: string,
  takes: readonly LotTake[],
): Promise<void> {
  await tx.run(sql`
    update cashback_lots l set remaining_cents = l.remaining_cents - t.amount_cents
    from unnest(${takes.map(({ position }) => position)}::bigint[], ${takes.map(({ amount }) => amount)}::bigint[])
         as t (position, amount_cents)
    where l.customer_id = ${customerId} and l.position = t.position`);
}

/** Expires the remaining amount of a lot. */
export async function markExpired(tx: CustomerTx, customerId: string, position: number): Promise<void> {
  await tx.run(sql`
    update cashback_lots set expired_cents = remaining_cents, remaining_cents = 0
    where customer_id = ${customerId} and position = ${position}`);
}

export async function markReversed(
  tx: CustomerTx,
  customerId: string,
  position: number,
  at: Date,
): Promise<void> {
  await tx.run(sql`
    update cashback_lots set reversed_at = ${at} where customer_id = ${customerId} and position = ${position}`);
}

/** Ids of customers with expired lots that have no line yet, in order, after a cursor. */
export async function listCustomersToExpire(
  db: Queryable,
  today: Day,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.rows<{ customer_id: string }>(sql`
    select distinct customer_id from cashback_lots
    where remaining_cents > 0 and expires_on < ${today} and customer_id > ${afterId}
    order by customer_id limit ${limit}`);
  return rows.map(({ customer_id }) => customer_id);
}

/** Customers whose cashback expires after a day, and the expiring amounts, in order of id, after a cursor. Uses an index. */
export async function listExpiringCashback(
  db: Queryable,
  expiresOn: Day,
  afterId: string,
  limit: number,
): Promise<Array<{ customer_id: string; amount_cents: number }>> {
  return db.rows(sql`
    select customer_id, sum(remaining_cents)::bigint as amount_cents from cashback_lots
    where remaining_cents > 0 and expires_on = ${expiresOn} and customer_id > ${afterId}
    group by customer_id order by customer_id limit ${limit}`);
}
