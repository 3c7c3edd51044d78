import { Type } from 'typebox';
import { filterByMerchant, fold } from '#catalog';
import { addDays, type Day, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { maskName } from '#core/values/mask-name.ts';
import { parseReais } from '#core/values/money.ts';
import {
  addCustomerNames,
  filterByCustomer,
  listCustomerNames,
  type OverdueAmount,
  type OverdueLookup,
} from '#customers';
import { type Db, type Queryable, type Sql, sql } from '#platform/database/db.ts';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import type { Sort } from '#platform/http/list-query.ts';
import { Text } from '#platform/http/schemas.ts';
import { describeSearch, type Searcher, type SearchHit } from '#platform/http/search.ts';
import { CHECKOUT_HASH_PATTERN } from '../fields.ts';
import { AGE_BUCKETS, type AgeBucket } from '../figures/figures-store.ts';
import { statusParameter } from '../offers/schemas.ts';
import { findOffer, findOfferByClaimKey, hasStatus, type OfferRow } from '../offers/store.ts';
import type { StoredMerchant } from '../purchases/checkout-record.ts';
import {
  checkoutListColumns,
  findCustomerByCheckout,
  findInstallmentCheckout,
  listNewestCustomerIds,
  type SaleFilter,
  type SaleListRow,
  selectLateDetails,
  toStatusRange,
} from '../purchases/reading-store.ts';
import { STATUSES } from '../schemas.ts';

export type StaffCheckoutRow = StoredMerchant<SaleListRow> & { written_off_at: Date | null };

export const checkoutList = defineList({
  select: (now) => sql`
    select ${checkoutListColumns(toDay(now))}, ${selectLateDetails(toDay(now), sql`c.customer_id`)}, c.customer_id, c.offer_id, c.written_off_at
    from checkouts c`,
  filters: {
    status: filterBy(
      Type.Enum([...STATUSES], { description: 'Only purchases with this status.' }),
      (status, now) => {
        // Literals in the SQL text let the planner use the partial indexes.
        if (status === 'paid') return sql`c.late_after = 'infinity'`;
        if (status === 'overdue') return isLateByDays(1, toDay(now));
        const { from, to } = toStatusRange(status, toDay(now));
        return sql`c.late_after between ${from} and ${to} and c.late_after < 'infinity'`;
      },
    ),
    days_late: filterBy(
      Type.Enum([...AGE_BUCKETS], {
        description: 'Only purchases with an installment that is currently late by this many days.',
      }),
      (ageBucket, now) => hasInstallmentInAgeBucket(ageBucket, toDay(now)),
    ),
    written_off: filterBy(
      Type.Enum(['true', 'false'], {
        description: '`true`: only written-off purchases. `false`: only purchases that are not written off.',
      }),
      (isWrittenOff) =>
        isWrittenOff === 'true' ? sql`c.written_off_at is not null` : sql`c.written_off_at is null`,
    ),
    merchant: filterByMerchant(sql`c.merchant_id`),
    customer: filterByCustomer(sql`c.customer_id`),
    reference: {
      schema: Text(100, { description: 'The merchant’s reference of the offer.' }),
      resolve: (reference: string, db: Queryable) => listCheckoutsByReference(db, reference),
      // The customer ids limit the query to the shards that store these customers.
      where: (checkouts: readonly CheckoutKey[]) => sql`
        c.customer_id = any(${checkouts.map(({ customer_id }) => customer_id)})
        and c.hash = any(${checkouts.map(({ checkout_hash }) => checkout_hash)})`,
    },
    ...filterByDays('Bought', sql`c.purchased_at`),
  },
  search: {
    description: describeSearch('the merchant’s name or reference, or the hash of a purchase'),
    customerColumn: sql`c.customer_id`,
    merchantColumn: sql`c.merchant_id`,
    ownedIdColumns: [sql`c.hash`],
  },
  orderBy: [sql`c.purchased_at`, sql`c.hash`],
  keyOf: ({ purchased_at, hash }: StaffCheckoutRow) => [purchased_at, hash],
  sumColumn: sql`financed_cents`,
});

/** The first installment is due at least this many days after its purchase. */
const MIN_DAYS_TO_FIRST_DUE = 7;

const toDay = (now: Date): Day => saoPauloDay(now.getTime());

const AGE_BUCKET_DAYS: Record<AgeBucket, readonly [min: number, max: number]> = {
  '1-7': [1, 7],
  '8-30': [8, 30],
  '31-90': [31, 90],
  '90+': [91, 100_000], // in effect without a maximum
};

/**
 * SQL condition: purchases whose first unpaid installment is late by at least this many days. Excludes recent purchases by their date,
 * which lets the index skip them.
 */
const isLateByDays = (minDays: number, today: Day): Sql => sql`
  c.late_after <= ${addDays(today, -minDays)} and c.late_after < 'infinity'
  and c.purchased_at < ${new Date(startOfDay(addDays(today, 1 - minDays - MIN_DAYS_TO_FIRST_DUE)))}`;

/** SQL condition: purchases with an installment in this age bucket, as in the report by age. */
function hasInstallmentInAgeBucket(ageBucket: AgeBucket, today: Day): Sql {
  const [minDays, maxDays] = AGE_BUCKET_DAYS[ageBucket];
  return sql`
    ${isLateByDays(minDays, today)} and exists (
      select from installments i
      where i.customer_id = c.customer_id and i.checkout_hash = c.hash and i.paid_at is null
        and i.effective_due_on between ${addDays(today, -maxDays)} and ${addDays(today, -minDays)})`;
}

type CheckoutKey = { customer_id: string; checkout_hash: string };

/** Lists checkouts from offers of all merchants with this reference. */
const listCheckoutsByReference = (db: Queryable, reference: string): Promise<CheckoutKey[]> =>
  db.rows(sql`
    select customer_id, checkout_hash from offers
    where reference = ${reference} and checkout_hash is not null and customer_id is not null`);

/** Lists offers of all merchants with this reference that were not accepted. */
const listOffersByReference = (
  db: Queryable,
  reference: string,
  limit: number,
): Promise<Array<{ id: string; merchant_name: string }>> =>
  db.rows(sql`
    select id, merchant_name from offers where reference = ${reference} and checkout_hash is null
    order by id desc limit ${limit}`);

/** SQL fragment: the ids of overdue customers in this order, each once. */
const selectOverdueCustomers = (today: Day, sort: Sort): Sql => {
  const direction = sort === 'newest' ? sql`desc` : sql`asc`;
  return sql`(
    select distinct customer_id from checkouts where late_after < ${today} and late_after < 'infinity'
    order by customer_id ${direction})`;
};

async function listOverdueAmounts(db: Queryable, customerIds: readonly string[], today: Day) {
  const rows = await db.rows<OverdueAmount & { customer_id: string }>(sql`
    select c.customer_id, min(c.late_after) as since, sum(i.outstanding_cents)::bigint as cents
    from checkouts c join installments i on i.customer_id = c.customer_id and i.checkout_hash = c.hash
    where c.customer_id = any(${customerIds}) and c.late_after < ${today}
      and i.paid_at is null and i.effective_due_on < ${today}
    group by c.customer_id`);
  return new Map(rows.map(({ customer_id, ...overdue }) => [customer_id, overdue]));
}

export const overdueLookup: OverdueLookup = {
  selectIds: selectOverdueCustomers,
  findOverdueAmounts: listOverdueAmounts,
};

export const offerList = defineList({
  select: sql`select * from offers`,
  filters: {
    status: filterBy(statusParameter.status, hasStatus),
    merchant: filterByMerchant(sql`merchant_id`),
    customer: filterByCustomer(
      sql`customer_id`,
      Text(80, { description: 'Id or phone of the customer who accepted the offer.' }),
    ),
    reference: filterBy(Text(100, { description: 'The merchant’s own reference.' }), sql`reference`),
    ...filterByDays('Created', sql`created_at`),
  },
  search: {
    description: describeSearch(
      'the merchant’s name or reference, the id of an offer, or the hash of a purchase',
    ),
    customerColumn: sql`customer_id`,
    merchantColumn: sql`merchant_id`,
    idColumns: [sql`id`, sql`reference`],
    ownedIdColumns: [sql`checkout_hash`],
  },
  orderBy: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }: OfferRow) => [created_at, id],
  sumColumn: sql`amount_cents`,
});

/** Names are encrypted, so a search by name decrypts the names of at most this many sales, the newest of the period. */
export const MAX_SALES_SEARCHED = 2_000;

type SaleSearch = {
  hash?: string | undefined;
  code?: string | undefined;
  amount?: number | undefined;
  /** A part of the masked name of the customer. */
  q?: string | undefined;
  /** The id of a member. */
  by?: string | undefined;
};

/** Resolves a search to a filter. Returns undefined if no sale can match. */
export async function resolveSaleSearch(
  db: Db,
  scope: Pick<SaleFilter, 'merchantId' | 'since' | 'before'>,
  { hash, code: claimCode, amount, q, by: memberId }: SaleSearch,
): Promise<SaleFilter | undefined> {
  const claimedOffer =
    claimCode === undefined ? undefined : await findOfferByClaimKey(db, { code: claimCode });
  const saleHash = claimCode === undefined ? hash : claimedOffer?.checkout_hash;
  if (claimCode !== undefined && !saleHash) return undefined;
  if (hash !== undefined && hash !== saleHash) return undefined;
  const filter = {
    ...scope,
    financedCents: amount === undefined ? undefined : parseReais(amount)!,
    memberId,
  };
  if (saleHash) {
    const customerId = await findCustomerByCheckout(db, saleHash);
    return customerId === undefined ? undefined : { ...filter, hash: saleHash, customerIds: [customerId] };
  }
  if (q === undefined) return filter;
  return { ...filter, customerIds: await listCustomerIdsByName(db, scope, q) };
}

/** Lists ids of customers whose masked name contains the text. Masked letters never match. */
async function listCustomerIdsByName(
  db: Db,
  scope: Pick<SaleFilter, 'merchantId' | 'since' | 'before'>,
  q: string,
): Promise<string[]> {
  const text = fold(q).trim();
  const names = await listCustomerNames(db, await listNewestCustomerIds(db, scope, MAX_SALES_SEARCHED));
  return [...names].filter(([, name]) => fold(maskName(name)).includes(text)).map(([id]) => id);
}

/** Searches by the hash of a purchase, the id of an installment or an offer, or a merchant's reference. */
export const createPurchaseSearcher =
  (db: Db): Searcher =>
  async (q, limit) => {
    const [checkouts, offers] = await Promise.all([findCheckouts(db, q), findOffers(db, q, limit)]);
    const namedCheckouts = await addCustomerNames(db, checkouts.slice(0, limit));
    return [
      ...namedCheckouts.map(
        ({ checkout_hash, customer_id, customer_name }): SearchHit => ({
          kind: 'checkout',
          id: checkout_hash,
          title: 'Compra',
          customer_id,
          customer_name,
        }),
      ),
      ...offers.map(
        ({ id, merchant_name }): SearchHit => ({ kind: 'offer', id, title: `Oferta de ${merchant_name}` }),
      ),
    ];
  };

async function findCheckouts(db: Db, q: string): Promise<CheckoutKey[]> {
  if (new RegExp(CHECKOUT_HASH_PATTERN).test(q)) {
    const customer_id = await findCustomerByCheckout(db, q);
    if (customer_id !== undefined) return [{ customer_id, checkout_hash: q }];
  }
  if (q.startsWith('ins_'))
    return [await findInstallmentCheckout(db, q)].filter((checkout) => checkout !== undefined);
  return listCheckoutsByReference(db, q);
}

async function findOffers(db: Db, q: string, limit: number) {
  if (!q.startsWith('off_')) return listOffersByReference(db, q, limit);
  return [await findOffer(db, q)].filter((offer) => offer !== undefined);
}
