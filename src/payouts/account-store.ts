import type { MerchantBuyer } from '#credit';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import { payout_accounts } from './generated/tables.ts';

export type AccountDetails = { pix_key: string; holder_name: string; tax_id: string };
export type AccountChange = AccountDetails & { asked_by: string; asked_at: string };

const accountColumns = columns({
  ...omit(payout_accounts, 'merchant_id'),
  change: column.jsonb<AccountChange>().nullable(),
});
/** The fields of the account are null if none is set. `change` is null if no change is pending; it takes effect at `change_counts_at`. */
export type PayoutAccountRow = RowOf<typeof accountColumns>;

const EMPTY_ACCOUNT: PayoutAccountRow = {
  pix_key: null,
  holder_name: null,
  tax_id: null,
  change: null,
  change_counts_at: null,
};

export async function findPayoutAccount(db: Queryable, merchantId: number): Promise<PayoutAccountRow> {
  const row = await db.row<PayoutAccountRow>(sql`
    select ${accountColumns.selectFrom('account')} from payout_accounts account where account.merchant_id = ${merchantId}`);
  return row ?? EMPTY_ACCOUNT;
}

const selectAccountsForBuyers = batchable(
  (rows: readonly MerchantBuyer[], customerSql) => sql`
    select ${customerSql} as customer_id, ${accountColumns.selectFrom('account')}
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'merchantId')}::bigint[]) as input (customer_id, merchant_id)
    join payout_accounts account on account.merchant_id = input.merchant_id`,
);

/** Lists the CPFs and CNPJs of the current and the pending account, and their PIX keys, because a PIX key can be a CPF or CNPJ. */
export async function listPayeeTaxIds(db: Queryable, buyer: MerchantBuyer): Promise<string[]> {
  const { tax_id, pix_key, change } =
    (await db.row<PayoutAccountRow>(selectAccountsForBuyers(buyer))) ?? EMPTY_ACCOUNT;
  return [tax_id, pix_key, change?.tax_id, change?.pix_key].filter((id) => id !== undefined && id !== null);
}

/** Locks an account. Every transaction that changes an account locks it first, so a change is not applied and cancelled concurrently. */
export async function lockPayoutAccount(tx: Tx, merchantId: number): Promise<PayoutAccountRow> {
  await tx.run(sql`insert into payout_accounts (merchant_id) values (${merchantId}) on conflict do nothing`);
  await tx.run(sql`select from payout_accounts where merchant_id = ${merchantId} for no key update`);
  return findPayoutAccount(tx, merchantId);
}

/**
 * Saves the account, and deletes a pending change. Pending payouts without an account get this account; other payouts do not change. The
 * caller has locked the account.
 */
export async function saveAccount(tx: Tx, merchantId: number, account: AccountDetails): Promise<void> {
  await tx.run(sql`
    update payouts set pix_key = ${account.pix_key}, holder_name = ${account.holder_name}, tax_id = ${account.tax_id}
    where merchant_id = ${merchantId} and status = 'pending' and pix_key is null`);
  await tx.run(sql`
    update payout_accounts set pix_key = ${account.pix_key}, holder_name = ${account.holder_name},
      tax_id = ${account.tax_id}, change = null, change_counts_at = null
    where merchant_id = ${merchantId}`);
}

/** Saves a pending change. The caller has locked the account. */
export const saveAccountChange = (
  tx: Tx,
  merchantId: number,
  { change, effectiveAt }: { change: AccountChange; effectiveAt: Date },
) =>
  tx.run(sql`
    update payout_accounts set change = ${JSON.stringify(change)}::jsonb, change_counts_at = ${effectiveAt}
    where merchant_id = ${merchantId}`);

/** Deletes a pending change, if there is one. The caller has locked the account. */
export const deleteAccountChange = (tx: Tx, merchantId: number) =>
  tx.run(sql`
    update payout_accounts set change = null, change_counts_at = null where merchant_id = ${merchantId}`);

/** Lists the merchants whose pending change is due, the earliest first. */
export const listMerchantIdsWithDueChange = (db: Queryable, now: Date, limit: number) =>
  db.values<number>(sql`
    select merchant_id from payout_accounts where change_counts_at <= ${now} order by change_counts_at limit ${limit}`);
