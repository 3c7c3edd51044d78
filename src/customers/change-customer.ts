import type { Static } from 'typebox';
import { type Cents, toReais } from '#core/values/money.ts';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { listAttemptsForPhone, purgeAttemptsForPhone } from '#platform/http/attempt-limits.ts';
import { omit } from '#platform/omit.ts';
import { type AuditContext, type AuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import type { Vault } from '#platform/vault.ts';
import { listWrongAttempts, resetCodeAttempts } from './codes/store.ts';
import { buildStoredIdentity } from './create-customer.ts';
import type { CustomersDeps } from './customers.ts';
import { decryptIdentity } from './identity.ts';
import { LOGIN_LIMIT_KINDS, PHONE_AND_ADDRESS_LOCKOUT_KIND } from './limits.ts';
import { requestPhoneChange } from './phone-changes/phone-change.ts';
import { findPendingChange } from './phone-changes/store.ts';
import { customerErased } from './problems.ts';
import { renderForStaff } from './render-customer.ts';
import type { OperatorCustomer } from './schemas.ts';
import { endAllSessions } from './sessions/sessions.ts';
import { hashPhoneSubject } from './sign-in.ts';
import {
  findCustomerForStaff,
  findCustomerId,
  lockCustomerById,
  lockIdentity,
  markLocked,
  markUnlocked,
  updateCreditLimit,
  updateIdentity,
} from './store.ts';

export type CustomerView = Static<typeof OperatorCustomer>;

type UpdateDeps = Pick<
  CustomersDeps,
  'db' | 'vault' | 'identities' | 'selectCreditUsed' | 'endedSessions' | 'principalKind'
>;

export const customerAuditEntity = ({
  identities,
  selectCreditUsed,
}: Pick<CustomersDeps, 'identities' | 'selectCreditUsed'>): AuditEntity<CustomerView, CustomerTx> => ({
  kind: 'customer',
  async read(tx, id) {
    await lockCustomerById(tx, id);
    const customer = await findCustomerForStaff(tx, id, selectCreditUsed);
    return customer && { ...renderForStaff(customer, identities), ...(await readPendingPhoneChange(tx, id)) };
  },
});

export async function readPendingPhoneChange(db: Queryable, customerId: string) {
  const pendingChange = await findPendingChange(db, customerId);
  if (!pendingChange) return { phone_change: null };
  const { to: phone, asked_by, asked_at, counts_at } = pendingChange;
  const times = { asked_at: asked_at.toISOString(), counts_at: counts_at.toISOString() };
  return { phone_change: { phone, asked_by, ...times } };
}

type UpdateOptions = { auditContext: AuditContext; ifMatch?: string | undefined };

/** Runs an update in a transaction that locks the customer and writes the audit trail. Returns undefined for an unknown customer. */
export async function withAuditedCustomerUpdate(
  deps: UpdateDeps,
  idOrPhone: string,
  { auditContext, ifMatch }: UpdateOptions,
  update: (tx: CustomerTx, before: CustomerView) => Promise<unknown>,
): Promise<CustomerView | undefined> {
  const id = await findCustomerId(deps.db, idOrPhone);
  if (id === undefined) return undefined;
  const target = { entity: customerAuditEntity(deps), id, ifMatch };
  return customerTransaction(deps.db, id, (tx) =>
    withAuditedUpdate(tx, auditContext, target, async (before) => {
      if (before.erased_at !== null) throw customerErased();
      await update(tx, before);
    }),
  );
}

type CustomerPatch = {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  creditLimit?: Cents | undefined;
};

/** Changes the given fields. A new phone takes effect later: see `requestPhoneChange`. */
export const changeCustomer = (
  deps: CustomersDeps,
  idOrPhone: string,
  patch: CustomerPatch,
  options: UpdateOptions,
): Promise<CustomerView | undefined> =>
  withAuditedCustomerUpdate(deps, idOrPhone, options, async (tx, { id, phone: currentPhone, credit }) => {
    const { vault, events } = deps;
    const { actor, now } = options.auditContext;
    const newPhone = patch.phone ?? currentPhone;
    if (newPhone !== currentPhone) {
      const request = { customerId: id, from: currentPhone, to: newPhone, requestedBy: actor.id, now };
      await requestPhoneChange(tx, deps, request);
    }
    const identity = decryptIdentity(vault, (await lockIdentity(tx, id))!);
    const name = patch.name?.trim() ?? identity.name;
    const email = patch.email?.toLowerCase() ?? identity.email;
    await updateIdentity(tx, buildStoredIdentity(vault, id, { ...identity, name, email }));
    if (patch.creditLimit === undefined || toReais(patch.creditLimit) === credit.limit) return;
    await updateCreditLimit(tx, id, patch.creditLimit);
    // An offered limit lapses when staff change the limit.
    const data = { limit: toReais(patch.creditLimit), offered: null };
    await events.emit(tx, { type: 'credit.limit_changed', customerId: id, data }, now);
  });

/** Refuses new logins and ends all sessions, on every node. */
export const lockCustomer = (deps: UpdateDeps, idOrPhone: string, auditContext: AuditContext) =>
  withAuditedCustomerUpdate(deps, idOrPhone, { auditContext }, async (tx, { id }) => {
    await markLocked(tx, id, auditContext.now);
    await endAllSessions(tx, deps, id, 'locked', auditContext.now);
  });

/**
 * Lets a customer log in again: removes the lock and resets the counts of wrong passwords and codes. The audit trail records the
 * counts.
 */
export async function unlockCustomer(deps: CustomersDeps, idOrPhone: string, auditContext: AuditContext) {
  const { db, vault } = deps;
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  const { kind, read } = customerAuditEntity(deps);
  const entity: AuditEntity<CustomerView & FailedLogins, CustomerTx> = {
    kind,
    async read(tx, customerId) {
      const view = await read(tx, customerId);
      return view && { ...view, ...(await countFailedLogins(tx, vault, view.phone)) };
    },
  };
  const unlockedView = await customerTransaction(db, id, (tx) =>
    withAuditedUpdate(tx, auditContext, { entity, id }, async (before) => {
      if (before.erased_at !== null) throw customerErased();
      await markUnlocked(tx, id);
      await resetFailedLogins(tx, vault, before.phone);
    }),
  );
  return unlockedView && omit(unlockedView, 'wrong_passwords', 'wrong_codes');
}

export type FailedLogins = { wrong_passwords: number; wrong_codes: number };

async function countFailedLogins(db: Queryable, vault: Vault, phone: string): Promise<FailedLogins> {
  const subject = hashPhoneSubject({ vault }, phone);
  const wrongPasswords = await listAttemptsForPhone(db, subject, [PHONE_AND_ADDRESS_LOCKOUT_KIND]);
  const wrongCodes = await listWrongAttempts(db, subject);
  return {
    wrong_passwords: wrongPasswords.reduce((sum, { count }) => sum + count, 0),
    wrong_codes: wrongCodes.reduce((sum, { tries }) => sum + tries, 0),
  };
}

async function resetFailedLogins(tx: Tx, vault: Vault, phone: string): Promise<void> {
  const subject = hashPhoneSubject({ vault }, phone);
  await purgeAttemptsForPhone(tx, subject, LOGIN_LIMIT_KINDS);
  await resetCodeAttempts(tx, subject);
}
