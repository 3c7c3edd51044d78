import type { Static } from 'typebox';
import { searchTokens } from '#catalog';
import { type Cpf, parseCpf } from '#core/cpf.ts';
import { saoPauloDay } from '#core/day.ts';
import type { Cents } from '#core/money.ts';
import type { Clock } from '#platform/clock.ts';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db, Queryable } from '#platform/database/db.ts';
import type { Listing } from '#platform/http/listing.ts';
import { type Change, recordChange, type Subject } from '#platform/privacy/trail.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import { purgeChallengesOf } from './codes/store.ts';
import { sealPerson } from './create-customer.ts';
import { phoneSubject } from './customers.ts';
import { countFailedLogins, type FailedLogins, forgetFailedLogins } from './failed-logins.ts';
import { hashPhone, openIdentity, type People } from './people.ts';
import { customerErased, phoneTaken } from './problems.ts';
import { renderForOperator } from './render-customer.ts';
import type { OperatorCustomer } from './schemas.ts';
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
  movePhone,
  type OverdueCustomers,
  updatePerson,
} from './store.ts';

/** What the operator sees of a customer. */
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
    return customer && renderForOperator(customer, people);
  },
});

type Wanted = { change: Change; ifMatch?: string | undefined };

/** In one transaction that locks the customer, with its trail. Undefined: no such customer. */
async function changing(
  deps: Deps,
  idOrPhone: string,
  { change, ifMatch }: Wanted,
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

/**
 * Changes the given fields. Sessions survive a new phone: it is the same person, who is logged in. Codes sent to the old phone
 * become invalid: another person may have that phone by now.
 */
export function changeCustomer(deps: Deps, idOrPhone: string, wishes: CustomerChange, wanted: Wanted) {
  return changing(deps, idOrPhone, wanted, async (tx, { id, phone: from }) => {
    const { vault } = deps;
    const { phone: to = from } = wishes;
    if (to !== from) {
      if (!(await movePhone(tx, id, { from: hashPhone(vault, from), to: hashPhone(vault, to) })))
        throw phoneTaken();
      await purgeChallengesOf(tx, phoneSubject(deps, from));
    }
    const was = openIdentity(vault, (await lockPerson(tx, id))!);
    const name = wishes.name?.trim() ?? was.name;
    const email = wishes.email?.toLowerCase() ?? was.email;
    await updatePerson(tx, sealPerson(vault, id, { ...was, name, email, phone: to }));
    if (wishes.creditLimit !== undefined) await markLimit(tx, id, wishes.creditLimit);
  });
}

/** Refuses new logins and ends all sessions, on every node. */
export async function lockCustomer(
  deps: Deps,
  idOrPhone: string,
  wanted: Wanted,
): Promise<{ customer: ShownCustomer; endedSessions: string[] } | undefined> {
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
export async function unlockCustomer(
  deps: Deps,
  idOrPhone: string,
  wanted: Wanted,
): Promise<{ customer: ShownCustomer; forgotten: FailedLogins } | undefined> {
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

export type Search = {
  name?: string | undefined;
  /** E.164 */
  phone?: string | undefined;
  cpf?: string | undefined;
  status?: CustomerStatus | undefined;
};

type SearchDeps = Pick<Deps, 'vault' | 'creditUsed'> & {
  db: Queryable;
  overdueCustomers: OverdueCustomers;
  clock: Clock;
};

/** Customers that match all given conditions. */
export async function searchCustomers(
  { db, vault, creditUsed, overdueCustomers, clock }: SearchDeps,
  { name, phone, cpf, status }: Search,
): Promise<Listing<ListedCustomer>> {
  const known = [
    ...(phone === undefined ? [] : [await findCustomerId(db, phone)]),
    ...(cpf === undefined ? [] : [await findCpfOwner(db, vault.hash('cpf', parseCpf(cpf) as Cpf))]),
  ];
  const [id] = known;
  const tokens = name === undefined ? undefined : searchTokens(vault, 'name', name);
  // No customer has an empty id.
  if (known.some((one) => one === undefined || one !== id) || tokens?.length === 0)
    return listCustomers({ id: '' }, creditUsed);
  const wanted =
    status === 'overdue' ? { among: overdueCustomers.all(saoPauloDay(clock.now().getTime())) } : { status };
  return listCustomers({ id, nameTokens: tokens, ...wanted }, creditUsed);
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
