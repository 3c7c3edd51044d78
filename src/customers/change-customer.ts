import type { Static } from 'typebox';
import { parseCpf } from '#core/cpf.ts';
import { saoPauloDay } from '#core/day.ts';
import type { Cents } from '#core/money.ts';
import type { Clock } from '#platform/clock.ts';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db, Queryable } from '#platform/database/db.ts';
import { readPhone } from '#platform/http/formats.ts';
import type { Listing } from '#platform/http/listing.ts';
import { type Change, recordChange, type Subject } from '#platform/privacy/trail.ts';
import type { Vault } from '#platform/vault.ts';
import { sealPerson } from './create-customer.ts';
import { countFailedLogins, type FailedLogins, forgetFailedLogins } from './failed-logins.ts';
import { openIdentity, type People } from './people.ts';
import { askPhoneChange } from './phone-changes/phone-change.ts';
import { findWaitingChange } from './phone-changes/store.ts';
import { customerErased } from './problems.ts';
import { renderForOperator } from './render-customer.ts';
import type { OperatorCustomer } from './schemas.ts';
import { type Search, searchKeysOf } from './search-tokens.ts';
import { markAllEnded } from './sessions/store.ts';
import {
  type CreditUsed,
  type CustomerStatus,
  type FoundCustomer,
  findCpfOwner,
  findCustomerId,
  findListedCustomer,
  type ListedCustomer,
  listCustomers,
  lockCustomerById,
  lockPerson,
  markLimit,
  markLocked,
  markUnlocked,
  type OverdueCustomers,
  updatePerson,
} from './store.ts';

export type ShownCustomer = Static<typeof OperatorCustomer>;
export type Deps = { db: Db; vault: Vault; people: People; creditUsed: CreditUsed };

export const customerSubject = ({
  people,
  creditUsed,
}: Pick<Deps, 'people' | 'creditUsed'>): Subject<ShownCustomer, CustomerTx> => ({
  kind: 'customer',
  async read(tx, id) {
    await lockCustomerById(tx, id);
    const customer = await findListedCustomer(tx, id, creditUsed);
    return customer && { ...renderForOperator(customer, people), ...(await showPhoneChange(tx, id)) };
  },
});

/** The change of the phone that waits, as the operator sees it. */
export async function showPhoneChange(
  db: Queryable,
  customerId: string,
): Promise<Pick<ShownCustomer, 'phone_change'>> {
  const waiting = await findWaitingChange(db, customerId);
  if (!waiting) return { phone_change: null };
  const { to: phone, asked_by, asked_at, counts_at } = waiting;
  return {
    phone_change: {
      phone,
      asked_by,
      asked_at: asked_at.toISOString(),
      counts_at: counts_at.toISOString(),
    },
  };
}

type ChangeRequest = { change: Change; ifMatch?: string | undefined };

/** In one transaction that locks the customer, with its trail. Undefined: no such customer. */
export async function changing(
  deps: Deps,
  idOrPhone: string,
  { change, ifMatch }: ChangeRequest,
  work: (tx: CustomerTx, before: ShownCustomer) => Promise<unknown>,
): Promise<ShownCustomer | undefined> {
  const id = await findCustomerId(deps.db, idOrPhone);
  if (id === undefined) return undefined;
  return customerTransaction(deps.db, id, (tx) =>
    recordChange(tx, change, { of: customerSubject(deps), id, ifMatch }, async (before) => {
      if (before.erased_at !== null) throw customerErased();
      await work(tx, before);
    }),
  );
}

export type CustomerChange = {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  creditLimit?: Cents | undefined;
};

export type Changed = { customer: ShownCustomer; endedSessions: string[] };

/** Changes the given fields. A new phone waits: see `askPhoneChange`. */
export async function changeCustomer(
  deps: Deps,
  idOrPhone: string,
  wishes: CustomerChange,
  wanted: ChangeRequest,
): Promise<Changed | undefined> {
  let endedSessions: string[] = [];
  const customer = await changing(deps, idOrPhone, wanted, async (tx, { id, phone: from }) => {
    const { vault } = deps;
    const { phone: to = from } = wishes;
    const { actor, now } = wanted.change;
    if (to !== from)
      endedSessions = await askPhoneChange(tx, { customerId: id, from, to, by: actor.id, now });
    const was = openIdentity(vault, (await lockPerson(tx, id))!);
    const name = wishes.name?.trim() ?? was.name;
    const email = wishes.email?.toLowerCase() ?? was.email;
    await updatePerson(tx, sealPerson(vault, id, { ...was, name, email }));
    if (wishes.creditLimit !== undefined) await markLimit(tx, id, wishes.creditLimit);
  });
  return customer && { customer, endedSessions };
}

/** Refuses new logins and ends all sessions, on every node. */
export async function lockCustomer(deps: Deps, idOrPhone: string, wanted: ChangeRequest) {
  let endedSessions: string[] = [];
  const customer = await changing(deps, idOrPhone, wanted, async (tx, { id }) => {
    await markLocked(tx, id, wanted.change.now);
    endedSessions = await markAllEnded(tx, id, 'locked', wanted.change.now);
  });
  return customer && { customer, endedSessions };
}

/**
 * Lets a customer log in again: the lock by the operator ends, and wrong passwords and codes are forgotten. How many those were is
 * in the trail.
 */
export async function unlockCustomer(deps: Deps, idOrPhone: string, wanted: ChangeRequest) {
  const { db, vault } = deps;
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  const { kind, read } = customerSubject(deps);
  const ofLogin: Subject<ShownCustomer & FailedLogins, CustomerTx> = {
    kind,
    async read(tx, customerId) {
      const shown = await read(tx, customerId);
      return shown && { ...shown, ...(await countFailedLogins(tx, vault, shown.phone)) };
    },
  };
  let forgotten: FailedLogins = { wrong_passwords: 0, wrong_codes: 0 };
  const unlocked = await customerTransaction(db, id, (tx) =>
    recordChange(tx, wanted.change, { of: ofLogin, id, ifMatch: wanted.ifMatch }, async (before) => {
      if (before.erased_at !== null) throw customerErased();
      forgotten = { wrong_passwords: before.wrong_passwords, wrong_codes: before.wrong_codes };
      await markUnlocked(tx, id);
      await forgetFailedLogins(tx, vault, before.phone);
    }),
  );
  if (!unlocked) return undefined;
  const { wrong_passwords: _, wrong_codes: __, ...customer } = unlocked;
  return { customer, forgotten };
}

type SearchDeps = Pick<Deps, 'vault' | 'creditUsed'> & {
  db: Queryable;
  overdueCustomers: OverdueCustomers;
  clock: Clock;
};

/** Eleven digits may be a phone or a CPF. They are read as a CPF if nobody has that phone. */
async function cpfOrPhone(db: Queryable, { q, ...search }: Search): Promise<Search> {
  const isEither = q !== undefined && parseCpf(q) !== null && readPhone(q) !== null;
  const isCpf = isEither && (await findCustomerId(db, q)) === undefined;
  return isCpf ? { ...search, cpf: search.cpf ?? q } : { q, ...search };
}

/** Customers that match all given conditions. */
export async function searchCustomers(
  { db, vault, creditUsed, overdueCustomers, clock }: SearchDeps,
  { status, ...search }: Search & { status?: CustomerStatus | undefined },
): Promise<Listing<ListedCustomer>> {
  const wanted = searchKeysOf(vault, await cpfOrPhone(db, search));
  // No customer has an empty id.
  if (wanted === null) return listCustomers({ id: '' }, creditUsed);
  const { tokens, cpf } = wanted;
  const id = cpf === undefined ? undefined : ((await findCpfOwner(db, vault.hash('cpf', cpf))) ?? '');
  const ofStatus =
    status === 'overdue' ? { among: overdueCustomers.all(saoPauloDay(clock.now().getTime())) } : { status };
  return listCustomers({ id, tokens: tokens.length === 0 ? undefined : tokens, ...ofStatus }, creditUsed);
}

/** The same customers, with what is late. */
export async function withOverdue(
  { db, overdueCustomers, clock }: SearchDeps,
  customers: readonly ListedCustomer[],
): Promise<FoundCustomer[]> {
  const ids = customers.map(({ id }) => id);
  const overdue = await overdueCustomers.of(db, ids, saoPauloDay(clock.now().getTime()));
  return customers.map((customer) => ({ ...customer, overdue: overdue.get(customer.id) }));
}
