import type { Contact, Contacts } from '#messages';
import type { Queryable } from '#platform/database/db.ts';
import { openIdentity } from './people.ts';
import { findCustomerId, findReachable, nameCustomers } from './store.ts';

async function find(db: Queryable, customerId: string): Promise<Contact | undefined> {
  const row = await findReachable(db, customerId);
  if (!row) return undefined;
  const { phone, email } = openIdentity(db.vault, row);
  return { customerId, phone, email, isLocked: row.locked_at !== null, isErased: row.erased_at !== null };
}

/** Where customers are reached. */
export const customerContacts: Contacts = {
  find,
  async findByPhone(db, phone) {
    const customerId = await findCustomerId(db, phone);
    return customerId === undefined ? undefined : find(db, customerId);
  },
  findId: findCustomerId,
  nameAll: nameCustomers,
};
