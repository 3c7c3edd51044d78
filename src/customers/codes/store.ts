import { MINUTE_MS } from '#core/values/duration.ts';
import { type Queryable, runInBatches, sql, type Tx } from '#platform/database/db.ts';

export const CODE_TTL_MS = 5 * MINUTE_MS;
const MAX_CODE_ATTEMPTS = 5;

/** `subject` is the keyed hash of the phone the code was sent to. */
type ChallengeKey = { subject: Buffer; id: string };

export const insertChallenge = (
  tx: Tx,
  challenge: ChallengeKey & { origin: Buffer; codeHash: Buffer; expiresAt: Date; partnerId: string },
) =>
  tx.run(sql`
    insert into login_challenges (subject, id, origin, code_hash, expires_at, partner_id)
    values (${challenge.subject}, ${challenge.id}, ${challenge.origin}, ${challenge.codeHash}, ${challenge.expiresAt},
            ${challenge.partnerId})`);

export const listValidChallenges = (tx: Tx, subject: Buffer, now: Date) =>
  tx.rows<{ id: string; origin: Buffer; expires_at: Date }>(sql`
    select id, origin, expires_at from login_challenges
    where subject = ${subject} and used_at is null and expires_at > ${now} and tries < ${MAX_CODE_ATTEMPTS}
    order by expires_at, id`);

export const listChallengesOfPartner = (db: Queryable, subject: Buffer, partnerId: string) =>
  db.rows<{ id: string; code_hash: Buffer }>(sql`
    select id, code_hash from login_challenges where subject = ${subject} and partner_id = ${partnerId}`);

export const deleteChallenge = (tx: Tx, { subject, id }: ChallengeKey) =>
  tx.run(sql`delete from login_challenges where subject = ${subject} and id = ${id}`);

export const deleteChallengesForPhone = (tx: Tx, subject: Buffer) =>
  tx.run(sql`delete from login_challenges where subject = ${subject}`);

/** Counts an attempt and returns the hash to compare. Counting first keeps concurrent requests within the limit. */
export const countCodeAttempt = (tx: Tx, { subject, id }: ChallengeKey, now: Date) =>
  tx.value<Buffer>(sql`
    update login_challenges set tries = tries + 1
    where subject = ${subject} and id = ${id} and used_at is null and expires_at > ${now} and tries < ${MAX_CODE_ATTEMPTS}
    returning code_hash`);

export const undoCodeAttempt = (tx: Tx, { subject, id }: ChallengeKey) =>
  tx.run(sql`update login_challenges set tries = tries - 1 where subject = ${subject} and id = ${id}`);

export const listWrongAttempts = (db: Queryable, subject: Buffer) =>
  db.rows<{ id: string; tries: number; expires_at: Date; is_spent: boolean }>(sql`
    select id, tries, expires_at, tries >= ${MAX_CODE_ATTEMPTS} as is_spent from login_challenges
    where subject = ${subject} and tries > 0 order by expires_at desc`);

export const resetCodeAttempts = (tx: Tx, subject: Buffer) =>
  tx.run(sql`update login_challenges set tries = 0 where subject = ${subject} and tries > 0`);

/** Marks the code as used. Of concurrent callers only one gets true. */
export async function consumeCode(tx: Tx, { subject, id }: ChallengeKey, usedAt: Date): Promise<boolean> {
  const updatedCount = await tx.run(sql`
    update login_challenges set used_at = ${usedAt} where subject = ${subject} and id = ${id} and used_at is null`);
  return updatedCount === 1;
}

/** Skips locked rows, because another transaction may be deleting all challenges of a phone. */
export const purgeOldChallenges = (db: Queryable, before: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from login_challenges c
      using (select subject, id from login_challenges where expires_at < ${before} limit 1000 for update skip locked) as old
      where c.subject = old.subject and c.id = old.id`),
  );
