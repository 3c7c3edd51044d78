import { announceEnded, type Holders, hashPhone } from '#customers';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';

type EndReason = Parameters<Holders['markEnded']>[3];

/** Members sign in as customers do (`#customers`), with sessions of their own. */
export const memberHolders: Holders = {
  kind: 'member',
  idPrefix: 'mbr_',
  transaction: (db, _, work) => db.transaction(work),
  insertSession: (tx, session) =>
    tx.run(sql`
      insert into member_sessions (member_id, id, partner_id, created_at, refresh_hash, refresh_expires_at)
      values (${session.holderId}, ${session.id}, ${session.partnerId}, ${session.createdAt}, ${session.refreshHash},
              ${session.refreshExpiresAt})`),
  lockSession: (tx, memberId, id) =>
    tx.row(sql`
      select partner_id, refresh_hash, refresh_expires_at, ended_at from member_sessions
      where member_id = ${memberId} and id = ${id} for update`),
  markRefreshed: (tx, memberId, id, refresh) =>
    tx.run(sql`
      update member_sessions set refresh_hash = ${refresh.hash}, refresh_expires_at = ${refresh.expiresAt}
      where member_id = ${memberId} and id = ${id}`),
  async markEnded(tx, memberId, id, reason, at) {
    const ended = await tx.run(sql`
      update member_sessions set ended_at = ${at}, ended_reason = ${reason}
      where member_id = ${memberId} and id = ${id} and ended_at is null`);
    if (ended > 0) await announceEnded(tx, [id], at);
  },
  addresses: {
    // As long as the session is kept: for thirty days after it has ended.
    async isKnown(db, phone, address) {
      const row = await db.row(sql`
        select from members m join member_sessions s on s.member_id = m.id
        where m.phone_hash = ${hashPhone(db.vault, phone)} and m.removed_at is null and s.address = ${address} limit 1`);
      return row !== undefined;
    },
    note: (tx, { holderId, sessionId }, address) =>
      tx.run(sql`
        update member_sessions set address = ${address}
        where member_id = ${holderId} and id = ${sessionId} and address is distinct from ${address}`),
  },
};

/** The usable sessions of a member, the last refreshed first. */
export const listOpenSessions = (db: Queryable, memberId: string, now: Date) =>
  db.rows<{ id: string; created_at: Date; refresh_expires_at: Date }>(sql`
    select id, created_at, refresh_expires_at from member_sessions
    where member_id = ${memberId} and ended_at is null and refresh_expires_at > ${now}
    order by refresh_expires_at desc, id desc limit 100`);

/** Ends a session that an owner does not trust, and forgets its address, which then is no known address any more. */
export async function endSession(tx: Tx, memberId: string, id: string, at: Date): Promise<void> {
  await memberHolders.markEnded(tx, memberId, id, 'logout', at);
  await tx.run(sql`update member_sessions set address = null where member_id = ${memberId} and id = ${id}`);
}

/** Ends every open session of the member. Returns the ids. */
export async function markAllEnded(tx: Tx, memberId: string, reason: EndReason, at: Date): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    update member_sessions set ended_at = ${at}, ended_reason = ${reason}
    where member_id = ${memberId} and ended_at is null returning id`);
  const ids = rows.map(({ id }) => id);
  await announceEnded(tx, ids, at);
  return ids;
}

/** Deletes sessions that ended, or whose refresh token expired, before then. */
export const purgeMemberSessions = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from member_sessions s
      using (select member_id, id from member_sessions where ended_at < ${before} or refresh_expires_at < ${before}
             limit 1000) as old
      where s.member_id = old.member_id and s.id = old.id`),
  );
