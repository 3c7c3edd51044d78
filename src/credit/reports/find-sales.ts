import { fold } from '#catalog';
import { maskName } from '#core/mask-name.ts';
import { parseReais } from '#core/money.ts';
import { listNames } from '#customers';
import type { Db } from '#platform/database/db.ts';
import { findOpenOffer } from '../offers/store.ts';
import { findCustomerOf, listNewestCustomers, type SaleFilter } from '../purchases/reading-store.ts';

/** Names are sealed, so a search opens those of the newest sales of the period. */
export const MOST_SEARCHED = 2_000;

/** What a merchant looks for; names and units as on the wire. */
export type SaleSearch = {
  hash?: string | undefined;
  code?: string | undefined;
  amount?: number | undefined;
  q?: string | undefined;
  by?: string | undefined;
};

/** Undefined when there can be no such sale. */
export async function readSearch(
  db: Db,
  period: Pick<SaleFilter, 'merchantId' | 'since' | 'before'>,
  { hash, code, amount, q, by }: SaleSearch,
): Promise<SaleFilter | undefined> {
  const sold = code === undefined ? hash : (await findOpenOffer(db, { code }))?.checkout_hash;
  if (code !== undefined && (!sold || (hash !== undefined && hash !== sold))) return undefined;
  const wanted = {
    ...period,
    financedCents: amount === undefined ? undefined : parseReais(amount)!,
    memberId: by,
  };
  if (sold) {
    const customerId = await findCustomerOf(db, sold);
    return customerId === undefined ? undefined : { ...wanted, hash: sold, customerIds: [customerId] };
  }
  if (q === undefined) return wanted;
  return { ...wanted, customerIds: await listCalled(db, period, q) };
}

/** Those of whose name the merchant sees this much: nothing is found by what is masked. */
async function listCalled(
  db: Db,
  period: Pick<SaleFilter, 'merchantId' | 'since' | 'before'>,
  q: string,
): Promise<string[]> {
  const text = fold(q).trim();
  const names = await listNames(db, await listNewestCustomers(db, period, MOST_SEARCHED));
  return [...names].filter(([, name]) => fold(maskName(name)).includes(text)).map(([id]) => id);
}
