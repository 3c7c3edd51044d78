import { fold } from '#catalog';
import { maskName } from '#core/values/mask-name.ts';
import { parseReais } from '#core/values/money.ts';
import { addCustomerNames, listCustomerNames } from '#customers';
import type { Db } from '#platform/database/db.ts';
import type { Searcher, SearchHit } from '#platform/http/search.ts';
import { findOffer, findOpenOffer } from '../offers/store.ts';
import {
  findCustomerByCheckout,
  findInstallmentCheckout,
  listNewestCustomers,
  type SaleFilter,
} from '../purchases/reading-store.ts';
import { listOffersByReference, listSalesByReference } from '../staff/staff-store.ts';

/** Names are encrypted, so a search decrypts those of the newest sales of the period. */
export const MAX_SALES_SEARCHED = 2_000;

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

type Sale = { customer_id: string; checkout_hash: string };

/** Searches by the hash of a purchase, the id of an installment or an offer, or a merchant's reference. */
export const createPurchaseFinder =
  (db: Db): Searcher =>
  async (q, limit) => {
    const [sales, offers] = await Promise.all([findSales(db, q), findOffers(db, q, limit)]);
    const namedSales = await addCustomerNames(db, sales.slice(0, limit));
    return [
      ...namedSales.map(
        ({ checkout_hash, customer_id, customer_name }): SearchHit => ({
          kind: 'checkout',
          id: checkout_hash,
          title: 'Compra',
          customer_id,
          customer_name,
        }),
      ),
      ...offers.map(
        ({ id, merchant_name }): SearchHit => ({ kind: 'offer', id, title: `Oferta de ${merchant_name}` }),
      ),
    ];
  };

async function findSales(db: Db, q: string): Promise<Sale[]> {
  if (/^[0-9A-Za-z]{22}$/.test(q)) {
    const customer_id = await findCustomerByCheckout(db, q);
    if (customer_id !== undefined) return [{ customer_id, checkout_hash: q }];
  }
  if (q.startsWith('ins_'))
    return [await findInstallmentCheckout(db, q)].filter((sale) => sale !== undefined);
  return listSalesByReference(db, q);
}

async function findOffers(db: Db, q: string, limit: number) {
  if (!q.startsWith('off_')) return listOffersByReference(db, q, limit);
  return [await findOffer(db, q)].filter((offer) => offer !== undefined);
}
