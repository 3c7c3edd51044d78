import { Type } from 'typebox';
import { filterByMerchant } from '#catalog';
import { columns, type RowOf, type TableRow } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { describeSearch } from '#platform/http/search.ts';
import { omit } from '#platform/omit.ts';
import { waiting_returns } from '../generated/tables.ts';

/** `made`: approved and carried out. */
export const WAITING_RETURN_STATUSES = ['waiting', 'made', 'refused'] as const;

const requestColumns = columns(omit(waiting_returns, 'status', 'closed_at', 'closed_by', 'refusal'));

/** A return that needs or needed the approval of the operator. */
export type WaitingReturnRow = TableRow<typeof waiting_returns>;

export async function insertWaitingReturn(tx: Tx, request: RowOf<typeof requestColumns>) {
  const row = await tx.row<WaitingReturnRow>(sql`
    insert into waiting_returns ${requestColumns.values(request)} returning *`);
  return row!;
}

/** Sums the waiting returns of a purchase. The caller has locked its customer. */
export const sumWaitingReturns = async (tx: Tx, hash: string) =>
  (await tx.value<number>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from waiting_returns
    where checkout_hash = ${hash} and status = 'waiting'`))!;

export const listWaitingAndRefused = (db: Queryable, customerId: string, hash: string) =>
  db.rows<WaitingReturnRow>(sql`
    select * from waiting_returns
    where customer_id = ${customerId} and checkout_hash = ${hash} and status <> 'made' order by asked_at, id`);

export const findWaitingReturn = (db: Queryable, id: string) =>
  db.row<WaitingReturnRow>(sql`select * from waiting_returns where id = ${id}`);

export const lockWaitingReturn = (tx: Tx, id: string) =>
  tx.row<WaitingReturnRow>(sql`select * from waiting_returns where id = ${id} for no key update`);

export const closeWaitingReturn = (
  tx: Tx,
  id: string,
  decision: { status: 'made' | 'refused'; staffUserId: string; closedAt: Date; refusal: string | null },
) =>
  tx.run(sql`
    update waiting_returns set status = ${decision.status}, closed_at = ${decision.closedAt}, closed_by = ${decision.staffUserId},
      refusal = ${decision.refusal}
    where id = ${id}`);

export const waitingReturnList = defineList({
  select: sql`select * from waiting_returns`,
  filters: {
    status: filterBy(Type.Enum([...WAITING_RETURN_STATUSES]), sql`status`),
    merchant: filterByMerchant(sql`merchant_id`),
    ...filterByDays('Requested', sql`asked_at`),
  },
  search: {
    description: describeSearch('the merchant’s name, or the hash of a purchase'),
    customerColumn: sql`customer_id`,
    merchantColumn: sql`merchant_id`,
    idColumns: [sql`id`],
    ownedIdColumns: [sql`checkout_hash`],
  },
  orderBy: [sql`asked_at`, sql`id`],
  keyOf: ({ asked_at, id }: WaitingReturnRow) => [asked_at, id],
  sumColumn: sql`amount_cents`,
});

export const countWaitingReturns = async (db: Queryable) =>
  (await db.value<number>(sql`select count(*) from waiting_returns where status = 'waiting'`))!;
