import { queueCustomerMessage } from '#messages';
import { type Queryable, runInBatches, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { hashPhone } from '../identity.ts';

export type EndReason =
  | 'logout'
  | 'locked'
  | 'password_set'
  | 'phone_changed'
  | 'refresh_reused'
  /** The member continued at another merchant. */
  | 'switched'
  /** The member was removed. */
  | 'removed';

export type SessionKey = { readonly principalId: string; readonly sessionId: string };
export type RefreshUpdate = { readonly hash: Buffer; readonly expiresAt: Date };

export type NewSession = {
  principalId: string;
  id: string;
  partnerId: string;
  createdAt: Date;
  refreshHash: Buffer;
  refreshExpiresAt: Date;
};

export type SessionRow = {
  partner_id: string;
  refresh_hash: Buffer;
  refresh_expires_at: Date;
  ended_at: Date | null;
};
export type OpenSessionRow = { id: string; created_at: Date; refresh_expires_at: Date };

/** A customer who has logged in through a partner. `since` is the time of the first login. */
export type CustomerPartner = { customerId: string; partnerId: string; since: Date };

export const listCustomerPartners = (db: Queryable, customerIds: readonly string[]) =>
  db.rows<CustomerPartner>(sql`
    select customer_id as "customerId", partner_id as "partnerId", since from customer_partners
    where customer_id = any(${customerIds})`);

/** Creates the statements on the sessions of one kind of principal. `owner` is the column with the id of the principal. */
export const createSessionStore = (table: Sql, owner: Sql) => ({
  insert: (tx: Tx, session: NewSession) =>
    tx.run(sql`
      insert into ${table} (${owner}, id, partner_id, created_at, refresh_hash, refresh_expires_at)
      values (${session.principalId}, ${session.id}, ${session.partnerId}, ${session.createdAt},
              ${session.refreshHash}, ${session.refreshExpiresAt})`),
  lock: (tx: Tx, principalId: string, id: string) =>
    tx.row<SessionRow>(sql`
      select partner_id, refresh_hash, refresh_expires_at, ended_at from ${table}
      where ${owner} = ${principalId} and id = ${id} for update`),
  /** Lists the most recently refreshed session first. */
  listOpen: (db: Queryable, principalId: string, now: Date) =>
    db.rows<OpenSessionRow>(sql`
      select id, created_at, refresh_expires_at from ${table}
      where ${owner} = ${principalId} and ended_at is null and refresh_expires_at > ${now}
      order by refresh_expires_at desc, id desc limit 100`),
  markRefreshed: (tx: Tx, principalId: string, id: string, refresh: RefreshUpdate) =>
    tx.run(sql`
      update ${table} set refresh_hash = ${refresh.hash}, refresh_expires_at = ${refresh.expiresAt}
      where ${owner} = ${principalId} and id = ${id}`),
  markEnded: (tx: Tx, principalId: string, id: string, reason: EndReason, endedAt: Date) =>
    tx.run(sql`
      update ${table} set ended_at = ${endedAt}, ended_reason = ${reason}
      where ${owner} = ${principalId} and id = ${id} and ended_at is null`),
  /** Returns the ids of the sessions. */
  markAllEnded: (tx: Tx, principalId: string, reason: EndReason, endedAt: Date) =>
    tx.values<string>(sql`
      update ${table} set ended_at = ${endedAt}, ended_reason = ${reason}
      where ${owner} = ${principalId} and ended_at is null returning id`),
  /** Deletes sessions that ended, or whose refresh token expired, before the given time. */
  purge: (db: Queryable, before: Date) =>
    runInBatches(() =>
      db.run(sql`
        delete from ${table} as session
        using (select ${owner} as owner_id, id from ${table}
               where ended_at < ${before} or refresh_expires_at < ${before} limit 1000) as old
        where session.${owner} = old.owner_id and session.id = old.id`),
    ),
});
export type SessionStore = ReturnType<typeof createSessionStore>;

const statements = createSessionStore(sql`sessions`, sql`customer_id`);

export const customerSessions: SessionStore = {
  ...statements,
  async insert(tx, session) {
    const [insertedCount] = await Promise.all([
      statements.insert(tx, session),
      tx.run(sql`
        insert into customer_partners as existing (customer_id, partner_id, since)
        values (${session.principalId}, ${session.partnerId}, ${session.createdAt})
        on conflict (customer_id, partner_id) do update set since = excluded.since where excluded.since < existing.since`),
    ]);
    return insertedCount;
  },
  /** Also deletes the known addresses of the customer. */
  async markAllEnded(tx, customerId, reason, endedAt) {
    const endedIds = await statements.markAllEnded(tx, customerId, reason, endedAt);
    await tx.run(sql`delete from known_addresses where customer_id = ${customerId}`);
    return endedIds;
  },
};

/** Keyed hashes of the IP address and the device that a request comes from. */
export type OriginHashes = { address: Buffer; device: Buffer | null };

export type Recognition = {
  /** Whether the phone belongs to a principal. */
  isRegistered: boolean;
  /** Whether its owner recently used a session from this IP address or on this device. */
  isKnown: boolean;
};

/** More addresses and devices than a customer uses. The newest ones are retained. */
const MAX_ADDRESSES_PER_CUSTOMER = 10;

/**
 * Recognizes the IP address or the device if a session of the phone's owner was recently opened or refreshed there. Registered and
 * unknown phones run the same statement, so its duration reveals nothing.
 */
export async function recognizeOrigin(db: Queryable, phone: string, { address, device }: OriginHashes) {
  const hashes = device ? [address, device] : [address];
  const row = await db.row<{ is_known: boolean | null }>(sql`
    select bool_or(known.address = any(${hashes}::bytea[])) as is_known
    from customer_phones phone left join known_addresses known on known.customer_id = phone.customer_id
    where phone.phone_hash = ${hashPhone(db.vault, phone)} group by phone.customer_id`);
  return { isRegistered: row !== undefined, isKnown: row?.is_known ?? false };
}

/** Stores that the customer used the IP address and the device. The customer gets a message about each new address except the first. */
export async function recordOrigin(
  tx: Tx,
  { principalId: customerId }: SessionKey,
  { address, device }: OriginHashes,
  now: Date,
): Promise<void> {
  // Recorded before the device, whose hash would make the first address of a customer look like an additional one.
  const isNewAddress = await recordHash(tx, customerId, address, now);
  if (device) await recordHash(tx, customerId, device, now);
  if (!isNewAddress) return;
  const at = now.toISOString();
  queueCustomerMessage(tx, customerId, { template: 'new_session', data: { at }, subjectKey: at, now });
}

/**
 * Stores the hash of an address or device. Returns whether it is new (an inserted row has the xmax 0) and not the first of the customer.
 * `seen_at` is updated at most once a day, so that a refresh rarely writes. Locked old rows are not deleted, which prevents deadlocks.
 */
async function recordHash(tx: Tx, customerId: string, hash: Buffer, now: Date): Promise<boolean> {
  const insertedRow = await tx.row<{ is_new: boolean }>(sql`
    insert into known_addresses as known (address, customer_id, seen_at) values (${hash}, ${customerId}, ${now})
    on conflict (address, customer_id) do update set seen_at = excluded.seen_at
    where known.seen_at < excluded.seen_at - interval '1 day'
    returning xmax = 0 and exists (
      select from known_addresses other where other.customer_id = ${customerId} and other.address <> ${hash}) as is_new`);
  if (!insertedRow) return false;
  await tx.run(sql`
    delete from known_addresses known
    using (select address from known_addresses where customer_id = ${customerId}
           order by seen_at desc, address offset ${MAX_ADDRESSES_PER_CUSTOMER} for update skip locked) as old
    where known.customer_id = ${customerId} and known.address = old.address`);
  return insertedRow.is_new;
}

export const purgeOldAddresses = (db: Queryable, before: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from known_addresses known
      using (select address, customer_id from known_addresses where seen_at < ${before} limit 1000
             for update skip locked) as old
      where known.address = old.address and known.customer_id = old.customer_id`),
  );
