import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import { notifyChange } from '#platform/nodes/change-feed.ts';
import { deleteKnownAddresses } from './known-addresses.ts';

export type EndReason =
  | 'logout'
  | 'locked'
  | 'password_set'
  | 'phone_changed'
  | 'refresh_reused'
  | 'switched'
  | 'removed';

/** The kind of principal a token belongs to. Endpoints for customers refuse tokens of members, and vice versa. */
export type PrincipalType = 'customer' | 'member';

/** The principal of a session, and the partner it was opened through. */
export type SessionClaims = {
  principalType: PrincipalType;
  principalId: string;
  sessionId: string;
  partnerId: string;
};

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

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  tx.write(sql`
    insert into sessions (customer_id, id, partner_id, created_at, refresh_hash, refresh_expires_at)
    values (${session.principalId}, ${session.id}, ${session.partnerId}, ${session.createdAt},
            ${session.refreshHash}, ${session.refreshExpiresAt})`);
  await tx.run(sql`
    insert into customer_partners as p (customer_id, partner_id, since)
    values (${session.principalId}, ${session.partnerId}, ${session.createdAt})
    on conflict (customer_id, partner_id) do update set since = excluded.since where excluded.since < p.since`);
}

/** A customer who has logged in through a partner. `since`: the first login. */
export type CustomerPartner = { customerId: string; partnerId: string; since: Date };

/** Lists the partners through which these customers have logged in. */
export const listCustomerPartners = (db: Queryable, customerIds: readonly string[]) =>
  db.rows<CustomerPartner>(sql`
    select customer_id as "customerId", partner_id as "partnerId", since from customer_partners
    where customer_id = any(${customerIds})`);

export const lockSession = (tx: CustomerTx, customerId: string, id: string) =>
  tx.row<SessionRow>(sql`
    select partner_id, refresh_hash, refresh_expires_at, ended_at from sessions
    where customer_id = ${customerId} and id = ${id} for update`);

/** Lists the customer's active sessions, the most recently refreshed first. */
export const listOpenSessions = (db: Queryable, customerId: string, now: Date) =>
  db.rows<{ id: string; created_at: Date; refresh_expires_at: Date }>(sql`
    select id, created_at, refresh_expires_at from sessions
    where customer_id = ${customerId} and ended_at is null and refresh_expires_at > ${now}
    order by refresh_expires_at desc, id desc limit 100`);

export const markRefreshed = (tx: Tx, customerId: string, id: string, refresh: RefreshUpdate) =>
  tx.run(sql`
    update sessions set refresh_hash = ${refresh.hash}, refresh_expires_at = ${refresh.expiresAt}
    where customer_id = ${customerId} and id = ${id}`);

export async function endSession(tx: Tx, customerId: string, id: string, reason: EndReason, endedAt: Date) {
  const ended = await tx.run(sql`
    update sessions set ended_at = ${endedAt}, ended_reason = ${reason}
    where customer_id = ${customerId} and id = ${id} and ended_at is null`);
  if (ended > 0) await announceEndedSessions(tx, [id], endedAt);
}

/** Ends all sessions of the customer and deletes the known addresses. Returns the ids of the sessions. */
export async function endAllSessions(tx: Tx, customerId: string, reason: EndReason, endedAt: Date) {
  const rows = await tx.rows<{ id: string }>(sql`
    update sessions set ended_at = ${endedAt}, ended_reason = ${reason}
    where customer_id = ${customerId} and ended_at is null returning id`);
  const ids = rows.map(({ id }) => id);
  await announceEndedSessions(tx, ids, endedAt);
  await deleteKnownAddresses(tx, customerId);
  return ids;
}

/**
 * Notifies all nodes, which then refuse the tokens of the sessions. The notification is part of the transaction, so it cannot get
 * lost in a crash. Sessions end rarely enough for a NOTIFY in each transaction.
 */
export async function announceEndedSessions(tx: Tx, ids: readonly string[], endedAt: Date): Promise<void> {
  if (ids.length === 0) return;
  tx.write(
    sql`insert into ended_sessions (id, ended_at) select id, ${endedAt} from unnest(${ids}::text[]) as id`,
  );
  await notifyChange(tx, 'sessions', ...ids);
}

/** For a caller that deletes all sessions and signing keys: makes nodes close their open streams. */
export const notifyAllSessionsEnded = (tx: Tx) => notifyChange(tx, 'sessions', 'all');

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

/** Deletes sessions that ended, or whose refresh token expired, before the given time. */
export const purgeSessions = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from sessions s
      using (select customer_id, id from sessions where ended_at < ${before} or refresh_expires_at < ${before}
             limit 1000) as old
      where s.customer_id = old.customer_id and s.id = old.id`),
  );
