import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import {
  type OpenDebt,
  type Person,
  type PersonalData,
  setErasing,
} from '#platform/privacy/personal-data.ts';
import { type CustomerView, customerAuditEntity } from './change-customer.ts';
import type { VerifiedCode } from './codes/codes.ts';
import { consumeCode } from './codes/store.ts';
import type { CustomersDeps } from './customers.ts';
import { decryptIdentity, type EncryptedIdentity } from './identity.ts';
import { codeWrong, customerErased, moneyOwed } from './problems.ts';
import { endAllSessions } from './sessions/sessions.ts';
import { hashPhoneSubject } from './sign-in.ts';
import { findCustomerId, lockIdentity, markErased } from './store.ts';

/** Exports all personal data of a customer, by table. Customers do not get the staff-only fields. The export is recorded in the audit trail. */
export async function exportCustomer(deps: CustomersDeps, idOrPhone: string, auditContext: AuditContext) {
  const { db, personalData } = deps;
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  const isStaffRequest = auditContext.actor.id !== id;
  return customerTransaction(db, id, async (tx) => {
    const identityRow = await lockIdentity(tx, id);
    if (!identityRow) return undefined;
    const person = buildPerson(deps, identityRow);
    const tables: Record<string, object[]> = {};
    for (const [name, table] of personalData.flatMap((data) => Object.entries(data.tables ?? {}))) {
      const hiddenFields = new Set(isStaffRequest ? [] : table.staffOnlyFields);
      const omitHidden = (field: string, value: unknown) => (hiddenFields.has(field) ? undefined : value);
      // As JSON, so that fields are left out at any depth.
      tables[name] = JSON.parse(JSON.stringify(await table.find(tx, person), omitHidden));
    }
    await recordAuditEntry(tx, auditContext, { kind: 'customer', id }, {});
    return { customer_id: id, exported_at: auditContext.now.toISOString(), tables };
  });
}

export async function listOpenDebts(
  db: Queryable,
  personalData: readonly PersonalData[],
  customerId: string,
) {
  const openDebts: OpenDebt[] = [];
  for (const data of personalData) {
    const moduleDebts = await data.listOpenDebts?.(db, customerId);
    openDebts.push(...(moduleDebts ?? []));
  }
  return openDebts;
}

function buildPerson(deps: CustomersDeps, identityRow: EncryptedIdentity): Person {
  const { phone, email, cpf } = decryptIdentity(deps.vault, identityRow);
  return { id: identityRow.id, phone, email, cpf, phoneHashes: [hashPhoneSubject(deps, phone)] };
}

/**
 * Erases the customer's identity from every table: each module erases its own tables. The ledger and its source records stay
 * unchanged. Irreversible. Throws a problem while the customer owes money or is owed money. A customer confirms the request with
 * `verifiedCode`; staff need no code.
 */
export async function eraseCustomer(
  deps: CustomersDeps,
  idOrPhone: string,
  auditContext: AuditContext,
  verifiedCode?: VerifiedCode,
): Promise<CustomerView | undefined> {
  const { db, personalData } = deps;
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  return customerTransaction(db, id, async (tx) => {
    const identityRow = await lockIdentity(tx, id);
    if (!identityRow) return undefined;
    if (identityRow.erased_at) throw customerErased();
    if (verifiedCode && !(await consumeCode(tx, verifiedCode, auditContext.now))) throw codeWrong();
    const openDebts = await listOpenDebts(tx, personalData, id);
    if (openDebts.length > 0) throw moneyOwed(openDebts);

    // An erasure locks the customer: see `markErased`.
    await endAllSessions(tx, deps, id, 'locked', auditContext.now);
    const person = buildPerson(deps, identityRow);
    await setErasing(tx, 'on');
    for (const { erase } of personalData.flatMap(({ tables }) => Object.values(tables ?? {})))
      await erase?.(tx, person);
    await setErasing(tx, 'off');
    await markErased(tx, id, auditContext.now);
    // Recorded without the previous values, which must not be stored.
    const auditedFields = { erased_at: auditContext.now.toISOString() };
    await recordAuditEntry(tx, auditContext, { kind: 'customer', id }, auditedFields);
    return (await customerAuditEntity(deps).read(tx, id))!;
  });
}
