import { listPhoneOwners } from '#customers';
import type { Queryable } from '#platform/database/db.ts';
import { listOfferedPhones } from './store.ts';

/** The customer whose phone each of these offers was made to, by the offer's id. One to nobody's phone is left out. */
export async function findOfferedTo(
  db: Queryable,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (offerIds.length === 0) return new Map();
  const offers = await listOfferedPhones(db, offerIds);
  const owners = await listPhoneOwners(
    db,
    offers.map(({ phoneHash }) => phoneHash),
  );
  const byPhone = new Map(owners.map((owner) => [owner.phoneHash.toString('hex'), owner.customerId]));
  return new Map(
    offers.flatMap(({ offerId, phoneHash }) => {
      const customerId = byPhone.get(phoneHash.toString('hex'));
      return customerId === undefined ? [] : [[offerId, customerId] as const];
    }),
  );
}
