import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import { notifyChange } from '#platform/nodes/change-feed.ts';
import { purgeAddressesOf } from './known-addresses.ts';

export type EndReason =
  | 'logout'
  | 'locked'
  | 'password_set'
  | 'phone_changed'
  | 'refresh_reused'
  | 'switched'
  | 'removed';

/** Whose token it is: a customer's, or that of a member of a merchant. Neither is accepted in place of the other. */
export type HolderKind = 'customer' | 'member';

/** Whose session it is, and with which partner. */
export type SessionClaims = { kind: HolderKind; holderId: string; sessionId: string; partnerId: string };

export type SessionName = { readonly holderId: string; readonly sessionId: string };
export type NewRefresh = { readonly hash: Buffer; readonly expiresAt: Date };

export type NewSession = {
  holderId: string;
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

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  tx.write(sql`
    insert into sessions (customer_id, id, partner_id, created_at, refresh_hash, refresh_expires_at)
    values (${session.holderId}, ${session.id}, ${session.partnerId}, ${session.createdAt},
            ${session.refreshHash}, ${session.refreshExpiresAt})`);
  await tx.run(sql`
    insert into customer_partners as p (customer_id, partner_id, since)
    values (${session.holderId}, ${session.partnerId}, ${session.createdAt})
    on conflict (customer_id, partner_id) do update set since = excluded.since where excluded.since < p.since`);
}

/** A customer who has logged in through a partner, and since when. */
export type CustomerPartner = { customerId: string; partnerId: string; since: Date };

/** Which of these customers have logged in through which partner, and since when. */
export const listCustomerPartners = (db: Queryable, customerIds: readonly string[]) =>
  db.rows<CustomerPartner>(sql`
    select customer_id as "customerId", partner_id as "partnerId", since from customer_partners
    where customer_id = any(${customerIds})`);

export const lockSession = (tx: CustomerTx, customerId: string, id: string) =>
  tx.row<SessionRow>(sql`
    select partner_id, refresh_hash, refresh_expires_at, ended_at from sessions
    where customer_id = ${customerId} and id = ${id} for update`);

/** The customer's usable sessions, the last refreshed first. */
export const listOpenSessions = (db: Queryable, customerId: string, now: Date) =>
  db.rows<{ id: string; created_at: Date; refresh_expires_at: Date }>(sql`
    select id, created_at, refresh_expires_at from sessions
    where customer_id = ${customerId} and ended_at is null and refresh_expires_at > ${now}
    order by refresh_expires_at desc, id desc limit 100`);

export const markRefreshed = (tx: Tx, customerId: string, id: string, refresh: NewRefresh) =>
  tx.run(sql`
    update sessions set refresh_hash = ${refresh.hash}, refresh_expires_at = ${refresh.expiresAt}
    where customer_id = ${customerId} and id = ${id}`);

export async function markEnded(tx: Tx, customerId: string, id: string, reason: EndReason, at: Date) {
  const ended = await tx.run(sql`
    update sessions set ended_at = ${at}, ended_reason = ${reason}
    where customer_id = ${customerId} and id = ${id} and ended_at is null`);
  if (ended > 0) await announceEnded(tx, [id], at);
}

/** Ends every open session of the customer and deletes the known addresses. Returns the ids. */
export async function markAllEnded(tx: Tx, customerId: string, reason: EndReason, at: Date) {
  const rows = await tx.rows<{ id: string }>(sql`
    update sessions set ended_at = ${at}, ended_reason = ${reason}
    where customer_id = ${customerId} and ended_at is null returning id`);
  const ids = rows.map(({ id }) => id);
  await announceEnded(tx, ids, at);
  await purgeAddressesOf(tx, customerId);
  return ids;
}

/**
 * Every node refuses the tokens of a session from the moment of this notification, which comes with the commit: no crash can
 * separate them. Sessions end rarely enough for a NOTIFY in their transaction.
 */
export async function announceEnded(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  tx.write(sql`insert into ended_sessions (id, ended_at) select id, ${at} from unnest(${ids}::text[]) as id`);
  await notifyChange(tx, 'sessions', ...ids);
}

/** For a caller that deletes all sessions and signing keys: open streams end. */
export const notifyAllEnded = (tx: Tx) => notifyChange(tx, 'sessions', 'all');

export const listEndedSince = (db: Queryable, since: Date) =>
  db.rows<{ id: string; ended_at: Date }>(
    sql`select id, ended_at from ended_sessions where ended_at > ${since} order by ended_at`,
  );

export const purgeEndedSessions = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from ended_sessions
      where id in (select id from ended_sessions where ended_at < ${before} limit 1000)`),
  );

/** Deletes sessions that ended, or whose refresh token expired, before then. */
export const purgeSessions = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from sessions s
      using (select customer_id, id from sessions where ended_at < ${before} or refresh_expires_at < ${before}
             limit 1000) as old
      where s.customer_id = old.customer_id and s.id = old.id`),
  );
