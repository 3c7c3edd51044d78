import type { Db } from '#platform/database/db.ts';
import { hashPhoneSubject } from '../sign-in.ts';
import { hashCode } from './check-code.ts';
import { listChallengesOfPartner } from './store.ts';

/** Returns which of these codes this partner requested for a customer's phone. */
export async function selectRequestedCodes(
  db: Db,
  { phone, partnerId }: { phone: string; partnerId: string },
  codes: readonly string[],
): Promise<string[]> {
  const { vault } = db;
  const challenges = await listChallengesOfPartner(db, hashPhoneSubject({ vault }, phone), partnerId);
  return codes.filter((code) =>
    challenges.some(({ id, code_hash }) =>
      hashCode(vault, { phone, challenge_id: id, code }).equals(code_hash),
    ),
  );
}
