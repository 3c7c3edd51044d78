import { type Queryable, sql, type Tx } from '#platform/db.ts';
import type { Account } from './accounts.ts';
import type { Posting } from './post.ts';

/** One statement, because the database looks after every statement whether the posting is in balance. */
export async function insertPosting(tx: Tx, posting: Posting, now: Date): Promise<number> {
  const { customerId, reference, kind, occurredAt, entries } = posting;
  const row = await tx.row<{ id: number }>(sql`
    with posting as (
      insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at)
      values (${customerId}, ${reference}, ${kind}, ${occurredAt}, ${now})
      returning customer_id, id
    )
    insert into ledger_entries (customer_id, posting_id, line, account, installment_id, amount_cents)
    select p.customer_id, p.id, e.line, e.account, e.installment_id, e.amount_cents
    from posting p, unnest(${entries.map((entry) => entry.account)}::text[],
                           ${entries.map((entry) => entry.installmentId)}::text[],
                           ${entries.map((entry) => entry.amountCents)}::bigint[])
                    with ordinality as e (account, installment_id, amount_cents, line)
    returning posting_id as id`);
  return row!.id;
}

/** The customers after the given one, in order of id: one stretch of a walk through all. */
export type CustomerRange = { readonly after: string; readonly upTo: string };

export type InstallmentBalance = { installment_id: string | null; account: Account; amount_cents: number };

/** What the entries of these kinds of postings come to, for every account and installment. */
export async function listInstallmentBalances(
  db: Queryable,
  { after, upTo }: CustomerRange,
  kinds: readonly string[],
): Promise<InstallmentBalance[]> {
  return db.rows(sql`
    select e.installment_id, e.account, sum(e.amount_cents)::bigint as amount_cents
    from ledger_postings p join ledger_entries e on e.customer_id = p.customer_id and e.posting_id = p.id
    where p.customer_id > ${after} and p.customer_id <= ${upTo} and p.kind = any(${kinds})
    group by e.customer_id, e.installment_id, e.account`);
}

export type MismatchedPosting = {
  customer_id: string;
  reference: string;
  kind: string;
  entries: number;
  off_by: number;
};

/** Postings that are out of balance, have fewer than two entries, or are of a kind nobody knows. */
export async function listMismatchedPostings(
  db: Queryable,
  { after, upTo }: CustomerRange,
  kinds: readonly string[],
): Promise<MismatchedPosting[]> {
  return db.rows(sql`
    select p.customer_id, p.reference, p.kind, count(e.line) as entries,
           coalesce(sum(e.amount_cents), 0)::bigint as off_by
    from ledger_postings p left join ledger_entries e on e.customer_id = p.customer_id and e.posting_id = p.id
    where p.customer_id > ${after} and p.customer_id <= ${upTo}
    group by p.customer_id, p.id
    having count(e.line) < 2 or sum(e.amount_cents) <> 0 or p.kind <> all(${kinds})
    order by p.customer_id, p.id`);
}

/** Whether something was posted for this customer under this reference. */
export async function isPosted(tx: Tx, customerId: string, reference: string): Promise<boolean> {
  const row = await tx.row<{ exists: boolean }>(sql`
    select exists (select from ledger_postings where customer_id = ${customerId} and reference = ${reference})`);
  return row!.exists;
}

export type PostingBalances = {
  customer_id: string;
  id: number;
  reference: string;
  kind: string;
  occurred_at: Date;
  balances: Partial<Record<Account, number>>;
};

/** The postings that touch any of these accounts, and what their entries there come to. */
export async function listPostingBalances(
  tx: Tx,
  { after, upTo }: CustomerRange,
  accounts: readonly Account[],
): Promise<PostingBalances[]> {
  return tx.rows(sql`
    select p.customer_id, p.id, p.reference, p.kind, p.occurred_at,
           json_object_agg(e.account, e.amount_cents) as balances
    from (select customer_id, posting_id, account, sum(amount_cents)::bigint as amount_cents from ledger_entries
          where customer_id > ${after} and customer_id <= ${upTo} and account = any(${accounts})
          group by customer_id, posting_id, account) as e
    join ledger_postings p on p.customer_id = e.customer_id and p.id = e.posting_id
    where p.customer_id > ${after} and p.customer_id <= ${upTo}
    group by p.customer_id, p.id`);
}

/** What the entries come to on each account. */
export async function listBalances(
  db: Queryable,
  { after, upTo }: CustomerRange,
): Promise<Array<{ account: Account; amount_cents: number }>> {
  return db.rows(sql`
    select account, sum(amount_cents)::bigint as amount_cents from ledger_entries
    where customer_id > ${after} and customer_id <= ${upTo} group by account`);
}

/** For other auditors: what the entries of each customer come to on an account. */
export async function listAccountBalances(
  db: Queryable,
  { after, upTo }: CustomerRange,
  account: Account,
): Promise<Array<{ customer_id: string; amount_cents: number }>> {
  return db.rows(sql`
    select customer_id, sum(amount_cents)::bigint as amount_cents from ledger_entries
    where customer_id > ${after} and customer_id <= ${upTo} and account = ${account}
    group by customer_id order by customer_id`);
}

/** From here on the transaction sees one moment, whatever others commit. */
export async function useSnapshot(tx: Tx): Promise<void> {
  await tx.run(sql`set transaction isolation level repeatable read, read only`);
}
