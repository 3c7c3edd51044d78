import { listMemberNames } from '#members';
import { roleMissing } from '#partners';
import type { Queryable } from '#platform/database/db.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import type { By } from '../by.ts';
import { listOfferMembers } from './store.ts';

export const byCaller = ({ member }: Pick<Caller, 'member'>): By =>
  member && { id: member.id, name: member.name };

/** By the ids of members; what else is among them is nobody. */
export async function findBy(
  db: Queryable,
  ids: ReadonlyArray<string | null>,
): Promise<(id: string | null) => By> {
  const names = await listMemberNames(db, ids);
  return (id) => (id !== null && names.has(id) ? { id, name: names.get(id)! } : null);
}

/** Who made the offers that sales came from. */
export async function findSellers(
  db: Queryable,
  offerIds: ReadonlyArray<string | null>,
): Promise<(offerId: string | null) => By> {
  const made = await listOfferMembers(
    db,
    offerIds.filter((id) => id !== null),
  );
  const by = await findBy(db, [...made.values()]);
  return (offerId) => by(made.get(offerId ?? '') ?? null);
}

export const isClerk = ({ member }: Pick<Caller, 'member'>): boolean => member?.role === 'clerk';

export const ownersOnly = () => roleMissing('owner', 'clerk');
