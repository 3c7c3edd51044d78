import { fold } from '#catalog';
import { maskName } from '#core/values/mask-name.ts';
import { parseReais } from '#core/values/money.ts';
import { listCustomerNames } from '#customers';
import type { Db } from '#platform/database/db.ts';
import { findOpenOffer } from '../offers/store.ts';
import { findCustomerByCheckout, listNewestCustomers, type SaleFilter } from '../purchases/reading-store.ts';

/** Names are encrypted, so a search decrypts those of the newest sales of the period. */
export const MAX_SALES_SEARCHED = 2_000;

/** The search of a merchant, with the names and units of the API. */
export type SaleSearch = {
  hash?: string | undefined;
  code?: string | undefined;
  amount?: number | undefined;
  q?: string | undefined;
  by?: string | undefined;
};

/** Resolves a search to a filter. Returns undefined if no sale can match. */
export async function resolveSaleSearch(
  db: Db,
  period: Pick<SaleFilter, 'merchantId' | 'since' | 'before'>,
  { hash, code, amount, q, by }: SaleSearch,
): Promise<SaleFilter | undefined> {
  const saleHash = code === undefined ? hash : (await findOpenOffer(db, { code }))?.checkout_hash;
  if (code !== undefined && (!saleHash || (hash !== undefined && hash !== saleHash))) return undefined;
  const filter = {
    ...period,
    financedCents: amount === undefined ? undefined : parseReais(amount)!,
    memberId: by,
  };
  if (saleHash) {
    const customerId = await findCustomerByCheckout(db, saleHash);
    return customerId === undefined ? undefined : { ...filter, hash: saleHash, customerIds: [customerId] };
  }
  if (q === undefined) return filter;
  return { ...filter, customerIds: await listCustomersByName(db, period, q) };
}

/** Customers whose masked name contains the text. Masked letters never match. */
async function listCustomersByName(
  db: Db,
  period: Pick<SaleFilter, 'merchantId' | 'since' | 'before'>,
  q: string,
): Promise<string[]> {
  const text = fold(q).trim();
  const names = await listCustomerNames(db, await listNewestCustomers(db, period, MAX_SALES_SEARCHED));
  return [...names].filter(([, name]) => fold(maskName(name)).includes(text)).map(([id]) => id);
}
