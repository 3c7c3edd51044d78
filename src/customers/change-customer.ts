import type { Static } from 'typebox';
import { parseCpf } from '#core/values/cpf.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { type Cents, toReais } from '#core/values/money.ts';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db, Queryable } from '#platform/database/db.ts';
import { normalizePhone } from '#platform/http/formats.ts';
import type { ListQuery } from '#platform/http/list-query.ts';
import { type AuditContext, type AuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import type { Vault } from '#platform/vault.ts';
import { encryptPerson } from './create-customer.ts';
import { countFailedLogins, type FailedLogins, resetFailedLogins } from './failed-logins.ts';
import { decryptIdentity, type IdentityCache } from './identity.ts';
import { requestPhoneChange } from './phone-changes/phone-change.ts';
import { findPendingChange } from './phone-changes/store.ts';
import { customerErased } from './problems.ts';
import { renderForOperator } from './render-customer.ts';
import type { OperatorCustomer } from './schemas.ts';
import { buildSearchKeys, type CustomerSearchInput } from './search-tokens.ts';
import { endAllSessions } from './sessions/store.ts';
import {
  type CreditUsedSql,
  type CustomerStatus,
  type CustomerWithOverdue,
  customerListQuery,
  findCpfOwner,
  findCustomerId,
  findOperatorCustomer,
  lockCustomerById,
  lockIdentity,
  markLocked,
  markUnlocked,
  type OperatorCustomerRow,
  type OverdueCustomers,
  updateCreditLimit,
  updateIdentity,
} from './store.ts';

export type CustomerView = Static<typeof OperatorCustomer>;
export type CustomerUpdateDeps = {
  db: Db;
  vault: Vault;
  identities: IdentityCache;
  creditUsed: CreditUsedSql;
};

export const customerAuditEntity = ({
  identities,
  creditUsed,
}: Pick<CustomerUpdateDeps, 'identities' | 'creditUsed'>): AuditEntity<CustomerView, CustomerTx> => ({
  kind: 'customer',
  async read(tx, id) {
    await lockCustomerById(tx, id);
    const customer = await findOperatorCustomer(tx, id, creditUsed);
    return (
      customer && { ...renderForOperator(customer, identities), ...(await readPendingPhoneChange(tx, id)) }
    );
  },
});

/** Renders the pending phone change for staff. */
export async function readPendingPhoneChange(
  db: Queryable,
  customerId: string,
): Promise<Pick<CustomerView, 'phone_change'>> {
  const pendingChange = await findPendingChange(db, customerId);
  if (!pendingChange) return { phone_change: null };
  const { to: phone, asked_by, asked_at, counts_at } = pendingChange;
  return {
    phone_change: {
      phone,
      asked_by,
      asked_at: asked_at.toISOString(),
      counts_at: counts_at.toISOString(),
    },
  };
}

type UpdateOptions = { auditContext: AuditContext; ifMatch?: string | undefined };

/** Runs an update in a transaction that locks the customer and writes the audit trail. Undefined: no such customer. */
export async function withAuditedCustomerUpdate(
  deps: CustomerUpdateDeps,
  idOrPhone: string,
  { auditContext, ifMatch }: UpdateOptions,
  update: (tx: CustomerTx, before: CustomerView) => Promise<unknown>,
): Promise<CustomerView | undefined> {
  const id = await findCustomerId(deps.db, idOrPhone);
  if (id === undefined) return undefined;
  return customerTransaction(deps.db, id, (tx) =>
    withAuditedUpdate(
      tx,
      auditContext,
      { entity: customerAuditEntity(deps), id, ifMatch },
      async (before) => {
        if (before.erased_at !== null) throw customerErased();
        await update(tx, before);
      },
    ),
  );
}

type CustomerPatch = {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  creditLimit?: Cents | undefined;
};

export type CustomerUpdateResult = { customer: CustomerView; endedSessionIds: string[] };

/** Changes the given fields. A new phone takes effect later: see `requestPhoneChange`. */
export async function changeCustomer(
  deps: CustomerUpdateDeps & { events: Events },
  idOrPhone: string,
  patch: CustomerPatch,
  options: UpdateOptions,
): Promise<CustomerUpdateResult | undefined> {
  let endedSessionIds: string[] = [];
  const customer = await withAuditedCustomerUpdate(
    deps,
    idOrPhone,
    options,
    async (tx, { id, phone: from, credit }) => {
      const { vault, events } = deps;
      const { phone: to = from } = patch;
      const { actor, now } = options.auditContext;
      if (to !== from)
        endedSessionIds = await requestPhoneChange(tx, {
          customerId: id,
          from,
          to,
          requestedBy: actor.id,
          now,
        });
      const identity = decryptIdentity(vault, (await lockIdentity(tx, id))!);
      const name = patch.name?.trim() ?? identity.name;
      const email = patch.email?.toLowerCase() ?? identity.email;
      await updateIdentity(tx, encryptPerson(vault, id, { ...identity, name, email }));
      if (patch.creditLimit === undefined || toReais(patch.creditLimit) === credit.limit) return;
      await updateCreditLimit(tx, id, patch.creditLimit);
      // An offered limit lapses when staff change the limit.
      const data = { limit: toReais(patch.creditLimit), offered: null };
      await events.emit(tx, { type: 'credit.limit_changed', customerId: id, data }, now);
    },
  );
  return customer && { customer, endedSessionIds };
}

/** Refuses new logins and ends all sessions, on every node. */
export async function lockCustomer(deps: CustomerUpdateDeps, idOrPhone: string, options: UpdateOptions) {
  let endedSessionIds: string[] = [];
  const customer = await withAuditedCustomerUpdate(deps, idOrPhone, options, async (tx, { id }) => {
    await markLocked(tx, id, options.auditContext.now);
    endedSessionIds = await endAllSessions(tx, id, 'locked', options.auditContext.now);
  });
  return customer && { customer, endedSessionIds };
}

/**
 * Lets a customer log in again: removes the lock and resets the counts of wrong passwords and codes. The audit trail records the
 * counts.
 */
export async function unlockCustomer(deps: CustomerUpdateDeps, idOrPhone: string, options: UpdateOptions) {
  const { db, vault } = deps;
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  const { kind, read } = customerAuditEntity(deps);
  const loginAuditEntity: AuditEntity<CustomerView & FailedLogins, CustomerTx> = {
    kind,
    async read(tx, customerId) {
      const view = await read(tx, customerId);
      return view && { ...view, ...(await countFailedLogins(tx, vault, view.phone)) };
    },
  };
  let clearedFailures: FailedLogins = { wrong_passwords: 0, wrong_codes: 0 };
  const unlocked = await customerTransaction(db, id, (tx) =>
    withAuditedUpdate(
      tx,
      options.auditContext,
      { entity: loginAuditEntity, id, ifMatch: options.ifMatch },
      async (before) => {
        if (before.erased_at !== null) throw customerErased();
        clearedFailures = { wrong_passwords: before.wrong_passwords, wrong_codes: before.wrong_codes };
        await markUnlocked(tx, id);
        await resetFailedLogins(tx, vault, before.phone);
      },
    ),
  );
  if (!unlocked) return undefined;
  const { wrong_passwords: _, wrong_codes: __, ...customer } = unlocked;
  return { customer, clearedFailures };
}

type SearchDeps = Pick<CustomerUpdateDeps, 'vault' | 'creditUsed'> & {
  db: Queryable;
  overdueCustomers: OverdueCustomers;
  clock: Clock;
};

/** Eleven digits can be a phone or a CPF. They are treated as a CPF if no customer has that phone. */
async function resolveElevenDigits(
  db: Queryable,
  { q, ...search }: CustomerSearchInput,
): Promise<CustomerSearchInput> {
  const isAmbiguous = q !== undefined && parseCpf(q) !== null && normalizePhone(q) !== null;
  const isCpf = isAmbiguous && (await findCustomerId(db, q)) === undefined;
  return isCpf ? { ...search, cpf: search.cpf ?? q } : { q, ...search };
}

/** Builds the list query of the customers that match all given conditions. */
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

/** Adds the overdue amount of each customer. */
export async function addOverdueAmounts(
  { db, overdueCustomers, clock }: SearchDeps,
  customers: readonly OperatorCustomerRow[],
): Promise<CustomerWithOverdue[]> {
  const ids = customers.map(({ id }) => id);
  const overdue = await overdueCustomers.findOverdue(db, ids, saoPauloDay(clock.now().getTime()));
  return customers.map((customer) => ({ ...customer, overdue: overdue.get(customer.id) }));
}
