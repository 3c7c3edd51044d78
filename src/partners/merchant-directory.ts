import type { Queryable } from '#platform/database/db.ts';
import { service } from '#platform/service.ts';

/** The id of the merchant with this slug. Whoever keeps the merchants provides it: a key may be bound to one. */
export type FindMerchant = (db: Queryable, slug: string) => Promise<number | undefined>;

export const merchantDirectory = service<FindMerchant>('merchant directory');
