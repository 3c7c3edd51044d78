import type { MerchantCache } from '#catalog';

/** Who a merchant is now, by id. */
export type Merchants = Pick<MerchantCache, 'whenCurrent' | 'identify'>;

export type ShownMerchant = {
  merchant_slug: string;
  merchant_name: string;
  merchant_logo_url: string | null;
};

/** A merchant as a purchase stores it: with the name at that time. */
export type FrozenMerchant<R extends ShownMerchant> = Omit<R, 'merchant_logo_url'> & { merchant_id: number };

/** Purchases show the merchant's current name, or the stored one when the merchant is no longer in the catalog. */
export async function showMerchants<R extends ShownMerchant>(
  rows: ReadonlyArray<FrozenMerchant<R>>,
  merchants: Merchants,
): Promise<R[]> {
  await merchants.whenCurrent();
  return rows.map((row) => {
    const merchant = merchants.identify(row.merchant_id);
    return {
      ...row,
      merchant_slug: merchant?.slug ?? row.merchant_slug,
      merchant_name: merchant?.name ?? row.merchant_name,
      merchant_logo_url: merchant?.logoUrl ?? null,
    } as FrozenMerchant<R> & ShownMerchant as unknown as R;
  });
}
