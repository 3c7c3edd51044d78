import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';

const hashSecret = (vault: Vault, secret: string): Buffer => vault.hash('calendar feed', secret);

export const findCalendarFeed = (db: Queryable, customerId: string) =>
  db.row<{ created_at: Date }>(sql`select created_at from calendar_feeds where customer_id = ${customerId}`);

export const findCalendarOwner = (db: Queryable, secret: string) =>
  db.value<string>(
    sql`select customer_id from calendar_feeds where secret_hash = ${hashSecret(db.vault, secret)}`,
  );

/** Creates the secret URL of a customer, which replaces an earlier one. */
export async function replaceCalendarFeed(tx: Tx, customerId: string, secret: string, createdAt: Date) {
  await deleteCalendarFeed(tx, customerId);
  await tx.run(sql`
    insert into calendar_feeds (secret_hash, customer_id, created_at)
    values (${hashSecret(tx.vault, secret)}, ${customerId}, ${createdAt})`);
}

export const deleteCalendarFeed = (tx: Tx, customerId: string) =>
  tx.run(sql`delete from calendar_feeds where customer_id = ${customerId}`);
