import type { DebtEvent } from '#core/finance/debt.ts';
import type { Day } from '#core/values/day.ts';
import type { Cents } from '#core/values/money.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { batchable, pluck, type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import { defineService } from '#platform/service.ts';
import { receipts, returns } from '../generated/tables.ts';
import type { InstallmentFigures } from './receipt.ts';
import { type TermsColumns, termsColumns } from './terms.ts';

/** SQL fragment: the debt of this customer on all purchases, without penalties. `late_after` is infinite for settled purchases. */
export const selectCreditUsed = (customerId: Sql): Sql => sql`(
  select coalesce(sum(outstanding_cents), 0)::bigint from checkouts
  where customer_id = ${customerId} and late_after < 'infinity')`;

/** SQL fragment: whether the customer has an overdue purchase. */
export const selectIsOverdue = (customerId: Sql, today: Day | Sql): Sql =>
  sql`exists (select from checkouts where customer_id = ${customerId} and late_after < ${today})`;

/** SQL fragment: the amount by which the customer's cashback balance is negative, or 0. The rewards module provides it. */
export type CashbackDebt = (customerId: Sql) => Sql;
export const cashbackDebtService = defineService<CashbackDebt>('cashback debt');

/** Finds the customer's cashback balance, in reais. The rewards module provides this function. */
export type FindCashbackBalance = (
  db: Queryable,
  customerId: string,
  today: Day,
) => Promise<{ available: number; pending: number }>;
export const cashbackBalanceService = defineService<FindCashbackBalance>('cashback balance');

type Standing = { used_cents: number; is_overdue: boolean; cashback_owed_cents: number };

/**
 * Finds the debts that decide whether a customer may buy. The caller has locked the customer with an earlier statement: a statement that
 * itself waits for the lock misses the writes of the previous holder. All callers pass the same `selectDebt`.
 */
export async function findStanding(tx: Tx, customerId: string, today: Day, selectDebt: CashbackDebt) {
  const row = await tx.row<Standing>(selectStandings({ customerId, today, selectDebt }));
  return row!;
}

const selectStandings = batchable(
  (rows: ReadonlyArray<{ customerId: string; today: Day; selectDebt: CashbackDebt }>, customerSql) => sql`
    select ${customerSql} as customer_id, ${selectCreditUsed(customerSql)} as used_cents,
           ${selectIsOverdue(customerSql, sql`input.today`)} as is_overdue,
           ${rows[0]!.selectDebt(customerSql)} as cashback_owed_cents
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'today')}::date[]) as input (customer_id, today)`,
);

/**
 * SQL fragment: the cashback that the customer's installments will earn if they are paid on time, each rounded down. Late installments
 * and amounts paid with cashback earn none.
 */
export const selectPendingCashback = (customerId: Sql, today: Day): Sql => sql`(
  select coalesce(sum((i.amount_cents - i.returned_cents - i.redeemed_cents) * c.cashback_ppm / 1000000), 0)::bigint
  from checkouts c join installments i on i.customer_id = ${customerId} and i.checkout_hash = c.hash
  where c.customer_id = ${customerId} and c.late_after < 'infinity'
    and i.outstanding_cents > 0 and i.effective_due_on >= ${today})`;

/** Whether the customer has ever made a purchase. */
export const hasPurchases = async (tx: Tx, customerId: string) =>
  (await tx.value<boolean>(sql`select exists (select from checkouts where customer_id = ${customerId})`))!;

export async function countCheckouts(db: Queryable): Promise<number> {
  return (await db.row<{ count: number }>(sql`select count(*) from checkouts`))!.count;
}

/**
 * Finds when each of these customers had paid at least `minCents` of installments, excluding penalties, fees and cashback. Omits
 * customers who have paid less. Ignores money that was charged back or withdrawn at a return. The date of a payment is that of its
 * arrival, even if it was split into parts later.
 */
export async function listDatesMinimumPaid(
  tx: Tx,
  thresholds: ReadonlyArray<{ readonly customerId: string; readonly minCents: number }>,
): Promise<Map<string, Date>> {
  const ids = thresholds.map(({ customerId }) => customerId);
  const rows = await tx.rows<{ customer_id: string; reached_at: Date }>(sql`
    select input.customer_id, min(paid.received_at) as reached_at
    from unnest(${ids}::text[], ${pluck(thresholds, 'minCents')}::bigint[]) as input (customer_id, min_cents)
    join (select customer_id, received_at, paid_cents,
                 sum(paid_cents) over (partition by customer_id order by received_at, reference, part) as total_cents
          from (select customer_id, reference, part,
                       min(received_at) over (partition by customer_id, reference) as received_at,
                       case when reversed_at is null and source <> 'cashback'
                            then principal_cents + elsewhere_principal_cents else 0 end as paid_cents
                from receipts where customer_id = any(${ids})) as parts) as paid
      on paid.customer_id = input.customer_id and paid.paid_cents > 0 and paid.total_cents >= input.min_cents
    group by input.customer_id`);
  return new Map(rows.map(({ customer_id, reached_at }) => [customer_id, reached_at]));
}

/** Like `listDatesMinimumPaid`, for one customer. Returns null if less was paid. */
export async function findDateMinimumPaid(
  tx: Tx,
  customerId: string,
  minCents: number,
): Promise<Date | null> {
  return (await listDatesMinimumPaid(tx, [{ customerId, minCents }])).get(customerId) ?? null;
}

/** Finds the merchant for whose purchases the customer has paid the most. Counts the same payments as `listDatesMinimumPaid`. */
export async function findMostPaidMerchant(tx: Tx, customerId: string): Promise<number | undefined> {
  const row = await tx.row<{ merchant_id: number }>(sql`
    select c.merchant_id
    from receipts r join checkouts c on c.customer_id = ${customerId} and c.hash = r.checkout_hash
    where r.customer_id = ${customerId} and r.reversed_at is null and r.source <> 'cashback'
    group by c.merchant_id
    order by sum(r.principal_cents + r.elsewhere_principal_cents) desc, c.merchant_id limit 1`);
  return row?.merchant_id;
}

/**
 * A payment that is moved to another installment gets a new range of part numbers there, because it can be split after a
 * chargeback or return.
 */
const PART_NUMBER_STRIDE = 100;

/** Returns the part number for a payment that is moved. Never returns 0: part 0 is the payment as it arrived. */
export async function findNextPaymentPart(tx: CustomerTx, customerId: string, reference: string) {
  const row = await tx.row<{ part: number }>(sql`
    select coalesce(max(part), 0) as part from receipts
    where customer_id = ${customerId} and reference = ${reference}`);
  return (Math.floor(row!.part / PART_NUMBER_STRIDE) + 1) * PART_NUMBER_STRIDE;
}

const receiptDeclarations = {
  ...omit(receipts, 'position'),
  /** The centavos that returns withdrew from the receipt, by return id. */
  left_at: column.jsonb<Record<string, number>>(),
};
const receiptColumns = columns(receiptDeclarations);

/** The columns of a stored receipt that a reallocation changes. */
const recomputedReceiptColumns = columns(
  omit(
    receiptDeclarations,
    'customer_id',
    'checkout_hash',
    'reference',
    'part',
    'source',
    'installment_id',
    'amount_cents',
    'purpose',
    'priced_on',
    'waives_penalties',
    'received_at',
    'recorded_at',
  ),
);

/** The columns of a `ReceiptRow`. Its timestamps are selected as milliseconds in addition. */
const receiptRowColumns = columns(
  omit(
    receiptDeclarations,
    'customer_id',
    'checkout_hash',
    'received_at',
    'recorded_at',
    'reversed_at',
    'left_cents',
  ),
);

export type ReceiptRow = RowOf<typeof receiptRowColumns> & {
  received_at_ms: number;
  reversed_at_ms: number | null;
};

/** SQL fragment: a receipt `r` as a JSON object of the type `ReceiptRow`. */
const receiptObject = sql`json_build_object(
  ${receiptRowColumns.jsonPairs('r')},
  'received_at_ms', (extract(epoch from r.received_at) * 1000)::bigint,
  'reversed_at_ms', (extract(epoch from r.reversed_at) * 1000)::bigint)`;

const installmentColumns = columns({
  id: column.text(),
  number: column.smallint(),
  amount_cents: column.bigint(),
  agreed_due_on: column.date(),
  due_on: column.date(),
  extensions: column.smallint(),
  effective_due_on: column.date(),
  returned_cents: column.bigint(),
  redeemed_cents: column.bigint(),
  outstanding_cents: column.bigint(),
});

export type InstallmentRow = TermsColumns &
  RowOf<typeof installmentColumns> & {
    checkout_hash: string;
    paid_at: Date | null;
    /** When all installments of the purchase were paid; null while one is not. */
    settled_at: Date | null;
    merchant_id: number;
    merchant_name: string;
    installments_total: number;
  };

export type InstallmentWithReceipts = InstallmentRow & {
  installments_paid: number;
  /** After a return, a receipt can pay other installments of the purchase too. */
  has_returns: boolean;
  is_written_off: boolean;
  history: DebtEvent[] | null;
  receipts: ReceiptRow[] | null;
};

/** Finds an installment with its terms and all its receipts, in the order of arrival. */
export const findInstallment = (db: Queryable, customerId: string, id: string) =>
  db.row<InstallmentWithReceipts>(findInstallments({ customerId, id }));

const findInstallments = batchable(
  (rows: ReadonlyArray<{ customerId: string; id: string }>, customerSql) => sql`
    select i.customer_id, ${installmentColumns.selectFrom('i')}, i.checkout_hash, i.paid_at, i.history, c.settled_at,
           c.returned_cents > 0 as has_returns, c.written_off_at is not null as is_written_off,
           c.merchant_id, c.merchant_name, c.installments_total, c.installments_paid, ${termsColumns.selectFrom('c')},
           (select json_agg(${receiptObject} order by r.received_at, r.position)
            from receipts r
            where r.customer_id = ${customerSql} and r.checkout_hash = i.checkout_hash and r.installment_id = i.id
           ) as receipts
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[]) as input (customer_id, id)
    join installments i on i.customer_id = ${customerSql} and i.id = input.id
    join checkouts c on c.customer_id = ${customerSql} and c.hash = i.checkout_hash`,
);

export type PurchaseRow = TermsColumns & {
  hash: string;
  merchant_id: number;
  merchant_slug: string;
  merchant_name: string;
  purchased_at: Date;
  financed_cents: number;
  installments_total: number;
  settled_at: Date | null;
  written_off_at: Date | null;
  installments: Array<RowOf<typeof installmentColumns> & { paid_at: string | null }>;
  receipts: readonly ReceiptRow[] | null;
  returns: readonly ReturnFacts[] | null;
};

export type ReturnFacts = { id: string; returned_at_ms: number; amount_cents: number };

/** Finds a purchase with all facts from which a reallocation recomputes it. */
export const findPurchase = (db: Queryable, customerId: string, hash: string) =>
  db.row<PurchaseRow>(sql`
    select c.hash, c.merchant_id, c.merchant_slug, c.merchant_name, c.purchased_at, c.financed_cents,
           c.installments_total, c.settled_at, c.written_off_at, ${termsColumns.selectFrom('c')},
           (select json_agg(json_build_object(${installmentColumns.jsonPairs('i')}, 'paid_at', i.paid_at) order by i.number)
            from installments i where i.customer_id = ${customerId} and i.checkout_hash = c.hash) as installments,
           (select json_agg(${receiptObject} order by r.received_at, r.position)
            from receipts r where r.customer_id = ${customerId} and r.checkout_hash = c.hash) as receipts,
           (select json_agg(json_build_object(
                     'id', t.id, 'returned_at_ms', (extract(epoch from t.returned_at) * 1000)::bigint,
                     'amount_cents', t.amount_cents) order by t.position)
            from returns t where t.customer_id = ${customerId} and t.checkout_hash = c.hash) as returns
    from checkouts c where c.customer_id = ${customerId} and c.hash = ${hash}`);

const returnColumns = columns(omit(returns, 'position'));

/** Sums the returned amounts of a purchase. The caller has locked the customer. */
export const sumReturned = async (tx: CustomerTx, customerId: string, hash: string) =>
  (await tx.value<number>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from returns
    where customer_id = ${customerId} and checkout_hash = ${hash}`))!;

export const listReturns = (db: Queryable, customerId: string, hash: string) =>
  db.rows<RowOf<typeof returnColumns>>(sql`
    select ${returnColumns.selectFrom('t')} from returns t
    where t.customer_id = ${customerId} and t.checkout_hash = ${hash} order by t.position`);

export const insertReturn = (tx: CustomerTx, row: RowOf<typeof returnColumns>) =>
  tx.run(sql`insert into returns ${returnColumns.values(row)}`);

type WriteOffKey = { customerId: string; checkoutHash: string };

/** Records the write-off and sets it on the purchase. */
export async function insertWriteOff(
  tx: CustomerTx,
  writeOff: WriteOffKey & { id: string; reason: string; now: Date; staffUserId: string },
): Promise<void> {
  const { customerId, checkoutHash, now } = writeOff;
  await tx.run(sql`
    with inserted_write_off as (
      insert into write_offs (customer_id, checkout_hash, id, reason, written_off_at, written_off_by)
      values (${customerId}, ${checkoutHash}, ${writeOff.id}, ${writeOff.reason}, ${now}, ${writeOff.staffUserId}))
    update checkouts set written_off_at = ${now} where customer_id = ${customerId} and hash = ${checkoutHash}`);
}

/** Records that the write-off was undone, and removes it from the purchase. Returns the id of the write-off. */
export const markWriteOffReinstated = async (
  tx: CustomerTx,
  { customerId, checkoutHash, ...reinstatement }: WriteOffKey & { now: Date; staffUserId: string },
) =>
  (await tx.value<string>(sql`
    with reinstated_checkout as (
      update checkouts set written_off_at = null where customer_id = ${customerId} and hash = ${checkoutHash})
    update write_offs set reinstated_at = ${reinstatement.now}, reinstated_by = ${reinstatement.staffUserId}
    where customer_id = ${customerId} and checkout_hash = ${checkoutHash} and reinstated_at is null returning id`))!;

/** A receipt as `writeAllocation` stores it. */
export type StoredReceipt = Omit<
  RowOf<typeof receiptColumns>,
  'customer_id' | 'checkout_hash' | 'recorded_at'
>;

/** The fields of an installment that `writeAllocation` stores. */
export type StoredInstallment = InstallmentFigures & {
  readonly id: string;
  readonly redeemed_cents: Cents;
  /** Stored only for a purchase with returns. */
  readonly history: readonly DebtEvent[] | null;
};

/**
 * Queues the writes of one reallocation: the given receipts, the figures of the given installments, and the figures of the purchase. They
 * are sent with the next awaited statement or with the commit.
 */
export function writeAllocation(tx: CustomerTx, allocation: StoredAllocation): void {
  if (allocation.receipts.length > 0) tx.queueWrite(buildReceiptsUpsert(allocation));
  tx.queueWrite(buildInstallmentsUpdate(allocation));
  tx.queueWrite(buildCheckoutsUpdate(allocation));
}

type StoredAllocation = {
  readonly customerId: string;
  readonly checkoutHash: string;
  readonly returnedAt: Date | null;
  readonly receipts: readonly StoredReceipt[];
  readonly installments: readonly StoredInstallment[];
  readonly now: Date;
};

const buildReceiptsUpsert = batchable((rows: readonly StoredAllocation[], customerSql) => {
  const receiptRows = rows.flatMap(
    ({ customerId: customer_id, checkoutHash: checkout_hash, now, receipts }) =>
      receipts.map((receipt) => ({ ...receipt, customer_id, checkout_hash, recorded_at: now })),
  );
  return sql`
    insert into receipts ${receiptColumns.valuesFromJson(receiptRows, customerSql)}
    on conflict (customer_id, reference, part) do update set ${recomputedReceiptColumns.excluded}`;
});

const buildInstallmentsUpdate = batchable((rows: readonly StoredAllocation[], customerSql) => {
  const installmentRows = rows.flatMap(({ customerId, installments }) =>
    installments.map((installment) => ({
      ...installment,
      customerId,
      paid_at: installment.paid_at === null ? null : new Date(installment.paid_at),
      history: installment.history && JSON.stringify(installment.history),
    })),
  );
  return sql`
    update installments i set
      due_on = input.due_on, effective_due_on = input.effective_due_on, paid_cents = input.paid, discount_cents = input.discount,
      returned_cents = input.returned, outstanding_cents = input.outstanding, penalty_cents = input.penalty,
      redeemed_cents = input.redeemed, extensions = input.extensions, paid_at = input.paid_at, history = input.history
    from unnest(${pluck(installmentRows, 'customerId')}::text[], ${pluck(installmentRows, 'id')}::text[], ${pluck(installmentRows, 'due_on')}::date[],
                ${pluck(installmentRows, 'effective_due_on')}::date[], ${pluck(installmentRows, 'paid_cents')}::bigint[],
                ${pluck(installmentRows, 'discount_cents')}::bigint[], ${pluck(installmentRows, 'returned_cents')}::bigint[],
                ${pluck(installmentRows, 'outstanding_cents')}::bigint[], ${pluck(installmentRows, 'penalty_cents')}::bigint[],
                ${pluck(installmentRows, 'redeemed_cents')}::bigint[], ${pluck(installmentRows, 'extensions')}::smallint[],
                ${pluck(installmentRows, 'paid_at')}::timestamptz[], ${pluck(installmentRows, 'history')}::jsonb[])
         as input (customer_id, id, due_on, effective_due_on, paid, discount, returned, outstanding, penalty, redeemed,
               extensions, paid_at, history)
    where i.customer_id = ${customerSql} and i.id = input.id`;
});

const buildCheckoutsUpdate = batchable(
  (rows: readonly StoredAllocation[], customerSql) => sql`
    update checkouts c set
      paid_cents = figures.paid_cents, returned_cents = figures.returned_cents, returned_at = input.returned_at,
      outstanding_cents = figures.outstanding_cents, penalty_cents = figures.penalty_cents,
      installments_paid = figures.installments_paid, next_due_on = figures.next_due_on,
      late_after = coalesce(figures.late_after, 'infinity'), settled_at = case when figures.late_after is null then figures.last_paid_at end
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'checkoutHash')}::text[],
                ${pluck(rows, 'returnedAt')}::timestamptz[]) as input (customer_id, hash, returned_at)
    cross join lateral (
      select sum(paid_cents) as paid_cents, sum(returned_cents) as returned_cents,
             sum(outstanding_cents) as outstanding_cents, sum(penalty_cents) as penalty_cents,
             count(paid_at) as installments_paid, min(due_on) filter (where paid_at is null) as next_due_on,
             -- An installment that owes only penalties is overdue even after an extension, so its agreed due day is used.
             min(case when outstanding_cents > 0 then effective_due_on else agreed_due_on end)
               filter (where paid_at is null) as late_after,
             max(paid_at) as last_paid_at
      from installments i where i.customer_id = ${customerSql} and i.checkout_hash = input.hash) as figures
    where c.customer_id = ${customerSql} and c.hash = input.hash`,
);
