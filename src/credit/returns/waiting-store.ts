import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { type Listing, onDays } from '#platform/http/listing.ts';

export const WAITING_STATUSES = ['waiting', 'made', 'refused'] as const;
export type WaitingStatus = (typeof WAITING_STATUSES)[number];

export type WaitingReturnRow = {
  id: string;
  merchant_id: number;
  merchant_slug: string;
  merchant_name: string;
  customer_id: string;
  checkout_hash: string;
  amount_cents: number;
  reason: string;
  asked_at: Date;
  asked_by: string;
  status: WaitingStatus;
  closed_at: Date | null;
  closed_by: string | null;
  refusal: string | null;
};

type NewWaitingReturn = Omit<WaitingReturnRow, 'status' | 'closed_at' | 'closed_by' | 'refusal'>;

export async function insertWaitingReturn(tx: Tx, asked: NewWaitingReturn): Promise<WaitingReturnRow> {
  const row = await tx.row<WaitingReturnRow>(sql`
    insert into waiting_returns (id, merchant_id, merchant_slug, merchant_name, customer_id, checkout_hash, amount_cents,
                                 reason, asked_at, asked_by)
    values (${asked.id}, ${asked.merchant_id}, ${asked.merchant_slug}, ${asked.merchant_name}, ${asked.customer_id},
            ${asked.checkout_hash}, ${asked.amount_cents}, ${asked.reason}, ${asked.asked_at}, ${asked.asked_by})
    returning *`);
  return row!;
}

/** What waits to be returned of a purchase. The caller has locked its customer. */
export async function sumWaiting(tx: Tx, hash: string): Promise<number> {
  const row = await tx.row<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from waiting_returns
    where checkout_hash = ${hash} and status = 'waiting'`);
  return row!.cents;
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

/** Returns that had to wait, of all merchants or of one. */
export const listedWaiting = ({
  status,
  merchantId,
  ...days
}: {
  status?: WaitingStatus | undefined;
  merchantId?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}): Listing<WaitingReturnRow> => ({
  of: sql`select * from waiting_returns`,
  where: [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(merchantId === undefined ? [] : [sql`merchant_id = ${merchantId}`]),
    ...onDays(sql`asked_at`, days),
  ],
  by: [sql`asked_at`, sql`id`],
  keyOf: ({ asked_at, id }) => [asked_at, id],
});
