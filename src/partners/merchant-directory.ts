import { service } from '#module';
import type { Queryable } from '#platform/db.ts';

/** The id of the merchant with this slug. Whoever keeps the merchants provides it: a key may be bound to one. */
export type FindMerchant = (db: Queryable, slug: string) => Promise<number | undefined>;

export const merchantDirectory = service<FindMerchant>('merchant directory');
