import type { Contact, Contacts } from '#messages';
import type { Queryable } from '#platform/database/db.ts';
import { defineService } from '#platform/service.ts';
import { canReceiveCodes } from './codes/codes.ts';
import type { CustomersDeps } from './customers.ts';
import { decryptIdentity } from './identity.ts';
import type { CountMessage } from './message-caps.ts';
import { addCustomerNames, findContactRow, findCustomerId } from './store.ts';

async function findContact(db: Queryable, customerId: string): Promise<Contact | undefined> {
  const row = await findContactRow(db, customerId);
  if (!row) return undefined;
  const { phone, email } = decryptIdentity(db.vault, row);
  return { customerId, phone, email, isLocked: row.locked_at !== null, isErased: row.erased_at !== null };
}

export const customerContacts: Contacts = {
  find: findContact,
  async findByPhone(db, phone) {
    const customerId = await findCustomerId(db, phone);
    return customerId === undefined ? undefined : findContact(db, customerId);
  },
  findCustomerId,
  addCustomerNames,
};

/** Limits for modules that send messages to phones that a caller can choose freely. */
export type MessageLimits = {
  canReach(phone: string): boolean;
  countMessage: CountMessage;
};

export const messageLimits = defineService<MessageLimits>('message limits');

export const createMessageLimits = ({ otpCountries, countMessage }: CustomersDeps): MessageLimits => ({
  canReach: (phone) => canReceiveCodes(phone, otpCountries),
  countMessage,
});
