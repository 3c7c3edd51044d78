import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import {
  markErasing,
  type OpenDebt,
  type Person,
  type PersonalData,
} from '#platform/privacy/personal-data.ts';
import { type Change, recordCreation } from '#platform/privacy/trail.ts';
import { type Changed, customerSubject, type Deps } from './change-customer.ts';
import type { RightCode } from './codes/check-code.ts';
import { markUsed } from './codes/store.ts';
import { openIdentity, type SealedIdentity } from './people.ts';
import { codeWrong, customerErased, moneyOwed } from './problems.ts';
import { markAllEnded } from './sessions/store.ts';
import { phoneSubject } from './sign-in.ts';
import { findCustomerId, lockPerson, markErased } from './store.ts';

export type PersonalDeps = Deps & { personalData: readonly PersonalData[] };

/** All personal data of a customer, by table; to the customer without what staff wrote for themselves. Recorded in the trail. */
export async function exportCustomer(deps: PersonalDeps, idOrPhone: string, change: Change) {
  const { db, vault, personalData } = deps;
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  const isByStaff = change.actor.id !== id;
  return customerTransaction(db, id, async (tx) => {
    const found = await lockPerson(tx, id);
    if (!found) return undefined;
    const person = personOf(deps, found);
    const tables: Record<string, object[]> = {};
    for (const [name, table] of personalData.flatMap((data) => Object.entries(data.tables ?? {}))) {
      const hidden = new Set(isByStaff ? [] : table.forStaff);
      const withoutHidden = (field: string, value: unknown) => (hidden.has(field) ? undefined : value);
      tables[name] = JSON.parse(JSON.stringify(await table.find(tx, person, vault), withoutHidden));
    }
    await recordCreation(tx, change, { kind: 'customer', id }, {});
    return { customer_id: id, exported_at: change.now.toISOString(), tables };
  });
}

/** What keeps a customer from being erased. */
export async function listOwed(db: Queryable, personalData: readonly PersonalData[], customerId: string) {
  const owed: OpenDebt[] = [];
  for (const data of personalData) owed.push(...((await data.owed?.(db, customerId)) ?? []));
  return owed;
}

function personOf(deps: PersonalDeps, found: SealedIdentity): Person {
  const { phone, email, cpf } = openIdentity(deps.vault, found);
  return { id: found.id, phone, email, cpf, subjects: [phoneSubject(deps, phone)] };
}

/**
 * Erases the customer's identity from every table: each module erases its own. The ledger and its sources stay unchanged.
 * Irreversible. Throws a problem while money is owed, either way. `proof`: the code with which the customer asks for it.
 */
export async function eraseCustomer(
  deps: PersonalDeps,
  idOrPhone: string,
  change: Change,
  proof?: RightCode,
): Promise<Changed | undefined> {
  const { db, vault, personalData } = deps;
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  return customerTransaction(db, id, async (tx) => {
    const found = await lockPerson(tx, id);
    if (!found) return undefined;
    if (found.erased_at) throw customerErased();
    if (proof && !(await markUsed(tx, proof, change.now))) throw codeWrong();
    const owed = await listOwed(tx, personalData, id);
    if (owed.length > 0) throw moneyOwed(owed);

    const endedSessions = await markAllEnded(tx, id, 'locked', change.now);
    const person = personOf(deps, found);
    await markErasing(tx, 'on');
    for (const { erase } of personalData.flatMap(({ tables }) => Object.values(tables ?? {})))
      await erase?.(tx, person, vault);
    await markErasing(tx, 'off');
    await markErased(tx, id, change.now);
    // Not as a change: the previous values must not be recorded.
    await recordCreation(tx, change, { kind: 'customer', id }, { erased_at: change.now.toISOString() });
    return { customer: (await customerSubject(deps).read(tx, id))!, endedSessions };
  });
}
