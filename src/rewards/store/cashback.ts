import type { LotDeduction } from '#core/finance/cashback.ts';
import type { Day } from '#core/values/day.ts';
import { selectPostingByReference } from '#ledger';
import type { TableRow } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { batchable, pluck, type Queryable, sql } from '#platform/database/db.ts';
import type { cashback_lots, cashback_movements } from '../generated/tables.ts';

export const CASHBACK_KINDS = ['earned', 'referral', 'redeemed', 'expired', 'reversed', 'adjusted'] as const;
export type CashbackKind = (typeof CASHBACK_KINDS)[number];

/** A movement: a line of the statement. When it is inserted, a trigger computes its position and balance from the previous line. */
type NewMovement = {
  readonly customerId: string;
  readonly id: string;
  /** The reference of the posting, by which the insert finds the id of the posting. */
  readonly reference: string;
  readonly kind: CashbackKind;
  /** Positive for a credit. */
  readonly amountCents: number;
  readonly description: string;
  readonly checkoutHash: string | null;
  readonly installmentId: string | null;
  readonly occurredAt: Date;
};

/** A stored movement. `of_position` is the position of the lot that a debit expires or reverses. */
export type MovementRow = TableRow<typeof cashback_movements>;

export type LastLine = { position: number; balance_cents: number };

/** Finds the last line, with zeros if there is none, and whether lots that expired before today have no expiry line yet. The caller has locked the customer. */
export async function findLastLine(tx: CustomerTx, customerId: string, today: Day) {
  return (await tx.row<LastLine & { has_expired_lots: boolean }>(findLastLines({ customerId, today })))!;
}

const findLastLines = batchable(
  (rows: ReadonlyArray<{ customerId: string; today: Day }>, customerSql) => sql`
    select input.customer_id, coalesce(movement.position, 0) as position, coalesce(movement.balance_after_cents, 0) as balance_cents,
           exists (select from cashback_lots lot
                   where lot.customer_id = ${customerSql} and lot.remaining_cents > 0 and lot.expires_on < input.today) as has_expired_lots
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'today')}::date[]) as input (customer_id, today)
    left join lateral (
      select position, balance_after_cents from cashback_movements
      where customer_id = ${customerSql} order by position desc limit 1) as movement on true`,
);

/**
 * Queues the inserts of a credit's line and of its lot. A negative balance reduces the remaining amount of the lot.
 * `earningInstallmentId` is the installment whose payment earned the credit. `installmentId` can also be an installment on which the
 * cashback was spent before. The caller has locked the customer, as for all changes of this store.
 */
export function insertCredit(
  tx: CustomerTx,
  movement: NewMovement,
  { expiresOn, earningInstallmentId }: { expiresOn: Day; earningInstallmentId: string | null },
): void {
  tx.queueWrite(insertMovements({ ...movement, expiresOn, lotPosition: null }));
  // Copies position and balance from the line that was just inserted.
  tx.queueWrite(insertLots({ ...movement, earningInstallmentId }));
}

/** Queues the insert of a debit's line. `lotPosition` is the lot that it expires or reverses; null if it belongs to no lot. */
export function insertDebit(tx: CustomerTx, movement: NewMovement, lotPosition: number | null): void {
  tx.queueWrite(insertMovements({ ...movement, expiresOn: null, lotPosition }));
}

const insertMovements = batchable(
  (
    rows: ReadonlyArray<NewMovement & { expiresOn: Day | null; lotPosition: number | null }>,
    customerSql,
  ) => sql`
    insert into cashback_movements (customer_id, id, posting_id, kind, amount_cents, description, checkout_hash,
                                    installment_id, occurred_at, expires_on, of_position)
    select posting.customer_id, input.id, posting.posting_id, input.kind, input.amount_cents, input.description, input.checkout_hash,
           input.installment_id, input.occurred_at, input.expires_on, input.of_position
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'reference')}::text[], ${pluck(rows, 'id')}::text[],
                ${pluck(rows, 'kind')}::text[], ${pluck(rows, 'amountCents')}::bigint[],
                ${pluck(rows, 'description')}::text[], ${pluck(rows, 'checkoutHash')}::text[],
                ${pluck(rows, 'installmentId')}::text[], ${pluck(rows, 'occurredAt')}::timestamptz[],
                ${pluck(rows, 'expiresOn')}::date[], ${pluck(rows, 'lotPosition')}::bigint[])
         as input (customer_id, reference, id, kind, amount_cents, description, checkout_hash, installment_id, occurred_at,
               expires_on, of_position)
    cross join lateral ${selectPostingByReference(customerSql, sql`input.reference`)} as posting`,
);

const insertLots = batchable(
  (rows: ReadonlyArray<NewMovement & { earningInstallmentId: string | null }>, customerSql) => sql`
    insert into cashback_lots (customer_id, position, installment_id, expires_on, amount_cents, remaining_cents)
    select movement.customer_id, movement.position, input.installment_id, movement.expires_on, movement.amount_cents,
           least(movement.amount_cents, greatest(0, movement.balance_after_cents))
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[],
                ${pluck(rows, 'earningInstallmentId')}::text[]) as input (customer_id, id, installment_id)
    join cashback_movements movement on movement.customer_id = ${customerSql} and movement.id = input.id`,
);

/** A row of the view `cashback_credits`: a lot and the line of its credit. */
export type LotRow = Omit<TableRow<typeof cashback_lots>, 'customer_id' | 'reversed_at'> &
  Pick<MovementRow, 'id' | 'checkout_hash' | 'occurred_at'>;

/** Lists lots with a remaining amount, in the order of expiry. */
export const listLots = (tx: CustomerTx, customerId: string) =>
  tx.rows<LotRow>(sql`
    select * from cashback_credits
    where customer_id = ${customerId} and remaining_cents > 0
    order by expires_on, position`);

/** Lists lots that expired before today and have no expiry line yet, in the order of expiry. */
export const listExpiredLots = (tx: CustomerTx, customerId: string, today: Day) =>
  tx.rows<LotRow>(sql`
    select * from cashback_credits
    where customer_id = ${customerId} and remaining_cents > 0 and expires_on < ${today}
    order by expires_on, position`);

/** Finds the lot of this line of the statement, unless it was reversed. */
export const findLot = (tx: CustomerTx, customerId: string, position: number) =>
  tx.row<LotRow>(sql`
    select * from cashback_credits
    where customer_id = ${customerId} and position = ${position} and reversed_at is null`);

/** The credit that a settled installment has earned, with its position in the statement. */
export type EarnedCredit = { position: number; amount_cents: number };

export const findEarnedCredit = (tx: CustomerTx, customerId: string, installmentId: string) =>
  tx.row<EarnedCredit>(findEarnedCredits({ customerId, installmentId }));

const findEarnedCredits = batchable(
  (rows: ReadonlyArray<{ customerId: string; installmentId: string }>, customerSql) => sql`
    select lot.customer_id, lot.position, lot.amount_cents
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'installmentId')}::text[])
         as input (customer_id, installment_id)
    join cashback_lots lot on lot.customer_id = ${customerSql} and lot.installment_id = input.installment_id
    where lot.reversed_at is null`,
);

/** Deducts amounts from the remaining amounts of lots. The caller has locked the customer since it read these remaining amounts. */
export const deductFromLots = (tx: CustomerTx, customerId: string, deductions: readonly LotDeduction[]) =>
  tx.run(sql`
    update cashback_lots lot set remaining_cents = lot.remaining_cents - deduction.amount_cents
    from unnest(${pluck(deductions, 'position')}::bigint[], ${pluck(deductions, 'amount')}::bigint[]) as deduction (position, amount_cents)
    where lot.customer_id = ${customerId} and lot.position = deduction.position`);

/** Saves that the remaining amount of a lot has expired. */
export const saveLotExpiry = (tx: CustomerTx, customerId: string, position: number) =>
  tx.run(sql`
    update cashback_lots set expired_cents = remaining_cents, remaining_cents = 0
    where customer_id = ${customerId} and position = ${position}`);

/** Saves when the credit of a lot was reversed. The debit has already been deducted from the remaining amount. */
export const saveLotReversal = (tx: CustomerTx, customerId: string, position: number, reversedAt: Date) =>
  tx.run(sql`
    update cashback_lots set reversed_at = ${reversedAt} where customer_id = ${customerId} and position = ${position}`);

/** Lists the ids of customers with expired lots that have no expiry line yet, in the order of ids, after `afterId`. */
export const listCustomerIdsWithUnwrittenExpiries = (
  db: Queryable,
  today: Day,
  afterId: string,
  limit: number,
) =>
  db.values<string>(sql`
    select distinct customer_id from cashback_lots
    where remaining_cents > 0 and expires_on < ${today} and customer_id > ${afterId}
    order by customer_id limit ${limit}`);

/** Lists customers with cashback whose last day is `expiresOn`, and the expiring amounts, in order of id, after `afterId`. Uses an index. */
export const listExpiringCashback = (db: Queryable, expiresOn: Day, afterId: string, limit: number) =>
  db.rows<{ customer_id: string; amount_cents: number }>(sql`
    select customer_id, sum(remaining_cents)::bigint as amount_cents from cashback_lots
    where remaining_cents > 0 and expires_on = ${expiresOn} and customer_id > ${afterId}
    group by customer_id order by customer_id limit ${limit}`);
