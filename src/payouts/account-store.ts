import { type Queryable, sql, type Tx } from '#platform/database/db.ts';

export type Account = { pix_key: string; holder_name: string; tax_id: string };
export type AccountChange = Account & { asked_by: string; asked_at: string };

/** The account is null where nothing is known yet; the change where none waits. */
export type PayoutAccountRow = { [K in keyof Account]: string | null } & {
  change: AccountChange | null;
  change_counts_at: Date | null;
};

const NONE: PayoutAccountRow = {
  pix_key: null,
  holder_name: null,
  tax_id: null,
  change: null,
  change_counts_at: null,
};

export async function findPayoutAccount(db: Queryable, merchantId: number): Promise<PayoutAccountRow> {
  const row = await db.row<PayoutAccountRow>(sql`
    select pix_key, holder_name, tax_id, change, change_counts_at from payout_accounts where merchant_id = ${merchantId}`);
  return row ?? NONE;
}

/** Whoever changes it locks it first: a change that takes effect comes before or after one that is stopped. */
export async function lockPayoutAccount(tx: Tx, merchantId: number): Promise<PayoutAccountRow> {
  await tx.run(sql`insert into payout_accounts (merchant_id) values (${merchantId}) on conflict do nothing`);
  await tx.run(sql`select from payout_accounts where merchant_id = ${merchantId} for no key update`);
  return findPayoutAccount(tx, merchantId);
}

/** It counts from now on; a change that waited is gone. The caller has locked it. */
export async function markAccount(tx: Tx, merchantId: number, account: Account): Promise<void> {
  await tx.run(sql`
    update payout_accounts set pix_key = ${account.pix_key}, holder_name = ${account.holder_name},
      tax_id = ${account.tax_id}, change = null, change_counts_at = null
    where merchant_id = ${merchantId}`);
}

/** Null: none waits any more. The caller has locked it. */
export async function markAccountChange(
  tx: Tx,
  merchantId: number,
  waiting: { change: AccountChange; countsAt: Date } | null,
): Promise<void> {
  await tx.run(sql`
    update payout_accounts set change = ${waiting && JSON.stringify(waiting.change)}::jsonb,
      change_counts_at = ${waiting?.countsAt ?? null}
    where merchant_id = ${merchantId}`);
}

/** Merchants whose change is due by then, the longest due first. */
export async function listDueAccountChanges(db: Queryable, by: Date, limit: number): Promise<number[]> {
  const rows = await db.rows<{ merchant_id: number }>(sql`
    select merchant_id from payout_accounts where change_counts_at <= ${by} order by change_counts_at limit ${limit}`);
  return rows.map(({ merchant_id }) => merchant_id);
}
