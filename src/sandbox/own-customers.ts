import { hashPhone, listCustomerPartners, listPhoneOwners, selectRequestedCodes } from '#customers';
import { findChargeByIdOrTxid } from '#pix';
import type { Db } from '#platform/database/db.ts';
import { listLoginCodes, listRecipients, type MessageFilter } from './inbox.ts';

/** What a partner's own customers are in the sandbox: those who logged in or signed up through it. */

async function selectOwnCustomers(db: Db, partnerId: string, customerIds: readonly string[]) {
  const links = await listCustomerPartners(db, customerIds);
  return new Set(links.filter((link) => link.partnerId === partnerId).map(({ customerId }) => customerId));
}

export async function isChargeOfOwnCustomer(db: Db, partnerId: string, txid: string): Promise<boolean> {
  const charge = await findChargeByIdOrTxid(db, txid);
  return charge !== undefined && (await selectOwnCustomers(db, partnerId, [charge.customer_id])).size > 0;
}

/** The messages to the partner's own customers, and the login codes that it requested for other phones. */
export async function filterOwnMessages(
  db: Db,
  partnerId: string,
  phone: string | undefined,
): Promise<Pick<MessageFilter, 'phones' | 'codes'>> {
  const recipients = phone === undefined ? await listRecipients(db) : [phone];
  const phoneByHash = new Map(
    recipients.map((recipient) => [hashPhone(db.vault, recipient).toString('hex'), recipient]),
  );
  const owners = await listPhoneOwners(
    db,
    recipients.map((recipient) => hashPhone(db.vault, recipient)),
  );
  const ownCustomers = await selectOwnCustomers(
    db,
    partnerId,
    owners.map(({ customerId }) => customerId),
  );
  const phones = owners
    .filter(({ customerId }) => ownCustomers.has(customerId))
    .map(({ phoneHash }) => phoneByHash.get(phoneHash.toString('hex'))!);
  if (phone === undefined || phones.length > 0) return { phones, codes: [] };
  const codes = await selectRequestedCodes(db, { phone, partnerId }, await listLoginCodes(db, phone));
  return { phones, codes };
}
