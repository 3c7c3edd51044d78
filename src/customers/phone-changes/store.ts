import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import type { ResealBatch } from '#platform/privacy/personal-data.ts';
import type { Vault } from '#platform/vault.ts';

/** `taken`: another customer had the phone by the time it was to take effect. */
type PhoneChangeStatus = 'waiting' | 'done' | 'cancelled' | 'replaced' | 'taken';

type PhoneChangeRow = {
  id: string;
  customer_id: string;
  phones_sealed: Buffer;
  status: PhoneChangeStatus;
  asked_by: string;
  asked_at: Date;
  counts_at: Date;
  closed_at: Date | null;
};

type Phones = { from: string; to: string };
export type PhoneChange = Omit<PhoneChangeRow, 'phones_sealed'> & Phones;

const sealPhones = (vault: Vault, id: string, { from, to }: Phones): Buffer =>
  vault.pack(JSON.stringify({ from, to }), `phone change ${id}`);

function opened(vault: Vault, { phones_sealed, ...row }: PhoneChangeRow): PhoneChange {
  return { ...row, ...(JSON.parse(vault.unpack(phones_sealed, `phone change ${row.id}`)) as Phones) };
}

export const insertPhoneChange = (tx: Tx, change: Omit<PhoneChange, 'status' | 'closed_at'>) =>
  tx.run(sql`
    insert into phone_changes (id, customer_id, phones_sealed, status, asked_by, asked_at, counts_at)
    values (${change.id}, ${change.customer_id}, ${sealPhones(tx.vault, change.id, change)}, 'waiting',
            ${change.asked_by}, ${change.asked_at}, ${change.counts_at})`);

/** The one that waits. Whoever changes it has locked the customer. */
export async function findWaitingChange(db: Queryable, customerId: string): Promise<PhoneChange | undefined> {
  const row = await db.row<PhoneChangeRow>(sql`
    select * from phone_changes where customer_id = ${customerId} and status = 'waiting'`);
  return row && opened(db.vault, row);
}

export async function findPhoneChange(db: Queryable, id: string): Promise<PhoneChange | undefined> {
  const row = await db.row<PhoneChangeRow>(sql`select * from phone_changes where id = ${id}`);
  return row && opened(db.vault, row);
}

export async function listPhoneChanges(db: Queryable, customerId: string): Promise<PhoneChange[]> {
  const rows = await db.rows<PhoneChangeRow>(sql`
    select * from phone_changes where customer_id = ${customerId} order by asked_at, id`);
  return rows.map((row) => opened(db.vault, row));
}

/** Customers whose change is due by then, the longest due first. */
export async function listDueChanges(db: Queryable, by: Date, limit: number): Promise<string[]> {
  const rows = await db.rows<{ customer_id: string }>(sql`
    select customer_id from phone_changes where status = 'waiting' and counts_at <= ${by}
    order by counts_at, id limit ${limit}`);
  return rows.map(({ customer_id }) => customer_id);
}

/** The one that waits, if there is one. */
export const markChangeClosed = (
  tx: Tx,
  customerId: string,
  status: Exclude<PhoneChangeStatus, 'waiting'>,
  at: Date,
) =>
  tx.run(sql`
    update phone_changes set status = ${status}, closed_at = ${at}
    where customer_id = ${customerId} and status = 'waiting'`);

export const deletePhoneChanges = (tx: Tx, customerId: string) =>
  tx.run(sql`delete from phone_changes where customer_id = ${customerId}`);

export const purgeClosedChanges = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from phone_changes
      where id in (select id from phone_changes where status <> 'waiting' and closed_at < ${before} limit 1000)`),
  );

/** The next few after the given one: those with another key than the current one, or all. Their ids. */
export async function resealPhones(
  tx: Tx,
  vault: Vault,
  { afterId, limit, all }: ResealBatch,
): Promise<string[]> {
  const rows = await tx.rows<PhoneChangeRow>(sql`
    select * from phone_changes
    where id > ${afterId} and (${all} or substr(phones_sealed, 1, 4) <> ${vault.packedVersion})
    order by id limit ${limit} for no key update`);
  for (const row of rows)
    await tx.run(sql`
      update phone_changes set phones_sealed = ${sealPhones(vault, row.id, opened(vault, row))} where id = ${row.id}`);
  return rows.map(({ id }) => id);
}
