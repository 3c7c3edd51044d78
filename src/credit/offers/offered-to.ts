import { listPhoneOwners } from '#customers';
import type { Queryable } from '#platform/database/db.ts';
import { listOffered } from './store.ts';

/** Who has claimed each of these offers, or has the phone it was made to, by the offer's id. Offers without an owner are left out. */
export async function findOfferedTo(
  db: Queryable,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (offerIds.length === 0) return new Map();
  const offers = await listOffered(db, offerIds);
  const owners = await listPhoneOwners(
    db,
    offers.flatMap(({ phoneHash }) => phoneHash ?? []),
  );
  const byPhone = new Map(owners.map((owner) => [owner.phoneHash.toString('hex'), owner.customerId]));
  return new Map(
    offers.flatMap(({ offerId, phoneHash, customerId }) => {
      const whose = phoneHash === null ? customerId : byPhone.get(phoneHash.toString('hex'));
      return whose ? [[offerId, whose] as const] : [];
    }),
  );
}
