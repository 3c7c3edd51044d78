import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, runInBatches, sql, type Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';
import { phone_changes } from '../generated/tables.ts';

type PhonePair = { from: string; to: string };

export const phoneChanges = columns({
  ...phone_changes,
  phones_sealed: column.encrypted<PhonePair>({ context: 'phone change' }),
});
/** `counts_at`: when the change takes effect. */
type PhoneChangeRow = RowOf<typeof phoneChanges>;
/** The status is `taken` if another customer had registered the phone when the change became due. */
type PhoneChangeStatus = PhoneChangeRow['status'];
const { phones_sealed: phonesColumn } = phoneChanges.declarations;
export type PhoneChange = Omit<PhoneChangeRow, 'phones_sealed'> & PhonePair;

const decryptRow = (vault: Vault, { phones_sealed, ...row }: PhoneChangeRow): PhoneChange => ({
  ...row,
  ...phonesColumn.decrypt(vault, row.id, phones_sealed),
});

export const insertPhoneChange = (
  tx: Tx,
  { from, to, ...change }: Omit<PhoneChange, 'status' | 'closed_at'>,
) =>
  tx.run(sql`
    insert into phone_changes ${phoneChanges.values({
      ...change,
      phones_sealed: phonesColumn.encrypt(tx.vault, change.id, { from, to }),
      status: 'waiting',
      closed_at: null,
    })}`);

/** Finds the pending change. A caller that changes it must have locked the customer. */
export async function findPendingChange(db: Queryable, customerId: string): Promise<PhoneChange | undefined> {
  const row = await db.row<PhoneChangeRow>(sql`
    select * from phone_changes where customer_id = ${customerId} and status = 'waiting'`);
  return row && decryptRow(db.vault, row);
}

export async function findPhoneChange(db: Queryable, id: string): Promise<PhoneChange | undefined> {
  const row = await db.row<PhoneChangeRow>(sql`select * from phone_changes where id = ${id}`);
  return row && decryptRow(db.vault, row);
}

export const listCustomersDueToChange = (db: Queryable, now: Date, limit: number) =>
  db.values<string>(sql`
    select customer_id from phone_changes where status = 'waiting' and counts_at <= ${now}
    order by counts_at, id limit ${limit}`);

export const closePendingChange = (
  tx: Tx,
  customerId: string,
  status: Exclude<PhoneChangeStatus, 'waiting'>,
  closedAt: Date,
) =>
  tx.run(sql`
    update phone_changes set status = ${status}, closed_at = ${closedAt}
    where customer_id = ${customerId} and status = 'waiting'`);

export const purgeClosedChanges = (db: Queryable, before: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from phone_changes
      where id in (select id from phone_changes where status <> 'waiting' and closed_at < ${before} limit 1000)`),
  );
