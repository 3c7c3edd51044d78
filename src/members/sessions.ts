import { announceEndedSessions, hashPhone, type PrincipalKind } from '#customers';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';

type EndReason = Parameters<PrincipalKind['endSession']>[3];

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
  async endSession(tx, memberId, id, reason, at) {
    const ended = await tx.run(sql`
      update member_sessions set ended_at = ${at}, ended_reason = ${reason}
      where member_id = ${memberId} and id = ${id} and ended_at is null`);
    if (ended > 0) await announceEndedSessions(tx, [id], at);
  },
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

/** Lists the active sessions of a member, the most recently refreshed first. */
export const listOpenSessions = (db: Queryable, memberId: string, now: Date) =>
  db.rows<{ id: string; created_at: Date; refresh_expires_at: Date }>(sql`
    select id, created_at, refresh_expires_at from member_sessions
    where member_id = ${memberId} and ended_at is null and refresh_expires_at > ${now}
    order by refresh_expires_at desc, id desc limit 100`);

/** Ends a session that an owner does not trust, and deletes its IP address, which is then no longer a known address. */
export async function revokeSession(tx: Tx, memberId: string, id: string, at: Date): Promise<void> {
  await memberPrincipal.endSession(tx, memberId, id, 'logout', at);
  await tx.run(sql`update member_sessions set address = null where member_id = ${memberId} and id = ${id}`);
}

/** Ends all sessions of the member. Returns their ids. */
export async function endAllSessions(
  tx: Tx,
  memberId: string,
  reason: EndReason,
  at: Date,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    update member_sessions set ended_at = ${at}, ended_reason = ${reason}
    where member_id = ${memberId} and ended_at is null returning id`);
  const ids = rows.map(({ id }) => id);
  await announceEndedSessions(tx, ids, at);
  return ids;
}

/** Deletes sessions that ended, or whose refresh token expired, before the given time. */
export const purgeMemberSessions = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from member_sessions s
      using (select member_id, id from member_sessions where ended_at < ${before} or refresh_expires_at < ${before}
             limit 1000) as old
      where s.member_id = old.member_id and s.id = old.id`),
  );
