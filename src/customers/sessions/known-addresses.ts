import { queueCustomerMessage } from '#messages';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import { hashPhone } from '../identity.ts';
import type { OriginHashes, Recognition } from '../origin.ts';

/** More addresses and devices than a customer uses. The newest ones are retained. */
const MAX_ADDRESSES_PER_CUSTOMER = 10;

/**
 * Recognizes the IP address or the device if a session of the phone's owner was recently opened or refreshed there. Registered and
 * unknown phones run the same statement, so its duration reveals nothing.
 */
export async function recognizeOrigin(
  db: Queryable,
  phone: string,
  { address, device }: OriginHashes,
): Promise<Recognition> {
  const hashes = device ? [address, device] : [address];
  const row = await db.row<{ is_known: boolean | null }>(sql`
    select bool_or(k.address = any(${hashes}::bytea[])) as is_known
    from customer_phones p left join known_addresses k on k.customer_id = p.customer_id
    where p.phone_hash = ${hashPhone(db.vault, phone)} group by p.customer_id`);
  return { isRegistered: row !== undefined, isKnown: row?.is_known ?? false };
}

/** Stores that the customer used the IP address and the device. The customer gets a message about each new address except the first. */
export async function recordOrigin(
  tx: Tx,
  customerId: string,
  { address, device }: OriginHashes,
  now: Date,
): Promise<void> {
  // The address first: the device is not an address that the customer used before.
  const isNewAddress = await recordHash(tx, customerId, address, now);
  if (device) await recordHash(tx, customerId, device, now);
  if (!isNewAddress) return;
  const at = now.toISOString();
  queueCustomerMessage(tx, customerId, { template: 'new_session', data: { at }, subject: at, now });
}

/**
 * Returns whether the hash is new and not the first of the customer. `seen_at` is updated at most once a day, so that a refresh rarely
 * writes. Locked rows are not deleted, which prevents deadlocks.
 */
async function recordHash(tx: Tx, customerId: string, hash: Buffer, now: Date): Promise<boolean> {
  const recorded = await tx.row<{ is_new: boolean }>(sql`
    insert into known_addresses as k (address, customer_id, seen_at) values (${hash}, ${customerId}, ${now})
    on conflict (address, customer_id) do update set seen_at = excluded.seen_at
    where k.seen_at < excluded.seen_at - interval '1 day'
    returning xmax = 0 and exists (
      select from known_addresses o where o.customer_id = ${customerId} and o.address <> ${hash}) as is_new`);
  if (!recorded) return false;
  await tx.run(sql`
    delete from known_addresses k
    using (select address from known_addresses where customer_id = ${customerId}
           order by seen_at desc, address offset ${MAX_ADDRESSES_PER_CUSTOMER} for update skip locked) as old
    where k.customer_id = ${customerId} and k.address = old.address`);
  return recorded.is_new;
}

export const deleteKnownAddresses = (tx: Tx, customerId: string) =>
  tx.run(sql`delete from known_addresses where customer_id = ${customerId}`);

export const purgeOldAddresses = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from known_addresses k
      using (select address, customer_id from known_addresses where seen_at < ${before} limit 1000
             for update skip locked) as old
      where k.address = old.address and k.customer_id = old.customer_id`),
  );
