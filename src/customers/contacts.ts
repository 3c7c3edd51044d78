import type { Contact, Contacts } from '#messages';
import type { Queryable } from '#platform/database/db.ts';
import { decryptIdentity } from './identity.ts';
import { addCustomerNames, findContactRow, findCustomerId } from './store.ts';

async function find(db: Queryable, customerId: string): Promise<Contact | undefined> {
  const row = await findContactRow(db, customerId);
  if (!row) return undefined;
  const { phone, email } = decryptIdentity(db.vault, row);
  return { customerId, phone, email, isLocked: row.locked_at !== null, isErased: row.erased_at !== null };
}

export const customerContacts: Contacts = {
  find,
  async findByPhone(db, phone) {
    const customerId = await findCustomerId(db, phone);
    return customerId === undefined ? undefined : find(db, customerId);
  },
  findCustomerId,
  addCustomerNames,
};
