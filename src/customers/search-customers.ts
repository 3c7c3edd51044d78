import { buildQueryTokens, buildWordTokens } from '#catalog';
import { type Cpf, parseCpf } from '#core/values/cpf.ts';
import { saoPauloDay } from '#core/values/day.ts';
import type { Queryable } from '#platform/database/db.ts';
import { normalizePhone } from '#platform/http/formats.ts';
import { type ListQuery, queryListPage, type Sort } from '#platform/http/list-query.ts';
import type { Searcher } from '#platform/http/search.ts';
import type { Vault } from '#platform/vault.ts';
import type { CustomersDeps } from './customers.ts';
import type { Identity } from './identity.ts';
import {
  buildCustomerListQuery,
  buildSelectedCustomersQuery,
  type CustomerStatus,
  type CustomerWithOverdue,
  findCpfOwner,
  findCustomerForStaff,
  findCustomerId,
  type StaffCustomerRow,
} from './store.ts';

/** Fewer digits would match too many customers. */
const MIN_PHONE_SUFFIX_LENGTH = 4;

const hashToken = (vault: Vault, kind: string, text: string): string =>
  vault.hash(kind, text).readBigInt64BE().toString();

/**
 * Builds the search tokens of a customer, whose data is encrypted: keyed hashes of the prefixes of each word of the name and of the
 * complete word, of the complete e-mail, and of every suffix of at least four digits of the phone.
 */
export function buildSearchTokens(
  vault: Vault,
  { name, email, phone }: Pick<Identity, 'name' | 'email' | 'phone'>,
) {
  const digits = phone.replaceAll(/\D/g, '');
  const phoneSuffixes = Array.from(
    { length: Math.max(0, digits.length - MIN_PHONE_SUFFIX_LENGTH + 1) },
    (_, i) => digits.slice(i),
  );
  return [
    ...buildWordTokens(vault, 'name', name),
    hashEmail(vault, email),
    ...phoneSuffixes.map((phoneSuffix) => hashToken(vault, 'end of phone', phoneSuffix)),
  ];
}

const hashEmail = (vault: Vault, email: string) =>
  hashToken(vault, 'whole e-mail', email.trim().toLowerCase());

export type CustomerSearchInput = {
  name?: string | undefined;
  /** The complete phone in any common format, or its last digits. */
  phone?: string | undefined;
  email?: string | undefined;
  cpf?: string | undefined;
  /** A name, phone, e-mail or CPF, recognised by its form. */
  q?: string | undefined;
  /** Only complete words and numbers match, for callers who see names and phones masked. */
  wholeWords?: boolean;
};

/** A customer matches if it has all `tokens` and the `cpf`. Returns null if no customer can match. */
export function buildSearchKeys(vault: Vault, { q, wholeWords = false, ...search }: CustomerSearchInput) {
  const classifiedQuery = q === undefined ? {} : classifyQuery(q);
  const {
    name = classifiedQuery.name,
    phone = classifiedQuery.phone,
    email = classifiedQuery.email,
    cpf = classifiedQuery.cpf,
  } = search;
  const nameTokens = name === undefined ? [] : buildQueryTokens(vault, 'name', name, { wholeWords });
  const completePhone = phone === undefined ? null : normalizePhone(phone);
  const phoneSuffix = phone === undefined ? undefined : (completePhone ?? phone).replaceAll(/\D/g, '');
  const hasNoNameWord = name !== undefined && nameTokens.length === 0;
  const isPhoneTooShort = phoneSuffix !== undefined && phoneSuffix.length < MIN_PHONE_SUFFIX_LENGTH;
  const isPhoneIncomplete = phone !== undefined && completePhone === null;
  if (hasNoNameWord || isPhoneTooShort || (wholeWords && isPhoneIncomplete)) return null;
  return {
    tokens: [
      ...nameTokens,
      ...(email === undefined ? [] : [hashEmail(vault, email)]),
      ...(phoneSuffix === undefined ? [] : [hashToken(vault, 'end of phone', phoneSuffix)]),
    ],
    cpf: cpf === undefined ? undefined : (parseCpf(cpf) as Cpf),
  };
}

function classifyQuery(q: string): Omit<CustomerSearchInput, 'q' | 'wholeWords'> {
  if (q.includes('@')) return { email: q };
  if (!/^[+\d\s().-]+$/.test(q)) return { name: q };
  return parseCpf(q) && !normalizePhone(q) ? { cpf: q } : { phone: q };
}

type SearchDeps = Pick<CustomersDeps, 'db' | 'vault' | 'selectCreditUsed' | 'overdueLookup' | 'clock'>;

/** Eleven digits can be a phone or a CPF. They are treated as a CPF if no customer has that phone. */
async function resolveElevenDigits(db: Queryable, { q, ...search }: CustomerSearchInput) {
  const isAmbiguous = q !== undefined && parseCpf(q) !== null && normalizePhone(q) !== null;
  const isCpf = isAmbiguous && (await findCustomerId(db, q)) === undefined;
  return isCpf ? { ...search, cpf: search.cpf ?? q } : { q, ...search };
}

type CustomerListInput = CustomerSearchInput & {
  status?: CustomerStatus | undefined;
  readingOrder?: Sort;
};

export async function buildCustomerSearch(
  { db, vault, selectCreditUsed, overdueLookup, clock }: SearchDeps,
  { status, readingOrder = 'oldest', ...search }: CustomerListInput,
): Promise<ListQuery<StaffCustomerRow>> {
  const searchKeys = buildSearchKeys(vault, await resolveElevenDigits(db, search));
  // An empty id matches no customer.
  if (searchKeys === null) return buildCustomerListQuery({ id: '' }, selectCreditUsed);
  const { tokens, cpf } = searchKeys;
  const cpfOwnerId = cpf === undefined ? undefined : ((await findCpfOwner(db, vault.hash('cpf', cpf))) ?? '');
  const searchTokens = tokens.length === 0 ? undefined : tokens;
  if (status !== 'overdue')
    return buildCustomerListQuery({ id: cpfOwnerId, searchTokens, status }, selectCreditUsed);
  const overdueIds = overdueLookup.selectIds(saoPauloDay(clock.now().getTime()), readingOrder);
  return cpfOwnerId === undefined && searchTokens === undefined
    ? buildSelectedCustomersQuery(overdueIds, selectCreditUsed)
    : buildCustomerListQuery({ id: cpfOwnerId, searchTokens, idSubquery: overdueIds }, selectCreditUsed);
}

export async function addOverdueAmounts(
  { db, overdueLookup, clock }: SearchDeps,
  customers: readonly StaffCustomerRow[],
): Promise<CustomerWithOverdue[]> {
  const customerIds = customers.map(({ id }) => id);
  const overdueByCustomer = await overdueLookup.findOverdueAmounts(
    db,
    customerIds,
    saoPauloDay(clock.now().getTime()),
  );
  return customers.map((customer) => ({ ...customer, overdue: overdueByCustomer.get(customer.id) }));
}

const CUSTOMER_ID = /^cus_[0-9a-z]{26}$/;

export const createCustomerSearcher =
  (deps: CustomersDeps): Searcher =>
  async (q, limit, { wholeWords }) => {
    const { db, selectCreditUsed, identities } = deps;
    const foundRows = CUSTOMER_ID.test(q)
      ? [await findCustomerForStaff(db, q, selectCreditUsed)].filter((row) => row !== undefined)
      : (await queryListPage(db, await buildCustomerSearch(deps, { q, wholeWords }), { page: 1, limit }))
          .rows;
    return foundRows.map((row) => ({
      kind: 'customer',
      id: row.id,
      title: row.erased_at === null ? 'Cliente' : 'Cliente apagado',
      customer_id: row.id,
      customer_name: identities.decrypt(row).name,
    }));
  };
