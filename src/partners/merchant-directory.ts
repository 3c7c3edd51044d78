import type { Queryable } from '#platform/database/db.ts';
import { service } from '#platform/service.ts';

/** The id of the merchant with this slug. Provided by the module that owns merchants: a key may be bound to one. */
export type FindMerchant = (db: Queryable, slug: string) => Promise<number | undefined>;

export type FindSlugs = (db: Queryable, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;

/** The same rows, each with the slug of the merchant it is bound to. */
export async function withSlugs<R extends { merchant_id: number | null }>(
  db: Queryable,
  rows: readonly R[],
  findSlugs: FindSlugs | undefined,
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

export const merchantSlugs = service<FindSlugs>('merchant slugs');

export const merchantDirectory = service<FindMerchant>('merchant directory');
