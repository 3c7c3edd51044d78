import { queryListPage } from '#platform/http/list-query.ts';
import type { Searcher } from '#platform/http/search.ts';
import { buildCustomerSearch } from './change-customer.ts';
import type { CustomersDeps } from './customers.ts';
import { findOperatorCustomer } from './store.ts';

const ID = /^cus_[0-9a-z]{26}$/;

/** Searches customers by id, name, phone, CPF or e-mail. */
export const findCustomers =
  (deps: CustomersDeps): Searcher =>
  async (q, limit, { wholeWords }) => {
    const { db, creditUsed, identities } = deps;
    const rows = ID.test(q)
      ? [await findOperatorCustomer(db, q, creditUsed)].filter((row) => row !== undefined)
      : (await queryListPage(db, await buildCustomerSearch(deps, { q, wholeWords }), { page: 1, limit }))
          .rows;
    return rows.map((row) => ({
      kind: 'customer',
      id: row.id,
      title: row.erased_at === null ? 'Cliente' : 'Cliente apagado',
      customer_id: row.id,
      customer_name: identities.decrypt(row).name,
    }));
  };
