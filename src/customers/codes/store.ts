import { type Queryable, sql, type Tx } from '#platform/db.ts';
import { purgeInBatches } from '#platform/housekeeping.ts';
import type { Sealed } from '#platform/vault.ts';

export async function putCode(
  tx: Tx,
  code: { subject: Buffer; id: string; hash: Buffer; sealed: Sealed; expiresAt: Date },
): Promise<void> {
  await tx.run(sql`
    insert into login_codes (subject, id, code_hash, sealed, sealed_key_version, expires_at)
    values (${code.subject}, ${code.id}, ${code.hash}, ${code.sealed.bytes}, ${code.sealed.version},
            ${code.expiresAt})
    on conflict (subject) do update set
      id = excluded.id, code_hash = excluded.code_hash, sealed = excluded.sealed,
      sealed_key_version = excluded.sealed_key_version, expires_at = excluded.expires_at, tries = 0, used_at = null`);
}

/** Counts the try before anybody compares, so that no number of requests at once gets more of them. */
export async function takeTry(
  db: Queryable,
  subject: Buffer,
  mostTries: number,
  now: Date,
): Promise<{ id: string; code_hash: Buffer } | undefined> {
  return db.row(sql`
    update login_codes set tries = tries + 1
    where subject = ${subject} and used_at is null and expires_at > ${now} and tries < ${mostTries}
    returning id, code_hash`);
}

/** True for one caller only. */
export async function markUsed(tx: Tx, subject: Buffer, id: string, at: Date): Promise<boolean> {
  const used = await tx.run(sql`
    update login_codes set used_at = ${at} where subject = ${subject} and id = ${id} and used_at is null`);
  return used === 1;
}

export type UnsentCode = { sealed: Buffer; sealed_key_version: number; expires_at: Date };

/** Undefined when it has left already or a newer one took its place. */
export async function findUnsent(
  db: Queryable,
  subject: Buffer,
  id: string,
): Promise<UnsentCode | undefined> {
  return db.row(sql`
    select sealed, sealed_key_version, expires_at from login_codes
    where subject = ${subject} and id = ${id} and sealed is not null`);
}

/** From here on the database does not know the code any more, only its keyed hash. */
export async function purgePlainCode(db: Queryable, subject: Buffer, id: string): Promise<void> {
  await db.run(sql`
    update login_codes set sealed = null, sealed_key_version = null
    where subject = ${subject} and id = ${id}`);
}

export async function purgeOldCodes(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from login_codes
      where subject in (select subject from login_codes where expires_at < ${before} limit 1000)
        and expires_at < ${before}`),
  );
}

export type MessageStatus = 'sent' | 'retrying' | 'failed';

export async function putMessage(
  db: Queryable,
  message: {
    customerId: string;
    id: string;
    status: MessageStatus;
    attempts: number;
    /** null keeps the reason of the attempt before. */
    reason: string | null;
    at: Date;
  },
): Promise<void> {
  await db.run(sql`
    insert into messages as m (customer_id, id, purpose, status, attempts, reason, created_at, updated_at)
    values (${message.customerId}, ${message.id}, 'login_code', ${message.status}, ${message.attempts},
            ${message.reason}, ${message.at}, ${message.at})
    on conflict (customer_id, id) do update set
      status = excluded.status, attempts = excluded.attempts, reason = coalesce(excluded.reason, m.reason),
      updated_at = excluded.updated_at`);
}

export type FailedMessage = {
  id: string;
  customer_id: string;
  purpose: string;
  attempts: number;
  reason: string | null;
  updated_at: Date;
};

export async function listFailedMessages(db: Queryable, limit: number): Promise<FailedMessage[]> {
  return db.rows(sql`
    select id, customer_id, purpose, attempts, reason, updated_at from messages
    where status = 'failed' order by updated_at desc, id desc limit ${limit}`);
}

export async function purgeOldMessages(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from messages m
      using (select customer_id, id from messages where updated_at < ${before} limit 1000) as old
      where m.customer_id = old.customer_id and m.id = old.id`),
  );
}
