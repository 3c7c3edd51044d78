import { filterRequestedCodes, hashPhone, listCustomerPartners, listPhoneOwners } from '#customers';
import type { Channel, Send } from '#messages';
import { findChargeByIdOrTxid } from '#pix';
import type { Clock } from '#platform/clock.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { batchable, type Db, type Queryable, runInBatches, sql } from '#platform/database/db.ts';
import type { ListQuery } from '#platform/http/list-query.ts';
import { omit } from '#platform/omit.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { sandbox_messages } from './generated/tables.ts';

const messageColumns = columns({ ...omit(sandbox_messages, 'id'), channel: column.text<Channel>() });
type SandboxMessage = Omit<RowOf<typeof messageColumns>, 'email'> & { id: number };

type InboxRow = RowOf<typeof messageColumns> & { batchKey: string };

const insertMessages = batchable(
  (rows: readonly InboxRow[]) => sql`insert into sandbox_messages ${messageColumns.valuesFromJson(rows)}`,
);

export const createInboxSender =
  (db: Queryable, clock: Clock) =>
  (channel: Channel): Send =>
  async ({ id, template, step, phone, email, text, code, link }) => {
    const recipient = { phone, email: channel === 'email' ? email : null };
    const message = { ...recipient, channel, template, step, text, code, link, sent_at: clock.now() };
    await db.rows(insertMessages({ ...message, batchKey: id }));
    return { providerId: null };
  };

export type MessageFilter = {
  phone: string | undefined;
  email: string | undefined;
  /** Only messages to these phones, or with these login codes. Without `phones`, `codes` is ignored. */
  phones?: readonly string[];
  codes?: readonly string[];
};

export const buildMessageListQuery = (filter: MessageFilter): ListQuery<SandboxMessage> => ({
  select: sql`select id, phone, channel, template, step, text, code, link, sent_at from sandbox_messages`,
  where: [
    ...(filter.phone === undefined ? [] : [sql`phone = ${filter.phone}`]),
    ...(filter.email === undefined ? [] : [sql`email = ${filter.email}`]),
    ...(filter.phones
      ? [
          sql`(phone = any (${filter.phones}::text[])
               or template = 'login_code' and code = any (${filter.codes ?? []}::text[]))`,
        ]
      : []),
  ],
  orderBy: [sql`id`],
  keyOf: ({ id }) => [id],
});

export const listRecipientPhones = (db: Queryable) =>
  db.values<string>(sql`select distinct phone from sandbox_messages where phone is not null`);

export const listLoginCodes = (db: Queryable, phone: string) =>
  db.values<string>(sql`
    select code from sandbox_messages
    where phone = ${phone} and template = 'login_code' and code is not null order by id desc limit 20`);

export const inboxPersonalData: PersonalData = {
  tables: definePersonalTables({
    sandbox_messages: { where: ({ phone }) => sql`phone = ${phone}`, orderBy: 'id', erase: 'delete' },
  }),
};

export async function purgeInbox(db: Queryable, before: Date): Promise<void> {
  await runInBatches(() =>
    db.run(sql`
      delete from sandbox_messages
      where id in (select id from sandbox_messages where sent_at < ${before} limit 1000)`),
  );
}

/** Returns which of the customers have logged in or signed up through the partner. */
async function findPartnersCustomerIds(db: Db, partnerId: string, customerIds: readonly string[]) {
  const rows = await listCustomerPartners(db, customerIds);
  return new Set(rows.filter((row) => row.partnerId === partnerId).map(({ customerId }) => customerId));
}

export async function isChargeOfPartnersCustomer(db: Db, partnerId: string, txid: string): Promise<boolean> {
  const charge = await findChargeByIdOrTxid(db, txid);
  return (
    charge !== undefined && (await findPartnersCustomerIds(db, partnerId, [charge.customer_id])).size > 0
  );
}

/** Finds the filter for the messages to the partner's own customers, and the login codes that it requested for other phones. */
export async function findPartnersMessageFilter(db: Db, partnerId: string, phone: string | undefined) {
  const recipientPhones = phone === undefined ? await listRecipientPhones(db) : [phone];
  const hashes = recipientPhones.map((recipient) => hashPhone(db.vault, recipient));
  const phoneByHash = new Map(hashes.map((hash, i) => [hash.toString('hex'), recipientPhones[i]!]));
  const owners = await listPhoneOwners(db, hashes);
  const ownerIds = owners.map(({ customerId }) => customerId);
  const ownCustomerIds = await findPartnersCustomerIds(db, partnerId, ownerIds);
  const ownPhones = owners
    .filter(({ customerId }) => ownCustomerIds.has(customerId))
    .map(({ phoneHash }) => phoneByHash.get(phoneHash.toString('hex'))!);
  if (phone === undefined || ownPhones.length > 0) return { phones: ownPhones, codes: [] };
  const codes = await filterRequestedCodes(db, { phone, partnerId }, await listLoginCodes(db, phone));
  return { phones: ownPhones, codes };
}
