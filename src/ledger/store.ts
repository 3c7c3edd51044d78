import type { Day } from '#core/values/day.ts';
import type { CustomerRange } from '#module';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { batchable, pluck, type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import type { Account, MerchantEntry, MerchantPosting, Posting } from './accounts.ts';

type NewPosting = Posting & { readonly postedAt: Date };

export function queuePostingInsert(tx: CustomerTx, posting: Posting, now: Date): void {
  tx.queueWrite(insertPostings({ ...posting, postedAt: now }));
}

/** Inserts all entries of a posting in one statement, because the database checks the balance after every statement. */
const insertPostings = batchable((rows: readonly NewPosting[], customerSql) => {
  const entries = rows.flatMap(({ customerId, reference, merchantId = null, entries: postingEntries }) =>
    postingEntries.map((entry, i) => ({ ...entry, customerId, reference, merchantId, line: i + 1 })),
  );
  return sql`
    with posting as (
      insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at)
      select ${customerSql}, input.reference, input.kind, input.occurred_at, input.posted_at
      from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'reference')}::text[], ${pluck(rows, 'kind')}::text[],
                  ${pluck(rows, 'occurredAt')}::timestamptz[], ${pluck(rows, 'postedAt')}::timestamptz[])
           as input (customer_id, reference, kind, occurred_at, posted_at)
      returning customer_id, id, reference
    )
    insert into ledger_entries (customer_id, posting_id, line, account, installment_id, merchant_id, amount_cents)
    select ${customerSql}, p.id, input.line, input.account, input.installment_id,
           case when input.account = 'merchant_payable' then input.merchant_id end, input.amount_cents
    from unnest(${pluck(entries, 'customerId')}::text[], ${pluck(entries, 'reference')}::text[],
                ${pluck(entries, 'line')}::smallint[], ${pluck(entries, 'account')}::text[],
                ${pluck(entries, 'installmentId')}::text[], ${pluck(entries, 'merchantId')}::bigint[],
                ${pluck(entries, 'amountCents')}::bigint[])
         as input (customer_id, reference, line, account, installment_id, merchant_id, amount_cents)
    join posting p on p.customer_id = ${customerSql} and p.reference = input.reference`;
});

/** SQL fragment: the customer_id and posting_id of the posting with this reference. */
export const selectPostingByReference = (customerId: Sql, reference: Sql): Sql => sql`(
  select customer_id, id as posting_id from ledger_postings
  where customer_id = ${customerId} and reference = ${reference})`;

export function queueMerchantPostingInsert(tx: Tx, posting: MerchantPosting, now: Date): void {
  const batchKey = `${posting.merchantId} ${posting.reference}`;
  tx.queueWrite(insertMerchantPostings({ ...posting, batchKey, postedAt: now }));
}

/** `batchKey` identifies the posting, because it concerns no customer. */
type NewMerchantPosting = MerchantPosting & { readonly batchKey: string; readonly postedAt: Date };

const insertMerchantPostings = batchable((rows: readonly NewMerchantPosting[]) => {
  const entries = rows.flatMap(({ merchantId, reference, entries: postingEntries }) =>
    postingEntries.map((entry, i) => ({ ...entry, merchantId, reference, line: i + 1 })),
  );
  return sql`
    with posting as (
      insert into merchant_postings (merchant_id, reference, kind, occurred_at, posted_at)
      select * from unnest(${pluck(rows, 'merchantId')}::bigint[], ${pluck(rows, 'reference')}::text[], ${pluck(rows, 'kind')}::text[],
                           ${pluck(rows, 'occurredAt')}::timestamptz[], ${pluck(rows, 'postedAt')}::timestamptz[])
      returning merchant_id, id, reference
    )
    insert into merchant_entries (merchant_id, posting_id, line, account, amount_cents)
    select p.merchant_id, p.id, input.line, input.account, input.amount_cents
    from unnest(${pluck(entries, 'merchantId')}::bigint[], ${pluck(entries, 'reference')}::text[],
                ${pluck(entries, 'line')}::smallint[], ${pluck(entries, 'account')}::text[], ${pluck(entries, 'amountCents')}::bigint[])
         as input (merchant_id, reference, line, account, amount_cents)
    join posting p on p.merchant_id = input.merchant_id and p.reference = input.reference`;
});

type InstallmentBalance = { installment_id: string | null; account: Account; amount_cents: number };

/** Sums postings of these kinds by account and installment. */
export const listInstallmentBalances = (
  db: Queryable,
  { afterId, lastId }: CustomerRange,
  kinds: readonly string[],
) =>
  db.rows<InstallmentBalance>(sql`
    select e.installment_id, e.account, sum(e.amount_cents)::bigint as amount_cents
    from ledger_postings p join ledger_entries e on e.customer_id = p.customer_id and e.posting_id = p.id
    where p.customer_id > ${afterId} and p.customer_id <= ${lastId} and p.kind = any(${kinds})
    group by e.customer_id, e.installment_id, e.account`);

export type MismatchedPosting = {
  reference: string;
  kind: string;
  entry_count: number;
  imbalance_cents: number;
};

/** Lists postings that do not balance, have fewer than two entries, or are of an unknown kind. */
export const listMismatchedPostings = (
  db: Queryable,
  { afterId, lastId }: CustomerRange,
  knownKinds: readonly string[],
) =>
  db.rows<MismatchedPosting & { customer_id: string }>(sql`
    select p.customer_id, p.reference, p.kind, count(e.line) as entry_count,
           coalesce(sum(e.amount_cents), 0)::bigint as imbalance_cents
    from ledger_postings p left join ledger_entries e on e.customer_id = p.customer_id and e.posting_id = p.id
    where p.customer_id > ${afterId} and p.customer_id <= ${lastId}
    group by p.customer_id, p.id
    having count(e.line) < 2 or sum(e.amount_cents) <> 0 or p.kind <> all(${knownKinds})
    order by p.customer_id, p.id`);

export const isPosted = async (tx: Tx, customerId: string, reference: string) =>
  (await tx.value<boolean>(sql`
    select exists (select from ledger_postings where customer_id = ${customerId} and reference = ${reference})`))!;

export type PostingBalances = {
  customer_id: string;
  id: number;
  reference: string;
  kind: string;
  occurred_at: Date;
  balances: Partial<Record<Account, number>>;
};

/** Lists postings with entries on any of these accounts, with the sums by account. */
export const listPostingBalances = (
  tx: Tx,
  { afterId, lastId }: CustomerRange,
  accounts: readonly Account[],
) =>
  tx.rows<PostingBalances>(sql`
    select p.customer_id, p.id, p.reference, p.kind, p.occurred_at,
           json_object_agg(e.account, e.amount_cents) as balances
    from (select customer_id, posting_id, account, sum(amount_cents)::bigint as amount_cents from ledger_entries
          where customer_id > ${afterId} and customer_id <= ${lastId} and account = any(${accounts})
          group by customer_id, posting_id, account) as e
    join ledger_postings p on p.customer_id = e.customer_id and p.id = e.posting_id
    where p.customer_id > ${afterId} and p.customer_id <= ${lastId}
    group by p.customer_id, p.id`);

export const listBalances = (db: Queryable, { afterId, lastId }: CustomerRange) =>
  db.rows<{ account: Account; amount_cents: number }>(sql`
    select account, sum(amount_cents)::bigint as amount_cents from ledger_entries
    where customer_id > ${afterId} and customer_id <= ${lastId} group by account`);

/** Sums an account by customer, for the auditors of other modules. */
export const listAccountBalances = (db: Queryable, { afterId, lastId }: CustomerRange, account: Account) =>
  db.rows<{ customer_id: string; amount_cents: number }>(sql`
    select customer_id, sum(amount_cents)::bigint as amount_cents from ledger_entries
    where customer_id > ${afterId} and customer_id <= ${lastId} and account = ${account}
    group by customer_id order by customer_id`);

type MerchantBalance = {
  customer_id: string;
  merchant_id: number | null;
  installment_id: string | null;
  amount_cents: number;
};

/** Sums merchant_payable in entries of these customers, by merchant and installment, for auditors. An amount owed to the merchant is negative. */
export const listMerchantPayables = (db: Queryable, { afterId, lastId }: CustomerRange) =>
  db.rows<MerchantBalance>(sql`
    select customer_id, merchant_id, installment_id, sum(amount_cents)::bigint as amount_cents from ledger_entries
    where customer_id > ${afterId} and customer_id <= ${lastId} and account = 'merchant_payable'
    group by customer_id, merchant_id, installment_id`);

/** Lists merchant postings with these references, with the sums of their entries on merchant_payable. */
export const listMerchantPostings = (db: Queryable, references: readonly string[]) =>
  db.rows<{ reference: string; payable_cents: number }>(sql`
    select p.reference,
           coalesce(sum(e.amount_cents) filter (where e.account = 'merchant_payable'), 0)::bigint as payable_cents
    from merchant_postings p join merchant_entries e on e.merchant_id = p.merchant_id and e.posting_id = p.id
    where p.reference = any(${references})
    group by p.merchant_id, p.id`);

export const listMerchantAccountBalances = (db: Queryable) =>
  db.rows<{ merchant_id: number; account: MerchantEntry['account']; amount_cents: number }>(sql`
    select merchant_id, account, sum(amount_cents)::bigint as amount_cents from merchant_entries
    group by merchant_id, account order by merchant_id, account`);

/** Lists merchant postings that do not balance, or are of an unknown kind. */
export const listMismatchedMerchantPostings = (db: Queryable, knownKinds: readonly string[]) =>
  db.rows<MismatchedPosting & { merchant_id: number }>(sql`
    select p.merchant_id, p.reference, p.kind, count(e.line) as entry_count,
           coalesce(sum(e.amount_cents), 0)::bigint as imbalance_cents
    from merchant_postings p left join merchant_entries e on e.merchant_id = p.merchant_id and e.posting_id = p.id
    group by p.merchant_id, p.id
    having count(e.line) < 2 or sum(e.amount_cents) <> 0 or p.kind <> all(${knownKinds})
    order by p.merchant_id, p.id`);

/** Makes the transaction read one snapshot, regardless of concurrent commits. */
export const useSnapshot = (tx: Tx) =>
  tx.run(sql`set transaction isolation level repeatable read, read only`);

export type AccountSum = { account: string; amount_cents: number };
type DaySum = AccountSum & { day: Day };

/**
 * Conditions that select the postings to sum. A day is closed an hour after midnight in real time, so its stored sum contains the postings
 * that were written at most 30 minutes after their `posted_at`. Later ones are backdated and not part of any stored sum.
 */
const POSTING_FILTERS = {
  all: sql`true`,
  backdated: sql`p.written_at - p.posted_at > interval '30 minutes'`,
  notBackdated: sql`p.written_at - p.posted_at <= interval '30 minutes'`,
};

/** SQL fragment: the entries of customer and merchant postings within a period. */
const selectEntriesBetween = (
  periodStart: Date,
  periodEnd: Date,
  filter: keyof typeof POSTING_FILTERS,
): Sql => sql`(
  select e.account, e.amount_cents, p.posted_at
  from ledger_postings p join ledger_entries e on e.customer_id = p.customer_id and e.posting_id = p.id
  where p.posted_at >= ${periodStart} and p.posted_at < ${periodEnd} and ${POSTING_FILTERS[filter]}
  union all
  select e.account, e.amount_cents, p.posted_at
  from merchant_postings p join merchant_entries e on e.merchant_id = p.merchant_id and e.posting_id = p.id
  where p.posted_at >= ${periodStart} and p.posted_at < ${periodEnd} and ${POSTING_FILTERS[filter]}) as posted`;

export const sumPostings = (
  db: Queryable,
  periodStart: Date,
  periodEnd: Date,
  filter: keyof typeof POSTING_FILTERS = 'all',
) =>
  db.rows<AccountSum>(sql`
    select account, sum(amount_cents)::bigint as amount_cents from ${selectEntriesBetween(periodStart, periodEnd, filter)}
    group by account`);

/** Sums closed days by account, without backdated postings. */
export const sumClosedDays = (db: Queryable, from: Day, to: Day) =>
  db.rows<AccountSum>(sql`
    select account, sum(amount_cents)::bigint as amount_cents from ledger_days
    where day between ${from} and ${to} group by account`);

/** Sums postings that are not backdated by day and account, up to an instant. For the auditor. */
export const sumPostingsByDay = (db: Queryable, periodEnd: Date) =>
  db.rows<DaySum>(sql`
    select (posted_at at time zone 'America/Sao_Paulo')::date as day, account,
           sum(amount_cents)::bigint as amount_cents
    from ${selectEntriesBetween(new Date(0), periodEnd, 'notBackdated')}
    group by 1, 2 order by 1, 2`);

/** Lists all stored sums. For the auditor. */
export const listDaySums = (db: Queryable) =>
  db.rows<DaySum>(sql`select day, account, amount_cents from ledger_days order by day, account`);

export async function findLastClosedDay(db: Queryable): Promise<Day | null> {
  return (await db.row<{ closed_to: Day }>(sql`select closed_to from ledger_closing`))?.closed_to ?? null;
}

export async function findFirstPostingAt(db: Queryable, notBefore: Date) {
  const row = await db.row<{ first_posted_at: Date | null }>(sql`
    select least((select min(posted_at) from ledger_postings where posted_at >= ${notBefore}),
                 (select min(posted_at) from merchant_postings where posted_at >= ${notBefore})) as first_posted_at`);
  return row!.first_posted_at;
}

/** Counts postings of customers in a period, up to `limit`. */
export const countPostings = async (db: Queryable, periodStart: Date, periodEnd: Date, limit: number) =>
  (await db.value<number>(sql`
    select count(*) from (
      select from ledger_postings where posted_at >= ${periodStart} and posted_at < ${periodEnd} limit ${limit}) as posted`))!;

export async function insertClosedDay(tx: Tx, day: Day, sums: readonly AccountSum[]): Promise<void> {
  await tx.run(sql`
    insert into ledger_days (day, account, amount_cents)
    select ${day}, account, amount_cents
    from unnest(${pluck(sums, 'account')}::text[], ${pluck(sums, 'amount_cents')}::bigint[]) as s (account, amount_cents)`);
  await tx.run(sql`
    insert into ledger_closing (closed_to) values (${day})
    on conflict (only_row) do update set closed_to = excluded.closed_to`);
}
