import { tellCustomer } from '#messages';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import { hashPhone } from '../people.ts';

/** More than people use. Beyond that the newest are kept. */
const MOST_OF_A_CUSTOMER = 10;

/**
 * Whether a session of the phone's customer was recently opened or refreshed from the address. The same statement for registered
 * and unknown phones.
 */
export async function isKnownAddress(db: Queryable, phone: string, address: Buffer): Promise<boolean> {
  const row = await db.row(sql`
    select from known_addresses k join customer_phones p on p.customer_id = k.customer_id
    where p.phone_hash = ${hashPhone(db.vault, phone)} and k.address = ${address}`);
  return row !== undefined;
}

/**
 * Precise to the day, so that a refresh seldom writes. Old addresses that are locked are skipped, which prevents deadlocks. The customer
 * gets a message about a new address, except the first.
 */
export async function noteAddress(tx: Tx, customerId: string, address: Buffer, now: Date): Promise<void> {
  const noted = await tx.row<{ is_new: boolean }>(sql`
    insert into known_addresses as k (address, customer_id, seen_at) values (${address}, ${customerId}, ${now})
    on conflict (address, customer_id) do update set seen_at = excluded.seen_at
    where k.seen_at < excluded.seen_at - interval '1 day'
    returning xmax = 0 and exists (
      select from known_addresses o where o.customer_id = ${customerId} and o.address <> ${address}) as is_new`);
  if (!noted) return;
  if (noted.is_new) {
    const at = now.toISOString();
    tellCustomer(tx, customerId, { template: 'new_session', parts: { at }, about: at, now });
  }
  await tx.run(sql`
    delete from known_addresses k
    using (select address from known_addresses where customer_id = ${customerId}
           order by seen_at desc, address offset ${MOST_OF_A_CUSTOMER} for update skip locked) as old
    where k.customer_id = ${customerId} and k.address = old.address`);
}

export const purgeAddressesOf = (tx: Tx, customerId: string) =>
  tx.run(sql`delete from known_addresses where customer_id = ${customerId}`);

export const purgeOldAddresses = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from known_addresses k
      using (select address, customer_id from known_addresses where seen_at < ${before} limit 1000
             for update skip locked) as old
      where k.address = old.address and k.customer_id = old.customer_id`),
  );
