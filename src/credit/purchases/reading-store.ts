import { addDays, type Day, day } from '#core/values/day.ts';
import type { CustomerRange } from '#module';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { OFFER_TTL_MS } from '../acceptance.ts';
import type { STATUSES } from '../schemas.ts';
import {
  type CheckoutFacts,
  type CheckoutRecordRow,
  type InstallmentTuple,
  type Merchants,
  type ReceiptTuple,
  type StoredMerchant,
  toCheckoutRecord,
  withCurrentMerchants,
} from './checkout-record.ts';
import { type TermsColumns, termsColumns } from './terms.ts';

/** SQL fragment: the receipts `r` of a purchase as `ReceiptTuple`s, in order. */
const receiptTuples = sql`
  json_agg(json_build_array(r.installment_id,
             (extract(epoch from r.received_at) * 1000)::bigint,
             (extract(epoch from r.reversed_at) * 1000)::bigint,
             r.outcome, r.interest_cents, r.fine_cents, r.principal_cents, r.discount_cents,
             r.fee_cents, r.extended_to, r.priced_on, r.waived_interest_cents, r.waived_fine_cents) order by r.received_at, r.position)`;

const installmentTuple = sql`
  json_build_array(i.id, i.number, i.amount_cents, i.redeemed_cents, i.agreed_due_on, i.history)`;

/** SQL fragment: all installments of a customer's purchase `c`, in order. */
export const selectInstallments = (customerId: Sql): Sql => sql`
  (select json_agg(${installmentTuple} order by i.number)
   from installments i where i.customer_id = ${customerId} and i.checkout_hash = c.hash)`;

/** SQL fragment: the receipts of a customer's purchase `c` of which anything was applied. The outcome of other receipts is 'nothing'. */
export const selectReceipts = (customerId: Sql): Sql => sql`
  (select ${receiptTuples} from receipts r
   where r.customer_id = ${customerId} and r.checkout_hash = c.hash and r.outcome <> 'nothing')`;

/** SQL fragment: the columns of a customer's purchase `c` with its installments, receipts and returns. */
const checkoutRecordColumns = (customerId: Sql): Sql => sql`
  c.customer_id, c.hash, c.merchant_id, c.merchant_slug, c.merchant_name, c.description,
  c.offer_id, c.purchased_at, c.financed_cents, c.returned_at, c.written_off_at, ${termsColumns.selectFrom('c')},
  c.cet_month_ppm, c.cet_year_ppm, c.contract_sha256,
  ${selectInstallments(customerId)} as installments, ${selectReceipts(customerId)} as receipts,
  (select json_agg(json_build_array(r.amount_cents, r.reason, (extract(epoch from r.returned_at) * 1000)::bigint)
                   order by r.position)
   from returns r where r.customer_id = ${customerId} and r.checkout_hash = c.hash) as returns`;

/** Finds a purchase with its installments and receipts, in one statement. */
export const findCheckoutRecord = (db: Queryable, customerId: string, hash: string) =>
  db.row<StoredMerchant<CheckoutRecordRow>>(selectCheckoutRecords({ customerId, hash }));

const selectCheckoutRecords = batchable(
  (rows: ReadonlyArray<{ customerId: string; hash: string }>, customerSql) => sql`
    select ${checkoutRecordColumns(customerSql)}
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'hash')}::text[]) as input (customer_id, hash)
    join checkouts c on c.customer_id = ${customerSql} and c.hash = input.hash`,
);

/**
 * Lists a customer's purchases with an installment due by a day, the earliest first, and counts all such purchases and all unpaid
 * purchases, in one statement. Unpaid purchases have a finite `late_after` and no `settled_at`.
 */
export async function listDueCheckouts(db: Queryable, customerId: string, until: Day, limit: number) {
  const rows = await db.rows<
    { due_count: number; unpaid_count: number } & (StoredMerchant<CheckoutRecordRow> | { hash: null })
  >(sql`
    select counted.due_count, counted.unpaid_count, listed.*
    from (select count(*) as unpaid_count, count(*) filter (where next_due_on <= ${until}) as due_count from checkouts
          where customer_id = ${customerId} and late_after < 'infinity') as counted
    left join lateral (
      select ${checkoutRecordColumns(sql`${customerId}`)}
      from (select * from checkouts
            where customer_id = ${customerId} and late_after < 'infinity' and next_due_on <= ${until}
            order by next_due_on, purchased_at desc, hash desc limit ${limit}) as c
    ) as listed on true`);
  const { due_count, unpaid_count } = rows[0]!;
  return {
    dueCount: due_count,
    unpaidCount: unpaid_count,
    checkouts: rows.filter((row) => row.hash !== null),
  };
}

/** Finds a purchase, with its merchant as it is in the catalog now. */
export async function findCheckout(db: Queryable, customerId: string, hash: string, merchants: Merchants) {
  const record = await findCheckoutRecord(db, customerId, hash);
  const rows = record ? [record] : [];
  const [row] = await withCurrentMerchants<CheckoutRecordRow & { merchant_id: number }>(rows, merchants);
  return row && { ...toCheckoutRecord(row), merchant_id: row.merchant_id };
}

export type UnsettledCheckoutRow = TermsColumns & {
  hash: string;
  merchant_slug: string;
  merchant_name: string;
  written_off_at: Date | null;
  /** Contains only the unpaid installments. */
  installments: InstallmentTuple[] | null;
  receipts: ReceiptTuple[] | null;
};

/** Lists a customer's unpaid purchases with the facts needed to compute their debt, in one statement. */
export const listUnsettledCheckouts = (db: Queryable, customerId: string) =>
  db.rows<UnsettledCheckoutRow>(sql`
    select c.hash, c.merchant_slug, c.merchant_name, c.written_off_at, ${termsColumns.selectFrom('c')},
           (select json_agg(${installmentTuple}) from installments i
            where i.customer_id = ${customerId} and i.checkout_hash = c.hash and i.paid_at is null) as installments,
           ${selectReceipts(sql`${customerId}`)} as receipts
    from checkouts c where c.customer_id = ${customerId} and c.settled_at is null`);

/** Finds the customer of a purchase by its hash. */
export async function findCustomerByCheckout(db: Queryable, hash: string): Promise<string | undefined> {
  const row = await db.row<{ customer_id: string }>(
    sql`select customer_id from checkout_hashes where hash = ${hash}`,
  );
  return row?.customer_id;
}

type CheckoutKey = { customer_id: string; checkout_hash: string };

/** Finds the purchase of an installment: its customer, hash and date. */
export async function findInstallmentCheckout(db: Queryable, id: string) {
  const installment = await db.row<CheckoutKey>(
    sql`select customer_id, checkout_hash from installments where id = ${id}`,
  );
  if (!installment) return undefined;
  const { customer_id, checkout_hash } = installment;
  return db.row<CheckoutKey & { purchased_at: Date }>(sql`
    select customer_id, hash as checkout_hash, purchased_at from checkouts
    where customer_id = ${customer_id} and hash = ${checkout_hash}`);
}

/** Finds the customer and the merchant of a purchase. */
export async function findSaleParties(db: Queryable, hash: string) {
  const customerId = await findCustomerByCheckout(db, hash);
  if (customerId === undefined) return undefined;
  return db.row<{ customer_id: string; merchant_id: number }>(sql`
    select customer_id, merchant_id from checkouts where customer_id = ${customerId} and hash = ${hash}`);
}

/** A range of `checkouts.late_after`. Every status of a purchase corresponds to one range. */
type StatusRange = { from: Day | '-infinity' | 'infinity'; to: Day | 'infinity' };

export type CheckoutListRow = TermsColumns &
  Omit<CheckoutFacts, 'customer_id' | 'offer_id' | 'written_off_at' | 'contract_sha256'> & {
    hash: string;
    paid_cents: number;
    returned_cents: number;
    outstanding_cents: number;
    installments_total: number;
    installments_paid: number;
    next_due_on: string | null;
    is_settled: boolean;
    is_overdue: boolean;
    /** The installments that may owe penalties. This and `receipts` are null if the purchase owes none. */
    late_installments: InstallmentTuple[] | null;
    receipts: ReceiptTuple[] | null;
  };

/** SQL fragment: the columns of a purchase `c` in a list, without penalties. */
export const checkoutListColumns = (today: Day): Sql => sql`
  c.hash, c.merchant_id, c.merchant_slug, c.merchant_name, c.description,
  c.purchased_at, c.financed_cents, c.paid_cents, c.returned_cents, c.returned_at, c.outstanding_cents,
  c.installments_total, c.installments_paid, c.next_due_on, c.settled_at is not null as is_settled,
  c.late_after < ${today} as is_overdue, ${termsColumns.selectFrom('c')}`;

/** Only penalties change with time, so a list reads installments `i` and receipts only of purchases `c` for which this condition is true. */
const mayOwePenalties = (today: Day): Sql => sql`(c.late_after < ${today} or c.penalty_cents > 0)`;
const installmentMayOwePenalties = (today: Day): Sql =>
  sql`(i.paid_at is null and (i.effective_due_on < ${today} or i.penalty_cents > 0))`;

/** SQL fragment: the late installments and receipts of a customer's purchase `c`. */
export const selectLateDetails = (today: Day, customerId: Sql): Sql => sql`
  case when ${mayOwePenalties(today)} then
    (select json_agg(${installmentTuple}) from installments i
     where i.customer_id = ${customerId} and i.checkout_hash = c.hash and ${installmentMayOwePenalties(today)})
  end as late_installments,
  case when ${mayOwePenalties(today)} then ${selectReceipts(customerId)} end as receipts`;

/** Returns a page of a customer's purchases, newest first, and the total count, in one statement. */
export async function listCheckouts(
  db: Queryable,
  customerId: string,
  { from, to }: StatusRange,
  today: Day,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; checkouts: Array<StoredMerchant<CheckoutListRow>> }> {
  const rows = await db.rows<{ total: number } & (StoredMerchant<CheckoutListRow> | { hash: null })>(sql`
    select counted.total, listed.*
    from (select count(*) as total from checkouts
          where customer_id = ${customerId} and late_after between ${from} and ${to}) as counted
    left join lateral (
      select ${checkoutListColumns(today)}, ${selectLateDetails(today, sql`${customerId}`)}
      from (select * from checkouts
            where customer_id = ${customerId} and late_after between ${from} and ${to}
            order by purchased_at desc, hash desc limit ${limit} offset ${offset}) as c
    ) as listed on true
    order by listed.purchased_at desc, listed.hash desc`);
  return { total: rows[0]!.total, checkouts: rows.filter((row) => row.hash !== null) };
}

export type SaleListRow = CheckoutListRow & Pick<CheckoutFacts, 'customer_id' | 'offer_id'>;

/** Selects sales of a merchant between two instants. The optional fields narrow the selection further. */
export type SaleFilter = {
  readonly merchantId: number;
  readonly since: Date;
  readonly before: Date;
  readonly hash?: string | undefined;
  readonly customerIds?: readonly string[] | undefined;
  readonly financedCents?: number | undefined;
  readonly memberId?: string | undefined;
};

const isSoldInPeriod = ({ merchantId, since, before }: SaleFilter): Sql =>
  sql`merchant_id = ${merchantId} and purchased_at >= ${since} and purchased_at < ${before}`;

function buildSaleCondition(filter: SaleFilter): Sql {
  const { merchantId, since, before, hash, customerIds, financedCents, memberId } = filter;
  // A sale follows its offer within two TTLs: an open offer is valid for one, and after its claim for another.
  const earliestOfferAt = new Date(since.getTime() - 2 * OFFER_TTL_MS);
  const optionalConditions = [
    hash === undefined ? undefined : sql`hash = ${hash}`,
    customerIds === undefined ? undefined : sql`customer_id = any(${customerIds}::text[])`,
    financedCents === undefined ? undefined : sql`financed_cents = ${financedCents}`,
    memberId === undefined
      ? undefined
      : sql`offer_id in (
          select id from offers
          where merchant_id = ${merchantId} and created_at >= ${earliestOfferAt} and created_at < ${before}
            and member_id = ${memberId})`,
  ];
  return optionalConditions
    .filter((condition) => condition !== undefined)
    .reduce((combined, condition) => sql`${combined} and ${condition}`, isSoldInPeriod(filter));
}

/** Lists the ids of the customers of the newest sales in a period, each once. Considers only `merchantId`, `since` and `before`. */
export const listNewestCustomerIds = (db: Queryable, filter: SaleFilter, maxSales: number) =>
  db.values<string>(sql`
    select distinct customer_id from (
      select customer_id from checkouts where ${isSoldInPeriod(filter)}
      order by purchased_at desc, hash desc limit ${maxSales}) as newest`);

/** Returns a page of a merchant's sales to all customers, newest first, and the total count, in one statement. */
export async function listMerchantSales(
  db: Queryable,
  filter: SaleFilter,
  { from, to }: StatusRange,
  today: Day,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; sales: Array<StoredMerchant<SaleListRow>> }> {
  const condition = sql`${buildSaleCondition(filter)} and late_after between ${from} and ${to}`;
  const rows = await db.rows<{ total: number } & (StoredMerchant<SaleListRow> | { hash: null })>(sql`
    with counted as materialized (select count(*) as total from checkouts where ${condition}),
    listed as materialized (
      select c.customer_id, c.offer_id, ${mayOwePenalties(today)} as may_owe_penalties, ${checkoutListColumns(today)}
      from checkouts c where ${condition} order by purchased_at desc, hash desc limit ${limit} offset ${offset}),
    -- Joined by customer, so that each shard reads its own rows.
    late as materialized (
      select i.customer_id, i.checkout_hash, json_agg(${installmentTuple}) as late_installments
      from installments i join listed l on l.customer_id = i.customer_id and l.hash = i.checkout_hash
      where l.may_owe_penalties and ${installmentMayOwePenalties(today)} group by i.customer_id, i.checkout_hash),
    received as materialized (
      select r.customer_id, r.checkout_hash, ${receiptTuples} as receipts
      from receipts r join listed l on l.customer_id = r.customer_id and l.hash = r.checkout_hash
      where l.may_owe_penalties and r.outcome <> 'nothing' group by r.customer_id, r.checkout_hash)
    select counted.total, listed.*, late.late_installments, received.receipts
    from counted left join listed on true
    left join late on late.customer_id = listed.customer_id and late.checkout_hash = listed.hash
    left join received on received.customer_id = listed.customer_id and received.checkout_hash = listed.hash
    order by listed.purchased_at desc, listed.hash desc`);
  return { total: rows[0]!.total, sales: rows.filter((row) => row.hash !== null) };
}

const MAX_DAY = day('9999-12-31');

/** Converts a status to a range of `late_after`: before today if overdue, from today on if open, infinity if paid. */
export function toStatusRange(status: (typeof STATUSES)[number] | undefined, today: Day): StatusRange {
  switch (status) {
    case 'overdue':
      return { from: '-infinity', to: addDays(today, -1) };
    case 'open':
      return { from: today, to: MAX_DAY };
    case 'paid':
      return { from: 'infinity', to: 'infinity' };
    default:
      return { from: '-infinity', to: 'infinity' };
  }
}

/** The agreed facts of a purchase that concern its merchant. */
const saleColumns = columns({
  customer_id: column.text(),
  hash: column.text(),
  merchant_id: column.bigint(),
  merchant_slug: column.text(),
  merchant_name: column.text(),
  purchased_at: column.timestamptz(),
  financed_cents: column.bigint(),
  merchant_fee_ppm: column.integer(),
  payout_days: column.smallint(),
});
export type Sale = RowOf<typeof saleColumns>;

export const findSale = (tx: Tx, customerId: string, hash: string) =>
  tx.row<Sale>(selectSales({ customerId, hash }));

const selectSales = batchable(
  (rows: ReadonlyArray<{ customerId: string; hash: string }>, customerSql) => sql`
    select ${saleColumns.selectFrom('c')}
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'hash')}::text[]) as input (customer_id, hash)
    join checkouts c on c.customer_id = ${customerSql} and c.hash = input.hash`,
);

type DaySales = { day: string; sales: number; sold_cents: number };
export type Period = { readonly since: Date; readonly before: Date };

/** Sums a merchant's sales by day, in order. Leaves out days without sales. */
export const sumSalesByDay = (db: Queryable, merchantId: number, { since, before }: Period) =>
  db.rows<DaySales>(sql`
    select (purchased_at at time zone 'America/Sao_Paulo')::date as day, count(*) as sales,
           sum(financed_cents)::bigint as sold_cents
    from checkouts
    where merchant_id = ${merchantId} and purchased_at >= ${since} and purchased_at < ${before}
    group by 1 order by 1`);

/** Lists all sales to these customers, with the ids of their installments. For auditors of other modules. */
export const listSalesInRange = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<Sale & { installment_ids: string[] }>(sql`
    select ${saleColumns.selectFrom('c')},
           (select json_agg(i.id) from installments i
            where i.customer_id = c.customer_id and i.checkout_hash = c.hash) as installment_ids
    from checkouts c where c.customer_id > ${afterId} and c.customer_id <= ${lastId}
    order by c.customer_id, c.hash`);

/** Returns the hashes that belong to no purchase. */
export const listUnknownHashes = (tx: Tx, hashes: readonly string[]) =>
  tx.values<string>(sql`
    select h.hash from unnest(${hashes}::text[]) as h (hash)
    where not exists (select from checkout_hashes k where k.hash = h.hash)`);
