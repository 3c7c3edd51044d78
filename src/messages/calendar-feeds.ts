import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';

const hashOf = (vault: Vault, secret: string): Buffer => vault.hash('calendar feed', secret);

export const findCalendarFeed = (db: Queryable, customerId: string) =>
  db.row<{ created_at: Date }>(sql`select created_at from calendar_feeds where customer_id = ${customerId}`);

/** The customer whose calendar is at a secret address. */
export async function findCalendarOwner(db: Queryable, secret: string): Promise<string | undefined> {
  const row = await db.row<{ customer_id: string }>(sql`
    select customer_id from calendar_feeds where secret_hash = ${hashOf(db.vault, secret)}`);
  return row?.customer_id;
}

/** A customer has one address: a new one replaces it. */
export async function putCalendarFeed(tx: Tx, customerId: string, secret: string, at: Date): Promise<void> {
  await deleteCalendarFeed(tx, customerId);
  await tx.run(sql`
    insert into calendar_feeds (secret_hash, customer_id, created_at)
    values (${hashOf(tx.vault, secret)}, ${customerId}, ${at})`);
}

export const deleteCalendarFeed = (tx: Tx, customerId: string) =>
  tx.run(sql`delete from calendar_feeds where customer_id = ${customerId}`);
