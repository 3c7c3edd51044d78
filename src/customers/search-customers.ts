import { parseCpf } from '#core/values/cpf.ts';
import { saoPauloDay } from '#core/values/day.ts';
import type { Queryable } from '#platform/database/db.ts';
import { normalizePhone } from '#platform/http/formats.ts';
import { type ListQuery, queryListPage } from '#platform/http/list-query.ts';
import type { Searcher } from '#platform/http/search.ts';
import type { CustomersDeps } from './customers.ts';
import { buildSearchKeys, type CustomerSearchInput } from './search-tokens.ts';
import {
  type CustomerStatus,
  type CustomerWithOverdue,
  customerListQuery,
  findCpfOwner,
  findCustomerId,
  findOperatorCustomer,
  type OperatorCustomerRow,
} from './store.ts';

type SearchDeps = Pick<CustomersDeps, 'db' | 'vault' | 'creditUsed' | 'overdueCustomers' | 'clock'>;

/** Eleven digits can be a phone or a CPF. They are treated as a CPF if no customer has that phone. */
async function resolveElevenDigits(db: Queryable, { q, ...search }: CustomerSearchInput) {
  const isAmbiguous = q !== undefined && parseCpf(q) !== null && normalizePhone(q) !== null;
  const isCpf = isAmbiguous && (await findCustomerId(db, q)) === undefined;
  return isCpf ? { ...search, cpf: search.cpf ?? q } : { q, ...search };
}

export async function buildCustomerSearch(
  { db, vault, creditUsed, overdueCustomers, clock }: SearchDeps,
  { status, ...search }: CustomerSearchInput & { status?: CustomerStatus | undefined },
): Promise<ListQuery<OperatorCustomerRow>> {
  const searchKeys = buildSearchKeys(vault, await resolveElevenDigits(db, search));
  // An empty id matches no customer.
  if (searchKeys === null) return customerListQuery({ id: '' }, creditUsed);
  const { tokens, cpf } = searchKeys;
  const id = cpf === undefined ? undefined : ((await findCpfOwner(db, vault.hash('cpf', cpf))) ?? '');
  const statusFilter =
    status === 'overdue'
      ? { among: overdueCustomers.selectIds(saoPauloDay(clock.now().getTime())) }
      : { status };
  return customerListQuery(
    { id, tokens: tokens.length === 0 ? undefined : tokens, ...statusFilter },
    creditUsed,
  );
}

export async function addOverdueAmounts(
  { db, overdueCustomers, clock }: SearchDeps,
  customers: readonly OperatorCustomerRow[],
): Promise<CustomerWithOverdue[]> {
  const ids = customers.map(({ id }) => id);
  const overdue = await overdueCustomers.findOverdue(db, ids, saoPauloDay(clock.now().getTime()));
  return customers.map((customer) => ({ ...customer, overdue: overdue.get(customer.id) }));
}

const ID = /^cus_[0-9a-z]{26}$/;

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
