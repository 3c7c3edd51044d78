import type { Day } from '#core/day.ts';
import { lockKey, shareAdvisory } from '#platform/database/advisory-locks.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import { type Listing, type Narrowing, onDays } from '#platform/http/listing.ts';
import { matchesSearch } from '#platform/http/search.ts';
import type { Account } from './account-store.ts';

export const PAYOUT_STATUSES = ['pending', 'paid', 'failed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const LINE_KINDS = ['sale', 'fee', 'return', 'return_fee', 'payout', 'payout_failed'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

const newLines = columns({
  merchant_id: column.bigint(),
  merchant_slug: column.text(),
  merchant_name: column.text(),
  id: column.text(),
  kind: column.text<LineKind>(),
  /** Positive: the merchant is owed more. */
  amount_cents: column.bigint(),
  due_on: column.date(),
  checkout_hash: column.text().nullable(),
  of_payout_id: column.text().nullable(),
  occurred_at: column.timestamptz(),
});
export type NewLine = RowOf<typeof newLines>;

/** Zero amounts are left out. */
export async function insertLines(tx: Tx, lines: readonly NewLine[]): Promise<void> {
  const rows = lines.filter(({ amount_cents }) => amount_cents !== 0);
  if (rows.length > 0) await tx.run(sql`insert into merchant_lines ${newLines.each(rows)}`);
}

/** What the merchant is owed, sales, returns and payouts together; below zero the merchant owes it. */
export async function findBalance(db: Queryable, merchantId: number): Promise<number> {
  const row = await db.row<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from merchant_lines
    where merchant_id = ${merchantId} and payout_id is null`);
  return row!.cents;
}

/** The same, locked until the commit: no payout batch runs, and no other return of this merchant gets past this point. */
export async function lockBalance(tx: Tx, merchantId: number): Promise<number> {
  await shareAdvisory(tx, 'payoutBatches');
  await lockKey(tx, 'merchant returns', String(merchantId));
  return findBalance(tx, merchantId);
}

/** Merchants who are owed something by what is due and in no payout yet. */
export async function listDueMerchants(tx: Tx, until: Day): Promise<number[]> {
  const rows = await tx.rows<{ merchant_id: number }>(sql`
    select merchant_id from merchant_lines where payout_id is null and due_on <= ${until}
    group by merchant_id having sum(amount_cents) > 0 order by merchant_id`);
  return rows.map(({ merchant_id }) => merchant_id);
}

/**
 * Creates a payout for each of these merchants, of all due lines that are in none yet, if the sum is positive. One statement, so
 * sum and settled lines match, whatever is sold meanwhile. The caller has locked batches.
 */
export async function insertPayouts(
  tx: Tx,
  payees: ReadonlyArray<{ merchantId: number; payoutId: string; lineId: string }>,
  until: Day,
  now: Date,
): Promise<PayoutRow[]> {
  return tx.rows<PayoutRow>(sql`
    with payees as (
      select * from unnest(${pluck(payees, 'merchantId')}::bigint[], ${pluck(payees, 'payoutId')}::text[],
                           ${pluck(payees, 'lineId')}::text[]) as p (merchant_id, payout_id, line_id)
    ), due as materialized (
      select l.* from merchant_lines l join payees p using (merchant_id)
      where l.payout_id is null and l.due_on <= ${until}
    ), made as (
      insert into payouts (id, merchant_id, merchant_slug, merchant_name, amount_cents, due_on, created_at)
      select p.payout_id, d.merchant_id, (array_agg(d.merchant_slug order by d.position desc))[1],
             (array_agg(d.merchant_name order by d.position desc))[1], sum(d.amount_cents), max(d.due_on), ${now}
      from due d join payees p using (merchant_id)
      group by p.payout_id, d.merchant_id having sum(d.amount_cents) > 0
      returning *
    ), settled as (
      update merchant_lines l set payout_id = m.id
      from due d join made m using (merchant_id)
      where l.merchant_id = d.merchant_id and l.id = d.id
    ), told as (
      insert into merchant_lines (merchant_id, id, kind, amount_cents, due_on, merchant_slug, merchant_name,
                                  of_payout_id, payout_id, occurred_at)
      select m.merchant_id, p.line_id, 'payout', -m.amount_cents, m.due_on, m.merchant_slug, m.merchant_name, m.id,
             m.id, m.created_at
      from made m join payees p using (merchant_id)
    )
    select * from made order by merchant_slug, id`);
}

export type PayoutRow = {
  id: string;
  merchant_id: number;
  merchant_slug: string;
  merchant_name: string;
  amount_cents: number;
  due_on: string;
  created_at: Date;
  status: PayoutStatus;
  closed_at: Date | null;
  reference: string | null;
  reason: string | null;
};

export async function lockPayout(tx: Tx, id: string): Promise<PayoutRow | undefined> {
  return tx.row(sql`select * from payouts where id = ${id} for update`);
}

export async function markClosed(
  tx: Tx,
  id: string,
  end: { status: 'paid'; reference: string } | { status: 'failed'; reason: string },
  now: Date,
): Promise<void> {
  const { reference = null, reason = null } = end as { reference?: string; reason?: string };
  await tx.run(sql`
    update payouts set status = ${end.status}, closed_at = ${now}, reference = ${reference}, reason = ${reason}
    where id = ${id}`);
}

/** `merchantId`: only if it belongs to that merchant. */
export async function findPayout(
  db: Queryable,
  id: string,
  merchantId?: number,
): Promise<PayoutRow | undefined> {
  return db.row(
    merchantId === undefined
      ? sql`select * from payouts where id = ${id}`
      : sql`select * from payouts where id = ${id} and merchant_id = ${merchantId}`,
  );
}

/** Payouts by these ids or bank numbers in lower case. The bank number is the end of the id: see `bankNumberOf`. */
export async function listNamedPayouts(db: Queryable, names: readonly string[]): Promise<PayoutRow[]> {
  return db.rows(sql`select * from payouts where id = any(${names}) or right(id, 20) = any(${names})`);
}

/** With the account of the merchant as it is now. */
export type ListedPayout = PayoutRow & { [K in keyof Account]: string | null };

type Filter = Narrowing & { status?: PayoutStatus | undefined; merchantId?: number | undefined };

export const listedPayouts = ({ status, merchantId, target, ...days }: Filter): Listing<ListedPayout> => ({
  of: sql`
    select payouts.*, a.pix_key, a.holder_name, a.tax_id
    from payouts left join payout_accounts a using (merchant_id)`,
  where: [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(merchantId === undefined ? [] : [sql`merchant_id = ${merchantId}`]),
    ...onDays(sql`created_at`, days),
  ],
  by: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
  sum: sql`amount_cents`,
  only: matchesSearch(target, { merchant: sql`merchant_id`, plain: [sql`id`, sql`reference`] }),
});

export type LineRow = Omit<NewLine, `merchant_${string}`> & { payout_id: string | null };

/** The lines that a payout settled, in order; without its own line. */
export async function listPayoutLines(
  db: Queryable,
  payoutId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; lines: LineRow[] }> {
  const [lines, counted] = await Promise.all([
    db.rows<LineRow>(sql`
      select id, kind, amount_cents, due_on, checkout_hash, of_payout_id, payout_id, occurred_at from merchant_lines
      where payout_id = ${payoutId} and kind <> 'payout' order by occurred_at, position limit ${limit} offset ${offset}`),
    db.row<{ total: number }>(
      sql`select count(*) as total from merchant_lines where payout_id = ${payoutId} and kind <> 'payout'`,
    ),
  ]);
  return { total: counted!.total, lines };
}

export type StatementRow = LineRow & { balance_after_cents: number };

/**
 * A page of a merchant's account, newest first, with the balance after each line, which includes all lines before it, also of
 * other days.
 */
export async function listStatement(
  db: Queryable,
  merchantId: number,
  { from, before }: { from: Date; before: Date },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; lines: StatementRow[] }> {
  const [lines, counted] = await Promise.all([
    db.rows<StatementRow>(sql`
      with page as materialized (
        select id, position, kind, amount_cents, due_on, checkout_hash, of_payout_id, payout_id, occurred_at
        from merchant_lines
        where merchant_id = ${merchantId} and occurred_at >= ${from} and occurred_at < ${before}
        order by occurred_at desc, position desc limit ${limit} offset ${offset}
      ), newest as (
        select occurred_at, position from page order by occurred_at desc, position desc limit 1
      ), carried as (
        select coalesce(sum(l.amount_cents), 0) as amount_cents from merchant_lines l, newest n
        where l.merchant_id = ${merchantId} and (l.occurred_at, l.position) <= (n.occurred_at, n.position)
      )
      select p.id, p.kind, p.amount_cents, p.due_on, p.checkout_hash, p.of_payout_id, p.payout_id, p.occurred_at,
             (c.amount_cents - coalesce(sum(p.amount_cents) over (
                order by p.occurred_at desc, p.position desc rows between unbounded preceding and 1 preceding), 0)
             )::bigint as balance_after_cents
      from page p, carried c order by p.occurred_at desc, p.position desc`),
    db.row<{ total: number }>(sql`
      select count(*) as total from merchant_lines
      where merchant_id = ${merchantId} and occurred_at >= ${from} and occurred_at < ${before}`),
  ]);
  return { total: counted!.total, lines };
}

type OwedToMerchant = {
  merchant_slug: string;
  merchant_name: string;
  /** In no payout yet, and what of it is due by the day. */
  owed_cents: number;
  due_cents: number;
  /** In payouts that the bank has not confirmed yet. */
  in_payouts_cents: number;
};

/** What each merchant is owed at the end of a day, the most first; zeros are left out. */
export async function listOwedToMerchants(db: Queryable, on: Day, before: Date): Promise<OwedToMerchant[]> {
  return db.rows(sql`
    select n.merchant_slug, n.merchant_name, o.owed_cents, o.due_cents, o.in_payouts_cents
    from (select merchant_id, sum(owed_cents)::bigint as owed_cents, sum(due_cents)::bigint as due_cents,
                 sum(in_payouts_cents)::bigint as in_payouts_cents
          from (select merchant_id, sum(amount_cents) as owed_cents,
                       coalesce(sum(amount_cents) filter (where due_on <= ${on}), 0) as due_cents, 0 as in_payouts_cents
                from merchant_lines where occurred_at < ${before} group by merchant_id
                union all
                select merchant_id, 0, 0, sum(amount_cents) from payouts
                where created_at < ${before} and (closed_at is null or closed_at >= ${before})
                group by merchant_id) as parts
          group by merchant_id
          having sum(owed_cents) <> 0 or sum(in_payouts_cents) <> 0) as o
    cross join lateral (
      select merchant_slug, merchant_name from merchant_lines l
      where l.merchant_id = o.merchant_id order by occurred_at desc, position desc limit 1) as n
    order by o.owed_cents + o.in_payouts_cents desc, n.merchant_slug`);
}
