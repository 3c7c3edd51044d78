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

export async function addMerchantSlugs<R extends { merchant_id: number | null }>(
  db: Queryable,
  rows: readonly R[],
  findSlugs: FindMerchantSlugs | undefined,
): Promise<Array<R & { merchant: string | null }>> {
  const slugs = await findSlugs?.(
    db,
    rows.flatMap(({ merchant_id }) => merchant_id ?? []),
  );
  return rows.map((row) => ({
    ...row,
    merchant: row.merchant_id === null ? null : (slugs?.get(row.merchant_id) ?? null),
  }));
}

export const merchantSlugLookup = defineService<FindMerchantSlugs>('merchant slugs');

export const merchantLookup = defineService<FindMerchantId>('merchant directory');

export type PartnersDeps = Pick<Deps, 'db' | 'clock'> & {
  readonly mode: Mode;
  readonly findMerchant: FindMerchantId | undefined;
  readonly findSlugs: FindMerchantSlugs | undefined;
};
