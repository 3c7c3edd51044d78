import type { Deps } from '#module';
import type { Queryable } from '#platform/database/db.ts';
import { defineService } from '#platform/service.ts';
import type { Mode } from '#platform/settings.ts';

/** Finds the id of a merchant by slug. Provided by the module that owns merchants. */
export type FindMerchantId = (db: Queryable, slug: string) => Promise<number | undefined>;

export type FindMerchantSlugs = (
  db: Queryable,
  ids: readonly number[],
) => Promise<ReadonlyMap<number, string>>;

export const merchantSlugLookup = defineService<FindMerchantSlugs>('merchant slugs');

export const merchantLookup = defineService<FindMerchantId>('merchant directory');

export type PartnersDeps = Pick<Deps, 'db' | 'clock'> & {
  readonly mode: Mode;
  readonly findMerchant: FindMerchantId | undefined;
  readonly findSlugs: FindMerchantSlugs | undefined;
};
