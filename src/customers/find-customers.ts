import { listPage } from '#platform/http/listing.ts';
import type { Finder } from '#platform/http/search.ts';
import { searchCustomers } from './change-customer.ts';
import type { Customers } from './customers.ts';
import { findListedCustomer } from './store.ts';

const ID = /^cus_[0-9a-z]{26}$/;

/** By id, name, phone, CPF or e-mail. */
export const findCustomers =
  (customers: Customers): Finder =>
  async (q, most) => {
    const { db, creditUsed, people } = customers;
    const rows = ID.test(q)
      ? [await findListedCustomer(db, q, creditUsed)].filter((row) => row !== undefined)
      : (await listPage(db, await searchCustomers(customers, { q }), { page: 1, limit: most })).rows;
    return rows.map((row) => ({
      kind: 'customer',
      id: row.id,
      title: row.erased_at === null ? 'Cliente' : 'Cliente apagado',
      customer_id: row.id,
      customer_name: people.of(row).name,
    }));
  };
