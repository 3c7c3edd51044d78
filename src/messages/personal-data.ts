import { getTitleInSentence } from '#core/values/message-titles.ts';
import { columns } from '#platform/database/columns.ts';
import { sql } from '#platform/database/db.ts';
import { type ListTimeline, type PersonalData, toTimelinePage } from '#platform/privacy/personal-data.ts';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { hashAddress, pushSubscriptionColumns } from './preferences.ts';
import { hashPhone, messageColumns } from './store.ts';

const STATUS_TEXTS: Record<string, string> = {
  queued: 'a ser enviada',
  retrying: 'ainda não enviada; nova tentativa em breve',
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'não pôde ser enviada',
  withdrawn: 'não enviada: perdeu o sentido',
};

const listMessageTimeline: ListTimeline = async (db, customerId, limit) => {
  const rows = await db.rows<{
    total: number;
    id: string;
    template: string;
    status: string;
    channel: string | null;
    updated_at: Date;
  }>(sql`
    select count(*) over () as total, id, template, status, channel, updated_at from messages
    where customer_id = ${customerId} order by updated_at desc, id desc limit ${limit}`);
  return toTimelinePage(rows, ({ id, template, status, channel, updated_at: at }) => {
    const title = getTitleInSentence(template);
    return {
      at,
      kind: 'message',
      message_id: id,
      text: `Mensagem (${title}${channel === null ? '' : `, ${channel}`}) ${STATUS_TEXTS[status] ?? status}.`,
    };
  });
};

/** Exports have the texts of sent messages, without the content of unsent messages. */
export const messagesPersonalData: PersonalData = {
  timeline: listMessageTimeline,
  tables: definePersonalTables({
    messages: {
      orderBy: 'created_at, id',
      columns: messageColumns,
      key: ['customer_id', 'id'],
      omitFromExport: ['parts'],
      erase: 'delete',
    },
    // Only ids and days: exported, not erased.
    message_subjects: {},
    phone_messages: {
      where: ({ phone }, vault) => sql`phone_hash = ${hashPhone(vault, phone)}`,
      orderBy: 'created_at, id',
      columns: columns({ parts: messageColumns.declarations.parts }),
      key: ['id'],
      omitFromExport: ['parts'],
      erase: 'delete',
    },
    message_preferences: { erase: 'delete' },
    refused_addresses: {
      where: ({ phone, email }, vault) =>
        sql`address_hash = any(${[phone, email].map((address) => hashAddress(vault, address))})`,
      erase: 'delete',
    },
    provider_messages: { erase: 'delete' },
    push_subscriptions: {
      orderBy: 'created_at, id',
      columns: pushSubscriptionColumns,
      key: ['customer_id', 'id'],
      erase: 'delete',
    },
    calendar_feeds: { erase: 'delete' },
  }),
};
