import type { Queryable } from '#platform/database/db.ts';
import { service } from '#platform/service.ts';

/** The id of the merchant with this slug. Provided by the module that owns merchants: a key may be bound to one. */
export type FindMerchant = (db: Queryable, slug: string) => Promise<number | undefined>;

/** The slugs of merchants by their ids. */
export type FindSlugs = (db: Queryable, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;

export const merchantSlugs = service<FindSlugs>('merchant slugs');

export const merchantDirectory = service<FindMerchant>('merchant directory');
