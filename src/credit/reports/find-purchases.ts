import { nameCustomers } from '#customers';
import type { Db } from '#platform/database/db.ts';
import type { Finder, Hit } from '#platform/http/search.ts';
import { findOffer } from '../offers/store.ts';
import { findCustomerOf, findInstallmentPlace } from '../purchases/reading-store.ts';
import { listOffersCalled, listSalesCalled } from './staff-store.ts';

type Sale = { customer_id: string; checkout_hash: string };

/** By the hash of a purchase, the id of an installment or an offer, or a merchant's reference. */
export const findPurchases =
  (db: Db): Finder =>
  async (q, most) => {
    const [sales, offers] = await Promise.all([findSales(db, q), findOffers(db, q, most)]);
    const named = await nameCustomers(db, sales.slice(0, most));
    return [
      ...named.map(
        ({ checkout_hash, customer_id, customer_name }): Hit => ({
          kind: 'checkout',
          id: checkout_hash,
          title: 'Compra',
          customer_id,
          customer_name,
        }),
      ),
      ...offers.map(
        ({ id, merchant_name }): Hit => ({ kind: 'offer', id, title: `Oferta de ${merchant_name}` }),
      ),
    ];
  };

async function findSales(db: Db, q: string): Promise<Sale[]> {
  if (/^[0-9A-Za-z]{22}$/.test(q)) {
    const customer_id = await findCustomerOf(db, q);
    if (customer_id !== undefined) return [{ customer_id, checkout_hash: q }];
  }
  if (q.startsWith('ins_')) return [await findInstallmentPlace(db, q)].filter((place) => place !== undefined);
  return listSalesCalled(db, q);
}

async function findOffers(db: Db, q: string, most: number) {
  if (!q.startsWith('off_')) return listOffersCalled(db, q, most);
  return [await findOffer(db, q)].filter((offer) => offer !== undefined);
}
