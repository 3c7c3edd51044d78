import type { MerchantCache } from '#catalog';

/** Looks up current merchants by id. */
export type Merchants = Pick<MerchantCache, 'waitUntilCurrent' | 'identify'>;

export type MerchantView = {
  merchant_slug: string;
  merchant_name: string;
  merchant_logo_url: string | null;
};

/** A row with the merchant as stored with the purchase, without a logo. */
export type StoredMerchant<R extends MerchantView> = Omit<R, 'merchant_logo_url'> & { merchant_id: number };

/**
 * Adds the merchant's current slug, name and logo to each row. Falls back to the stored ones if the merchant is no longer in the
 * catalog.
 */
export async function withCurrentMerchants<R extends MerchantView>(
  rows: ReadonlyArray<StoredMerchant<R>>,
  merchants: Merchants,
): Promise<R[]> {
  await merchants.waitUntilCurrent();
  return rows.map((row) => {
    const merchant = merchants.identify(row.merchant_id);
    return {
      ...row,
      merchant_slug: merchant?.slug ?? row.merchant_slug,
      merchant_name: merchant?.name ?? row.merchant_name,
      merchant_logo_url: merchant?.logoUrl ?? null,
    } as StoredMerchant<R> & MerchantView as unknown as R;
  });
}
