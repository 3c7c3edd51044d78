import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { type Listing, type Narrowing, onDays } from '#platform/http/listing.ts';
import { matchesSearch } from '#platform/http/search.ts';

export const WAITING_STATUSES = ['waiting', 'made', 'refused'] as const;
export type WaitingStatus = (typeof WAITING_STATUSES)[number];

const asked = columns({
  id: column.text(),
  merchant_id: column.bigint(),
  merchant_slug: column.text(),
  merchant_name: column.text(),
  customer_id: column.text(),
  checkout_hash: column.text(),
  amount_cents: column.bigint(),
  reason: column.text(),
  asked_at: column.timestamptz(),
  asked_by: column.text(),
});

export type WaitingReturnRow = RowOf<typeof asked> & {
  status: WaitingStatus;
  closed_at: Date | null;
  closed_by: string | null;
  refusal: string | null;
};

export async function insertWaitingReturn(tx: Tx, made: RowOf<typeof asked>): Promise<WaitingReturnRow> {
  const row = await tx.row<WaitingReturnRow>(sql`
    insert into waiting_returns ${asked.values(made)} returning *`);
  return row!;
}

/** What waits to be returned of a purchase. The caller has locked its customer. */
export async function sumWaiting(tx: Tx, hash: string): Promise<number> {
  const row = await tx.row<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from waiting_returns
    where checkout_hash = ${hash} and status = 'waiting'`);
  return row!.cents;
}

/** Of a purchase: those that wait, and those that were refused. */
export async function listNotMade(
  db: Queryable,
  customerId: string,
  hash: string,
): Promise<WaitingReturnRow[]> {
  return db.rows(sql`
    select * from waiting_returns
    where customer_id = ${customerId} and checkout_hash = ${hash} and status <> 'made' order by asked_at, id`);
}

export async function findWaitingReturn(db: Queryable, id: string): Promise<WaitingReturnRow | undefined> {
  return db.row(sql`select * from waiting_returns where id = ${id}`);
}

export async function lockWaitingReturn(tx: Tx, id: string): Promise<WaitingReturnRow | undefined> {
  return tx.row(sql`select * from waiting_returns where id = ${id} for no key update`);
}

export async function markWaitingClosed(
  tx: Tx,
  id: string,
  end: { status: 'made' | 'refused'; by: string; at: Date; refusal: string | null },
): Promise<void> {
  await tx.run(sql`
    update waiting_returns set status = ${end.status}, closed_at = ${end.at}, closed_by = ${end.by},
      refusal = ${end.refusal}
    where id = ${id}`);
}

type Filter = Narrowing & { status?: WaitingStatus | undefined; merchantId?: number | undefined };

/** Returns that had to wait, of all merchants or of one. */
export const listedWaiting = ({
  status,
  merchantId,
  target,
  ...days
}: Filter): Listing<WaitingReturnRow> => ({
  of: sql`select * from waiting_returns`,
  where: [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(merchantId === undefined ? [] : [sql`merchant_id = ${merchantId}`]),
    ...onDays(sql`asked_at`, days),
  ],
  by: [sql`asked_at`, sql`id`],
  keyOf: ({ asked_at, id }) => [asked_at, id],
  sum: sql`amount_cents`,
  only: matchesSearch(target, {
    customer: sql`customer_id`,
    merchant: sql`merchant_id`,
    plain: [sql`id`],
    owned: [sql`checkout_hash`],
  }),
});

export async function countWaitingReturns(db: Queryable): Promise<number> {
  const row = await db.row<{ n: number }>(
    sql`select count(*) as n from waiting_returns where status = 'waiting'`,
  );
  return row!.n;
}
