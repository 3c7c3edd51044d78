import type { Static } from 'typebox';
import type { Bilingual } from '#core/bilingual.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { markErasing, type Person, type PersonalData } from '#platform/privacy/personal-data.ts';
import { type Change, recordCreation } from '#platform/privacy/trail.ts';
import { customerSubject, type Deps, type ShownCustomer } from './change-customer.ts';
import { phoneSubject } from './customers.ts';
import { openIdentity, type SealedIdentity } from './people.ts';
import { customerErased, moneyOwed } from './problems.ts';
import type { CustomerExport } from './schemas.ts';
import { markAllEnded } from './sessions/store.ts';
import { findCustomerId, lockPerson, markErased } from './store.ts';

export type PersonalDeps = Deps & { personalData: readonly PersonalData[] };

/** All personal data of a customer, by table. The export is recorded in the trail. */
export async function exportCustomer(
  deps: PersonalDeps,
  idOrPhone: string,
  change: Change,
): Promise<Static<typeof CustomerExport> | undefined> {
  const { db, vault, personalData } = deps;
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  return customerTransaction(db, id, async (tx) => {
    const found = await lockPerson(tx, id);
    if (!found) return undefined;
    const person = personOf(deps, found);
    const tables: Record<string, object[]> = {};
    for (const [name, table] of personalData.flatMap((data) => Object.entries(data.tables ?? {})))
      tables[name] = JSON.parse(JSON.stringify(await table.find(tx, person, vault)));
    await recordCreation(tx, change, { kind: 'customer', id }, {});
    return { customer_id: id, exported_at: change.now.toISOString(), tables };
  });
}

function personOf(deps: PersonalDeps, found: SealedIdentity): Person {
  const { phone, email } = openIdentity(deps.vault, found);
  return { id: found.id, phone, email, subjects: [phoneSubject(deps, phone)] };
}

/**
 * Erases the customer's identity from every table: each module erases its own. The ledger and its sources stay unchanged.
 * Irreversible. Throws a problem while money is owed, either way.
 */
export async function eraseCustomer(
  deps: PersonalDeps,
  idOrPhone: string,
  change: Change,
): Promise<{ customer: ShownCustomer; endedSessions: string[] } | undefined> {
  const { db, vault, personalData } = deps;
  const id = await findCustomerId(db, idOrPhone);
  if (id === undefined) return undefined;
  return customerTransaction(db, id, async (tx) => {
    const found = await lockPerson(tx, id);
    if (!found) return undefined;
    if (found.erased_at) throw customerErased();
    const owed: Bilingual[] = [];
    for (const data of personalData) owed.push(...((await data.owed?.(tx, id)) ?? []));
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
