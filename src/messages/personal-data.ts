import { sql, type Tx } from '#platform/database/db.ts';
import {
  type PersonalData,
  type ResealBatch,
  rowsOf,
  type Storyteller,
  told,
} from '#platform/privacy/personal-data.ts';
import type { Vault } from '#platform/vault.ts';
import { deleteRefusals, listSubscriptions } from './preferences.ts';
import { hashOfPhone, openMessage, sealMessage } from './store.ts';
import { isTemplate, templateOf } from './templates.ts';

const OUTCOMES: Record<string, string> = {
  queued: 'a ser enviada',
  retrying: 'ainda não enviada; nova tentativa em breve',
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'não pôde ser enviada',
  withdrawn: 'não enviada: perdeu o sentido',
};

const tellMessages: Storyteller = async (db, customerId, most) => {
  const rows = await db.rows<{
    total: number;
    id: string;
    template: string;
    status: string;
    channel: string | null;
    updated_at: Date;
  }>(sql`
    select count(*) over () as total, id, template, status, channel, updated_at from messages
    where customer_id = ${customerId} order by updated_at desc, id desc limit ${most}`);
  return told(rows, ({ id, template, status, channel, updated_at: at }) => {
    const title = isTemplate(template) ? templateOf(template).title : template;
    return {
      at,
      kind: 'message',
      message_id: id,
      text: `Mensagem (${title}${channel === null ? '' : `, ${channel}`}) ${OUTCOMES[status] ?? status}.`,
    };
  });
};

type StoredMessage = { id: string; parts: Buffer | null; text: Buffer | null } & Record<string, unknown>;

/** The data of a person are the texts of sent messages. Parts of unsent ones are left out. */
export const messagesData: PersonalData = {
  story: tellMessages,
  tables: {
    messages: {
      async find(db, { id }, vault) {
        const rows = await db.rows<StoredMessage>(sql`
          select * from messages where customer_id = ${id} order by created_at, id`);
        return rows.map(({ parts, text, ...row }) => ({
          ...row,
          text: text && openMessage(vault, row.id, text),
        }));
      },
      erase: (tx, { id }) => tx.run(sql`delete from messages where customer_id = ${id}`),
      reseal: resealMessages,
    },
    message_subjects: rowsOf(({ id }) => sql`select * from message_subjects where customer_id = ${id}`),
    phone_messages: {
      find: (db, { phone }, vault) =>
        db.rows(sql`
          select id, template, status, channel, created_at from phone_messages
          where phone_hash = ${hashOfPhone(vault, phone)} order by created_at, id`),
      erase: (tx, { phone }, vault) =>
        tx.run(sql`delete from phone_messages where phone_hash = ${hashOfPhone(vault, phone)}`),
    },
    message_preferences: {
      ...rowsOf(({ id }) => sql`select * from message_preferences where customer_id = ${id}`),
      erase: (tx, { id }) => tx.run(sql`delete from message_preferences where customer_id = ${id}`),
    },
    refused_addresses: {
      async find(db, { phone, email }, vault) {
        const hashes = [phone, email].map((address) => vault.hash('refused address', address));
        return db.rows(sql`
          select channel, reason, refused_at from refused_addresses where address_hash = any(${hashes})`);
      },
      erase: (tx, { phone, email }) => deleteRefusals(tx, [phone, email]),
    },
    provider_messages: {
      ...rowsOf(({ id }) => sql`select * from provider_messages where customer_id = ${id}`),
      erase: (tx, { id }) => tx.run(sql`delete from provider_messages where customer_id = ${id}`),
    },
    push_subscriptions: {
      find: (db, { id }) => listSubscriptions(db, id),
      erase: (tx, { id }) => tx.run(sql`delete from push_subscriptions where customer_id = ${id}`),
      reseal: resealSubscriptions,
    },
    calendar_feeds: {
      ...rowsOf(({ id }) => sql`select * from calendar_feeds where customer_id = ${id}`),
      erase: (tx, { id }) => tx.run(sql`delete from calendar_feeds where customer_id = ${id}`),
    },
  },
};

async function resealMessages(tx: Tx, vault: Vault, { afterId, limit, all }: ResealBatch): Promise<string[]> {
  const rows = await tx.rows<StoredMessage & { customer_id: string }>(sql`
    select customer_id, id, parts, text from messages
    where id > ${afterId} and (parts is not null or text is not null)
      and (${all} or substr(text, 1, 4) <> ${vault.packedVersion} or substr(parts, 1, 4) <> ${vault.packedVersion})
    order by id limit ${limit}`);
  for (const { customer_id, id, parts, text } of rows) {
    const anew = (sealed: Buffer | null) => sealed && sealMessage(vault, id, openMessage(vault, id, sealed));
    await tx.run(sql`
      update messages set text = ${anew(text)}, parts = ${anew(parts)}
      where customer_id = ${customer_id} and id = ${id}`);
  }
  return rows.map(({ id }) => id);
}

async function resealSubscriptions(
  tx: Tx,
  vault: Vault,
  { afterId, limit, all }: ResealBatch,
): Promise<string[]> {
  const rows = await tx.rows<{ customer_id: string; id: string; subscription: Buffer }>(sql`
    select customer_id, id, subscription from push_subscriptions
    where id > ${afterId} and (${all} or substr(subscription, 1, 4) <> ${vault.packedVersion})
    order by id limit ${limit}`);
  for (const { customer_id, id, subscription } of rows)
    await tx.run(sql`
      update push_subscriptions set subscription = ${sealMessage(vault, id, openMessage(vault, id, subscription))}
      where customer_id = ${customer_id} and id = ${id}`);
  return rows.map(({ id }) => id);
}
