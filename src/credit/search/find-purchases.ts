import { addCustomerNames } from '#customers';
import type { Db } from '#platform/database/db.ts';
import type { Searcher, SearchHit } from '#platform/http/search.ts';
import { findOffer } from '../offers/store.ts';
import { findCustomerByCheckout, findInstallmentCheckout } from '../purchases/reading-store.ts';
import { listOffersByReference, listSalesByReference } from '../staff/staff-store.ts';

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
