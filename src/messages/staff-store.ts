import { Type } from 'typebox';
import type { Day } from '#core/values/day.ts';
import { findCheckoutCustomer } from '#events';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { defineList, filterBy, filterByDays } from '#platform/http/list.ts';
import { Text } from '#platform/http/schemas.ts';
import { newId, readCreationTime } from '#platform/ids.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { CHANNELS } from './channels/channel.ts';
import type { Contacts } from './messages.ts';
import { enqueueMessages } from './outbox.ts';
import { messageInProgress, messageNotResendable } from './problems.ts';
import {
  decryptContent,
  encryptContent,
  MESSAGE_STATUSES,
  type MessageRow,
  type MessageStatus,
} from './store.ts';
import { isTemplateName, TEMPLATE_NAMES } from './templates.ts';

export type StaffMessageRow = Omit<MessageRow, 'day' | 'parts'>;

const STAFF_COLUMNS = sql`id, customer_id, template, step, status, channel, provider_id, reason, attempts, text, created_at, sent_at,
                   updated_at`;

/** The list of messages for staff. The filters match nothing for an unknown customer or purchase. */
export const defineMessageList = (contacts: Contacts) =>
  defineList({
    select: sql`select ${STAFF_COLUMNS} from messages`,
    filters: {
      customer: {
        schema: Text(80, { description: 'Id or phone of the customer.' }),
        resolve: async (idOrPhone: string, db: Queryable) =>
          (await contacts.findCustomerId(db, idOrPhone)) ?? '',
        where: (id: string) => sql`customer_id = ${id}`,
        isPersonal: true,
      },
      checkout: {
        schema: Type.String({
          pattern: '^[0-9A-Za-z]{22}$',
          description: 'Hash of a purchase that the message is about.',
        }),
        resolve: async (hash: string, db: Queryable) => ({
          hash,
          customerId: (await findCheckoutCustomer(db, hash)) ?? '',
        }),
        where: ({ hash, customerId }: { hash: string; customerId: string }) =>
          sql`customer_id = ${customerId} and ${hash} = any(checkouts)`,
      },
      status: filterBy(Type.Enum([...MESSAGE_STATUSES]), sql`status`),
      channel: filterBy(Type.Enum([...CHANNELS]), sql`channel`),
      template: filterBy(Type.Enum(TEMPLATE_NAMES, { description: 'Name of the template.' }), sql`template`),
      ...filterByDays('Written', sql`created_at`),
    },
    search: { description: 'Name, phone or CPF of the customer.', customerColumn: sql`customer_id` },
    orderBy: [sql`created_at`, sql`id`],
    keyOf: ({ created_at, id }: StaffMessageRow) => [created_at, id],
  });

/** Messages are indexed by their creation time, which the id contains. */
export const findMessageCustomerId = (db: Queryable, id: string) =>
  db.value<string>(sql`
    select customer_id from messages where created_at = ${readCreationTime(id) ?? null} and id = ${id}`);

/** Finds a message, with its encrypted content in `parts` if it can still be sent. */
export const findStaffMessage = (db: Queryable, customerId: string, id: string) =>
  db.row<StaffMessageRow & { parts: Buffer | null }>(sql`
    select ${STAFF_COLUMNS}, parts from messages where customer_id = ${customerId} and id = ${id}`);

async function insertResentMessage(
  tx: Tx,
  original: StaffMessageRow,
  copy: { id: string; content: Buffer; now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into messages (customer_id, id, template, step, checkouts, status, parts, created_at, updated_at)
    select customer_id, ${copy.id}, template, step, checkouts, 'queued', ${copy.content}, ${copy.now}, ${copy.now}
    from messages where customer_id = ${original.customer_id} and id = ${original.id}`);
  await tx.run(sql`
    update message_subjects set message_id = ${copy.id}
    where customer_id = ${original.customer_id} and message_id = ${original.id}`);
}

export const countMessagesByOutcome = (db: Queryable, since: Date, before: Date) =>
  db.rows<{ channel: string | null; status: MessageStatus; reason: string | null; messages: number }>(sql`
    select channel, status, case when status = 'failed' then reason end as reason, count(*) as messages
    from messages where created_at >= ${since} and created_at < ${before}
    group by 1, 2, 3 order by 1, 2, 3`);

/**
 * Counts the installments with a reminder on these days by step, and how many of them were paid within a day. The caller provides the
 * SQL condition `selectIsPaidBetween`, because another module owns the payments.
 */
export async function countRemindersByStep(
  db: Queryable,
  { from, to }: { from: Day; to: Day },
  selectIsPaidBetween: (customerId: Sql, installmentId: Sql, from: Sql, until: Sql) => Sql,
): Promise<Array<{ step: number; reminded: number; paid: number }>> {
  const isPaid = selectIsPaidBetween(
    sql`subjects.customer_id`,
    sql`subjects.installment_id`,
    sql`messages.sent_at`,
    sql`messages.sent_at + interval '1 day'`,
  );
  return db.rows(sql`
    select subjects.step, count(*) as reminded, count(*) filter (where ${isPaid}) as paid
    from message_subjects subjects
    join messages on messages.customer_id = subjects.customer_id and messages.id = subjects.message_id
    where subjects.template = 'reminder' and subjects.told_on >= ${from} and subjects.told_on <= ${to}
      and messages.sent_at is not null
    group by subjects.step order by subjects.step`);
}

/**
 * Queues a copy of a customer's message. The job that sends the copy renders it with current data, or withdraws it if its reason no longer
 * exists. Returns the copy, or undefined if the message does not exist.
 */
export async function resendMessage(tx: Tx, id: string, auditContext: AuditContext) {
  const { now } = auditContext;
  const customerId = await findMessageCustomerId(tx, id);
  const original = customerId === undefined ? undefined : await findStaffMessage(tx, customerId, id);
  if (!original) return undefined;
  if (original.status === 'queued' || original.status === 'retrying') throw messageInProgress();
  if (original.parts === null || !isTemplateName(original.template)) throw messageNotResendable();
  const resentId = newId('msg', now);
  const content = encryptContent(tx.vault, resentId, decryptContent(tx.vault, id, original.parts));
  await insertResentMessage(tx, original, { id: resentId, content, now });
  // `again` is the id of the original message.
  const auditedFields = { again: id, template: original.template };
  await recordAuditEntry(tx, auditContext, { kind: 'message', id: resentId }, auditedFields);
  await enqueueMessages(tx, [{ ...original, id: resentId }]);
  return findStaffMessage(tx, original.customer_id, resentId);
}
