import type { MerchantCache } from '#catalog';

/** Who a merchant is now, by id. */
export type Merchants = Pick<MerchantCache, 'whenCurrent' | 'identify'>;

type Shown = { merchant_slug: string; merchant_name: string; merchant_logo_url: string | null };

/** As a purchase keeps its merchant: as it was at the time. */
export type FrozenMerchant<R extends Shown> = Omit<R, 'merchant_logo_url'> & { merchant_id: number };

/** Purchases show what their merchant is called now; what it was called at the time, when the catalog has lost it. */
export async function showMerchants<R extends Shown>(
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
    } as FrozenMerchant<R> & Shown as unknown as R;
  });
}
