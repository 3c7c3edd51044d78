import { hashPhone, type OpenSessionRow, type PrincipalKind } from '#customers';
import { purgeInBatches, type Queryable, sql, type Tx } from '#platform/database/db.ts';

/** Members sign in with the functions of `#customers`; their sessions are stored in a separate table. */
export const memberPrincipal: PrincipalKind = {
  type: 'member',
  idPrefix: 'mbr_',
  transaction: (db, _, work) => db.transaction(work),
  insertSession: (tx, session) =>
    tx.run(sql`
      insert into member_sessions (member_id, id, partner_id, created_at, refresh_hash, refresh_expires_at)
      values (${session.principalId}, ${session.id}, ${session.partnerId}, ${session.createdAt}, ${session.refreshHash},
              ${session.refreshExpiresAt})`),
  lockSession: (tx, memberId, id) =>
    tx.row(sql`
      select partner_id, refresh_hash, refresh_expires_at, ended_at from member_sessions
      where member_id = ${memberId} and id = ${id} for update`),
  markRefreshed: (tx, memberId, id, refresh) =>
    tx.run(sql`
      update member_sessions set refresh_hash = ${refresh.hash}, refresh_expires_at = ${refresh.expiresAt}
      where member_id = ${memberId} and id = ${id}`),
  markEnded: (tx, memberId, id, reason, at) =>
    tx.run(sql`
      update member_sessions set ended_at = ${at}, ended_reason = ${reason}
      where member_id = ${memberId} and id = ${id} and ended_at is null`),
  markAllEnded: (tx, memberId, reason, at) =>
    tx.values(sql`
      update member_sessions set ended_at = ${at}, ended_reason = ${reason}
      where member_id = ${memberId} and ended_at is null returning id`),
  addresses: {
    // An address stays known while its session is retained: thirty days after the end.
    async recognize(db, phone, { address }) {
      const row = await db.row<{ is_known: boolean | null }>(sql`
        select bool_or(s.address = ${address}) as is_known
        from members m left join member_sessions s on s.member_id = m.id
        where m.phone_hash = ${hashPhone(db.vault, phone)} and m.removed_at is null having count(*) > 0`);
      return { isRegistered: row !== undefined, isKnown: row?.is_known ?? false };
    },
    record: (tx, { principalId, sessionId }, { address }) =>
      tx.run(sql`
        update member_sessions set address = ${address}
        where member_id = ${principalId} and id = ${sessionId} and address is distinct from ${address}`),
  },
};

/** The most recently refreshed first. */
export const listOpenSessions = (db: Queryable, memberId: string, now: Date) =>
  db.rows<OpenSessionRow>(sql`
    select id, created_at, refresh_expires_at from member_sessions
    where member_id = ${memberId} and ended_at is null and refresh_expires_at > ${now}
    order by refresh_expires_at desc, id desc limit 100`);

/** After that it is no longer a known address. */
export const deleteSessionAddress = (tx: Tx, memberId: string, id: string) =>
  tx.run(sql`update member_sessions set address = null where member_id = ${memberId} and id = ${id}`);

/** Deletes sessions that ended, or whose refresh token expired, before the given time. */
export const purgeMemberSessions = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from member_sessions s
      using (select member_id, id from member_sessions where ended_at < ${before} or refresh_expires_at < ${before}
             limit 1000) as old
      where s.member_id = old.member_id and s.id = old.id`),
  );
