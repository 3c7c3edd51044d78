import { announceEnded, type Holders } from '#customers';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/jobs/housekeeping.ts';

type EndReason = Parameters<Holders['markEnded']>[3];

/** Members sign in as customers do (`#customers`), with sessions of their own. */
export const memberHolders: Holders = {
  kind: 'member',
  idPrefix: 'mbr_',
  transaction: (db, _, work) => db.transaction(work),
  async insertSession(tx, session) {
    await tx.run(sql`
      insert into member_sessions (member_id, id, partner_id, created_at, refresh_hash, refresh_expires_at)
      values (${session.holderId}, ${session.id}, ${session.partnerId}, ${session.createdAt}, ${session.refreshHash},
              ${session.refreshExpiresAt})`);
  },
  lockSession: (tx, memberId, id) =>
    tx.row(sql`
      select partner_id, refresh_hash, refresh_expires_at, ended_at from member_sessions
      where member_id = ${memberId} and id = ${id} for update`),
  async markRefreshed(tx, memberId, id, refresh) {
    await tx.run(sql`
      update member_sessions set refresh_hash = ${refresh.hash}, refresh_expires_at = ${refresh.expiresAt}
      where member_id = ${memberId} and id = ${id}`);
  },
  async markEnded(tx, memberId, id, reason, at) {
    const ended = await tx.run(sql`
      update member_sessions set ended_at = ${at}, ended_reason = ${reason}
      where member_id = ${memberId} and id = ${id} and ended_at is null`);
    if (ended > 0) await announceEnded(tx, [id], at);
  },
};

/** Ends every open session of the member. Returns the ids. */
export async function markAllEnded(tx: Tx, memberId: string, reason: EndReason, at: Date): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    update member_sessions set ended_at = ${at}, ended_reason = ${reason}
    where member_id = ${memberId} and ended_at is null returning id`);
  const ids = rows.map(({ id }) => id);
  await announceEnded(tx, ids, at);
  return ids;
}

/** Those that ended, or whose last refresh expired, before then. */
export async function purgeMemberSessions(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from member_sessions s
      using (select member_id, id from member_sessions where ended_at < ${before} or refresh_expires_at < ${before}
             limit 1000) as old
      where s.member_id = old.member_id and s.id = old.id`),
  );
}
