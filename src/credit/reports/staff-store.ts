import { addDays, type Day } from '#core/day.ts';
import type { Overdue, OverdueCustomers } from '#customers';
import { type Queryable, type Sql, sql } from '#platform/database/db.ts';
import { type Listing, type Narrowing, onDays } from '#platform/http/listing.ts';
import { matchesSearch } from '#platform/http/search.ts';
import type { OfferStatus } from '../offers/states.ts';
import { inStatus, type OfferRow } from '../offers/store.ts';
import type { FrozenMerchant } from '../purchases/current-merchant.ts';
import { type ListedSale, lateDetails, listedColumns } from '../purchases/reading-store.ts';
import { rangeOf } from '../purchases/status-range.ts';
import type { STATUSES } from '../schemas.ts';
import type { Age } from './figures-store.ts';

type Filter = Narrowing & { merchantId?: number | undefined; customerId?: string | undefined };

export type ListedForOperator = FrozenMerchant<ListedSale> & { written_off_at: Date | null };

type CheckoutFilter = Filter & {
  status?: (typeof STATUSES)[number] | undefined;
  daysLate?: Age | undefined;
  writtenOff?: boolean | undefined;
  among?: readonly Sale[] | undefined;
};

/** Purchases of all customers. */
export function listedCheckouts(filter: CheckoutFilter, today: Day): Listing<ListedForOperator> {
  const { status, daysLate, writtenOff, merchantId, customerId, target, among, ...days } = filter;
  const late = rangeOf(status, today);
  const wanted = { customer: sql`c.customer_id`, merchant: sql`c.merchant_id`, owned: [sql`c.hash`] };
  return {
    of: sql`
      select ${listedColumns(today)}, ${lateDetails(today, sql`c.customer_id`)}, c.customer_id, c.offer_id, c.written_off_at
      from checkouts c`,
    where: [
      ...(status === undefined ? [] : [sql`c.late_after between ${late.from} and ${late.to}`]),
      // Matches the index of unpaid purchases.
      ...(status === 'open' || status === 'overdue' ? [sql`c.late_after < 'infinity'`] : []),
      ...(daysLate === undefined ? [] : [hasLate(daysLate, today)]),
      ...(writtenOff === undefined
        ? []
        : [writtenOff ? sql`c.written_off_at is not null` : sql`c.written_off_at is null`]),
      ...(merchantId === undefined ? [] : [sql`c.merchant_id = ${merchantId}`]),
      ...(customerId === undefined ? [] : [sql`c.customer_id = ${customerId}`]),
      // The customers are named for the shards that hold them.
      ...(among === undefined
        ? []
        : [
            sql`c.customer_id = any(${among.map(({ customer_id }) => customer_id)})`,
            sql`c.hash = any(${among.map(({ checkout_hash }) => checkout_hash)})`,
          ]),
      ...onDays(sql`c.purchased_at`, days),
    ],
    by: [sql`c.purchased_at`, sql`c.hash`],
    keyOf: ({ purchased_at, hash }) => [purchased_at, hash],
    sum: sql`financed_cents`,
    only: matchesSearch(target, wanted),
  };
}

const DAYS: Record<Age, readonly [least: number, most: number]> = {
  '1-7': [1, 7],
  '8-30': [8, 30],
  '31-90': [31, 90],
  '90+': [91, 100_000],
};

/** Those with an installment that is late by so many days: what the report by age counts. */
function hasLate(age: Age, today: Day): Sql {
  const [least, most] = DAYS[age];
  return sql`
    c.late_after < ${today} and c.late_after < 'infinity' and exists (
      select from installments i
      where i.customer_id = c.customer_id and i.checkout_hash = c.hash and i.paid_at is null
        and i.effective_due_on between ${addDays(today, -most)} and ${addDays(today, -least)})`;
}

type Sale = { customer_id: string; checkout_hash: string };

/** Purchases that came of offers with this reference, of any merchant. */
export const listSalesCalled = (db: Queryable, reference: string): Promise<Sale[]> =>
  db.rows(sql`
    select customer_id, checkout_hash from offers
    where reference = ${reference} and checkout_hash is not null and customer_id is not null`);

/** Offers with this reference that have not become purchases, of any merchant. */
export const listOffersCalled = (
  db: Queryable,
  reference: string,
  limit: number,
): Promise<Array<{ id: string; merchant_name: string }>> =>
  db.rows(sql`
    select id, merchant_name from offers where reference = ${reference} and checkout_hash is null
    order by id desc limit ${limit}`);

/** A part of a statement: the customers of whom something is late. */
const listOverdueCustomers = (today: Day): Sql =>
  sql`(select customer_id from checkouts where late_after < ${today} and late_after < 'infinity')`;

async function listOverdue(
  db: Queryable,
  customerIds: readonly string[],
  today: Day,
): Promise<Map<string, Overdue>> {
  const rows = await db.rows<Overdue & { customer_id: string }>(sql`
    select c.customer_id, min(c.late_after) as since, sum(i.outstanding_cents)::bigint as cents
    from checkouts c join installments i on i.customer_id = c.customer_id and i.checkout_hash = c.hash
    where c.customer_id = any(${customerIds}) and c.late_after < ${today}
      and i.paid_at is null and i.effective_due_on < ${today}
    group by c.customer_id`);
  return new Map(rows.map(({ customer_id, ...overdue }) => [customer_id, overdue]));
}

export const overdueIn: OverdueCustomers = { all: listOverdueCustomers, of: listOverdue };

type OfferFilter = Filter & { status?: OfferStatus | undefined; reference?: string | undefined };

export const listedOffers = (
  { status, merchantId, customerId, target, reference, ...days }: OfferFilter,
  now: Date,
): Listing<OfferRow> => ({
  of: sql`select * from offers`,
  where: [
    ...(status === undefined ? [] : [inStatus(status, now)]),
    ...(merchantId === undefined ? [] : [sql`merchant_id = ${merchantId}`]),
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
    ...(reference === undefined ? [] : [sql`reference = ${reference}`]),
    ...onDays(sql`created_at`, days),
  ],
  by: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
  sum: sql`amount_cents`,
  only: matchesSearch(target, {
    customer: sql`customer_id`,
    merchant: sql`merchant_id`,
    plain: [sql`id`, sql`reference`],
    owned: [sql`checkout_hash`],
  }),
});
