import { listMemberNames } from '#members';
import { roleMissing } from '#partners';
import type { Queryable } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import type { RecordCreator } from '../fields.ts';
import type { SaleOrigin } from '../purchases/render-checkout.ts';
import { listOfferOrigins } from './store.ts';

export const toRecordCreator = ({ member }: Pick<Caller, 'member'>): RecordCreator =>
  member && { id: member.id, name: member.name };

/** Returns a function that finds members by id, and returns null for other ids, such as API keys. */
export async function buildRecordCreatorLookup(db: Queryable, ids: ReadonlyArray<string | null>) {
  const memberNames = await listMemberNames(db, ids);
  return (id: string | null): RecordCreator =>
    id !== null && memberNames.has(id) ? { id, name: memberNames.get(id)! } : null;
}

/** Returns a function that finds the author and the metadata of an offer by its id. */
export async function buildSaleOriginLookup(db: Queryable, offerIds: ReadonlyArray<string | null>) {
  const origins = await listOfferOrigins(
    db,
    offerIds.filter((id) => id !== null),
  );
  const getRecordCreator = await buildRecordCreatorLookup(
    db,
    [...origins.values()].map(({ member_id }) => member_id),
  );
  return (offerId: string | null): SaleOrigin => {
    const origin = offerId === null ? undefined : origins.get(offerId);
    return { author: getRecordCreator(origin?.member_id ?? null), metadata: origin?.metadata ?? {} };
  };
}

export const isClerk = ({ member }: Pick<Caller, 'member'>): boolean => member?.role === 'clerk';

export const ownerRoleRequired = () => roleMissing(['owner'], 'clerk');
