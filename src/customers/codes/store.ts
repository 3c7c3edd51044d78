import { MINUTE_MS } from '#core/duration.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';

export const CODE_LIFE_MS = 5 * MINUTE_MS;
/** Attempts per challenge. */
const MOST_TRIES = 5;

/** A challenge: the keyed hash of the phone it is about, and its own id. */
type ChallengeName = { subject: Buffer; id: string };

export const insertChallenge = (
  tx: Tx,
  challenge: ChallengeName & { origin: Buffer; codeHash: Buffer; expiresAt: Date },
) =>
  tx.run(sql`
    insert into login_challenges (subject, id, origin, code_hash, expires_at)
    values (${challenge.subject}, ${challenge.id}, ${challenge.origin}, ${challenge.codeHash}, ${challenge.expiresAt})`);

/** Valid challenges, the one that expires first at the front. */
export const listLiveChallenges = (tx: Tx, subject: Buffer, now: Date) =>
  tx.rows<{ id: string; origin: Buffer; expires_at: Date }>(sql`
    select id, origin, expires_at from login_challenges
    where subject = ${subject} and used_at is null and expires_at > ${now} and tries < ${MOST_TRIES}
    order by expires_at, id`);

export const purgeChallenge = (tx: Tx, { subject, id }: ChallengeName) =>
  tx.run(sql`delete from login_challenges where subject = ${subject} and id = ${id}`);

export const purgeChallengesOf = (tx: Tx, subject: Buffer) =>
  tx.run(sql`delete from login_challenges where subject = ${subject}`);

/** Counts the attempt before the comparison, so that concurrent requests do not get more of them. */
export async function takeTry(tx: Tx, { subject, id }: ChallengeName, now: Date) {
  const row = await tx.row<{ code_hash: Buffer }>(sql`
    update login_challenges set tries = tries + 1
    where subject = ${subject} and id = ${id} and used_at is null and expires_at > ${now} and tries < ${MOST_TRIES}
    returning code_hash`);
  return row?.code_hash;
}

export const giveTryBack = (tx: Tx, { subject, id }: ChallengeName) =>
  tx.run(sql`update login_challenges set tries = tries - 1 where subject = ${subject} and id = ${id}`);

/** Codes of a phone with wrong attempts, newest first. */
export const listWrongTries = (db: Queryable, subject: Buffer) =>
  db.rows<{ id: string; tries: number; expires_at: Date; is_spent: boolean }>(sql`
    select id, tries, expires_at, tries >= ${MOST_TRIES} as is_spent from login_challenges
    where subject = ${subject} and tries > 0 order by expires_at desc`);

export const markUntried = (tx: Tx, subject: Buffer) =>
  tx.run(sql`update login_challenges set tries = 0 where subject = ${subject} and tries > 0`);

/** True for one caller only. */
export async function markUsed(tx: Tx, { subject, id }: ChallengeName, at: Date): Promise<boolean> {
  const used = await tx.run(sql`
    update login_challenges set used_at = ${at} where subject = ${subject} and id = ${id} and used_at is null`);
  return used === 1;
}

/** Skips locked rows: another transaction may be deleting all codes of a phone. */
export const purgeOldChallenges = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from login_challenges c
      using (select subject, id from login_challenges where expires_at < ${before} limit 1000 for update skip locked) as old
      where c.subject = old.subject and c.id = old.id`),
  );
