import { type Day, saoPauloDay } from '#core/values/day.ts';
import { column, columns, type TableRow } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, runInBatches, sql, type Tx } from '#platform/database/db.ts';
import type { PageRange } from '#platform/http/list-query.ts';
import type { Vault } from '#platform/vault.ts';
import type { Channel } from './channels/channel.ts';
import type { messages } from './generated/tables.ts';
import type { TemplateName } from './templates.ts';

export const MESSAGE_STATUSES = [
  'queued',
  'retrying',
  'sent',
  'delivered',
  'read',
  'failed',
  'withdrawn',
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** The content of a message, with the field names of the stored JSON. */
export type MessageContent = {
  /** The data of the template. */
  readonly parts: unknown;
  /** The recipient's phone, if it is not the customer's own. */
  readonly phone?: string;
  /** Whether the recipient is a member of a merchant. A customer with the same phone is then ignored. */
  readonly isOfMember?: boolean;
};

/** `text` is the sent text, `parts` the content of a message that may still be sent. */
export const messageColumns = columns({
  text: column.encryptedText({ context: 'message' }).nullable(),
  parts: column.encrypted<MessageContent>({ context: 'message' }).nullable(),
});
const { text: encryptedText, parts: encryptedContent } = messageColumns.declarations;

export const decryptMessage = (vault: Vault, id: string, encrypted: Buffer): string =>
  encryptedText.decrypt(vault, id, encrypted);
export const encryptContent = (vault: Vault, id: string, content: MessageContent): Buffer =>
  encryptedContent.encrypt(vault, id, content);
export const decryptContent = (vault: Vault, id: string, encrypted: Buffer): MessageContent =>
  encryptedContent.decrypt(vault, id, encrypted);
export const hashPhone = (vault: Vault, phone: string): Buffer => vault.hash('phone of message', phone);

/** A subject of a message. At most one message per template, key and step is written. */
export type MessageSubject = { key: string; step: number; installmentId?: string };

type NewMessage = {
  customerId: string;
  id: string;
  template: TemplateName;
  step: number | null;
  day: Day | null;
  content: Buffer;
  subjects: readonly MessageSubject[];
  checkouts: readonly string[];
  writtenAt: Date;
};

/**
 * Writes a message, unless each of its subjects already had a message of the template at its step. This is one atomic statement, which
 * shares a round trip with others of the transaction. A second message of the template with the same `day` violates a unique index.
 */
export const insertMessage = batchable((rows: readonly NewMessage[], customerSql) => {
  const subjectRows = rows.flatMap(({ subjects, ...message }) =>
    subjects.map((subject) => ({ ...message, ...subject })),
  );
  // Lists of different lengths cannot be an array of arrays, so each is passed as the text of an array.
  const checkoutArrays = rows.map(({ checkouts }) => `{${checkouts.join()}}`);
  return sql`
    with new_subjects as (
      insert into message_subjects (customer_id, template, about, step, installment_id, message_id, told_on)
      select ${customerSql}, input.template, input.about, input.step, input.installment_id, input.message_id, input.told_on
      from unnest(${pluck(subjectRows, 'customerId')}::text[],
                  ${pluck(subjectRows, 'template')}::text[], ${pluck(subjectRows, 'key')}::text[],
                  ${pluck(subjectRows, 'step')}::smallint[],
                  ${subjectRows.map(({ installmentId }) => installmentId ?? null)}::text[],
                  ${pluck(subjectRows, 'id')}::text[],
                  ${subjectRows.map(({ writtenAt }) => saoPauloDay(writtenAt.getTime()))}::date[])
           as input (customer_id, template, about, step, installment_id, message_id, told_on)
      on conflict do nothing returning message_id)
    insert into messages (customer_id, id, template, step, day, checkouts, status, parts, created_at, updated_at)
    select ${customerSql}, input.id, input.template, input.step, input.day, input.checkouts::text[], 'queued', input.parts, input.written_at, input.written_at
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[],
                ${pluck(rows, 'template')}::text[], ${pluck(rows, 'step')}::smallint[],
                ${pluck(rows, 'day')}::date[], ${pluck(rows, 'content')}::bytea[],
                ${pluck(rows, 'writtenAt')}::timestamptz[],
                ${checkoutArrays}::text[])
         as input (customer_id, id, template, step, day, parts, written_at, checkouts)
    where input.id in (select message_id from new_subjects)`;
});

// A message to a phone belongs to no customer, so the `batchKey` of its statements is its id.

/** Queues the insert of a message to a phone. */
export function queueNewPhoneMessage(
  tx: Tx,
  message: MessageContent & { id: string; phone: string; template: TemplateName; now: Date },
): void {
  const { id, template, now, ...content } = message;
  const phoneHash = hashPhone(tx.vault, content.phone);
  const encrypted = encryptContent(tx.vault, id, content);
  tx.queueWrite(insertPhoneMessages({ batchKey: id, template, now, phoneHash, content: encrypted }));
}

type NewPhoneMessage = {
  batchKey: string;
  template: TemplateName;
  now: Date;
  phoneHash: Buffer;
  content: Buffer;
};

const insertPhoneMessages = batchable(
  (rows: readonly NewPhoneMessage[]) => sql`
    insert into phone_messages (id, phone_hash, template, status, parts, created_at, updated_at)
    select input.id, input.phone_hash, input.template, 'queued', input.parts, input.now, input.now
    from unnest(${pluck(rows, 'batchKey')}::text[], ${pluck(rows, 'phoneHash')}::bytea[], ${pluck(rows, 'template')}::text[],
                ${pluck(rows, 'content')}::bytea[], ${pluck(rows, 'now')}::timestamptz[])
         as input (id, phone_hash, template, parts, now)`,
);

export type MessageRow = Omit<TableRow<typeof messages>, 'day' | 'channel' | 'not_before' | 'checkouts'> & {
  day: Day | null;
  channel: Channel | null;
};

/** What sending needs of a message, which may have been sent in the meantime. */
export type MessageToSend = Pick<
  MessageRow,
  'id' | 'template' | 'step' | 'day' | 'status' | 'parts' | 'created_at'
>;

const selectMessages = batchable(
  (rows: ReadonlyArray<{ customerId: string; id: string }>, customerSql) => sql`
    select message.customer_id, message.id, message.template, message.step, message.day, message.status, message.parts,
           message.created_at
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[]) as input (customer_id, id)
    join messages message on message.customer_id = ${customerSql} and message.id = input.id`,
);

export const findMessage = (db: Queryable, customerId: string, id: string) =>
  db.row<MessageToSend>(selectMessages({ customerId, id }));

export const findPhoneMessage = (db: Queryable, id: string) =>
  db.row<MessageToSend>(selectPhoneMessages({ batchKey: id }));

const selectPhoneMessages = batchable(
  (rows: ReadonlyArray<{ batchKey: string }>) => sql`
    select id as batch_key, id, template, null::smallint as step, null::date as day, status, parts, created_at
    from phone_messages where id = any(${pluck(rows, 'batchKey')})`,
);

export type SendResult = {
  status: MessageStatus;
  /** The number of attempts to add to those of the message: 0 or 1. */
  attempts: number;
  channel: Channel | null;
  providerId: string | null;
  /** Why the attempt failed. null retains the reason of the previous attempt. */
  reason: string | null;
  text: string | null;
  /** Whether to delete the content: there will be no further attempt, and the message cannot be resent. */
  discardsContent: boolean;
  attemptedAt: Date;
};

type SavedResult = Omit<SendResult, 'text'> & { customerId: string; id: string; text: Buffer | null };

/**
 * SQL condition: whether `message` may still be sent. It excludes the final statuses. If it named the pending ones, PostgreSQL might not use
 * the primary key but the index of pending messages, of which there are thousands while reminders are sent.
 */
const IS_PENDING = sql`message.status not in ('sent', 'delivered', 'read', 'failed', 'withdrawn')`;

const updateSendResults = batchable(
  (rows: readonly SavedResult[], customerSql) => sql`
    update messages message set
      status = input.status, attempts = message.attempts + input.attempts, channel = coalesce(input.channel, message.channel),
      provider_id = coalesce(input.provider_id, message.provider_id), reason = coalesce(input.reason, message.reason),
      text = coalesce(input.text, message.text), parts = case when input.discards_content then null else message.parts end,
      updated_at = input.attempted_at,
      sent_at = case when input.status = 'sent' then input.attempted_at else message.sent_at end
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[],
                ${pluck(rows, 'status')}::text[], ${pluck(rows, 'attempts')}::smallint[],
                ${pluck(rows, 'channel')}::text[], ${pluck(rows, 'providerId')}::text[],
                ${pluck(rows, 'reason')}::text[], ${pluck(rows, 'text')}::bytea[],
                ${pluck(rows, 'discardsContent')}::boolean[], ${pluck(rows, 'attemptedAt')}::timestamptz[])
         as input (customer_id, id, status, attempts, channel, provider_id, reason, text, discards_content, attempted_at)
    where message.customer_id = ${customerSql} and message.id = input.id and ${IS_PENDING}`,
);

/** Saves the result of an attempt, unless another attempt has already ended the message. */
export async function saveSendResult(
  db: Queryable,
  { customerId, id }: { customerId: string; id: string },
  result: SendResult,
): Promise<void> {
  const text = result.text === null ? null : encryptedText.encrypt(db.vault, id, result.text);
  await db.rows(updateSendResults({ ...result, customerId, id, text }));
}

/** Postpones a message to a customer: the sweep sends it at `until` or later. No template for phones is ever postponed. */
export const postponeMessage = (
  db: Queryable,
  { customer_id, id }: { customer_id: string | null; id: string },
  until: Date,
) =>
  db.run(sql`
    update messages message set not_before = ${until}
    where message.customer_id = ${customer_id} and message.id = ${id} and ${IS_PENDING}`);

export const deleteSubjects = (db: Queryable, customerId: string, messageId: string) =>
  db.run(sql`
    delete from message_subjects where customer_id = ${customerId} and message_id = ${messageId}`);

export const listSubjects = (db: Queryable, customerId: string, messageId: string) =>
  db.rows<MessageSubject>(selectSubjects({ customerId, messageId }));

const selectSubjects = batchable(
  (rows: ReadonlyArray<{ customerId: string; messageId: string }>, customerSql) => sql`
    select subject.customer_id, subject.about as key, subject.step
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'messageId')}::text[])
         as input (customer_id, message_id)
    join message_subjects subject on subject.customer_id = ${customerSql} and subject.message_id = input.message_id
    order by subject.about, subject.step`,
);

type SubjectSearch = { customerId: string; template: TemplateName; keys: readonly string[] };

/** Lists the subjects with these keys that already had a message of the template. */
export const listNotifiedSubjects = (db: Queryable, search: SubjectSearch) =>
  db.rows<MessageSubject>(selectNotifiedSubjects(search));

const selectNotifiedSubjects = batchable((rows: readonly SubjectSearch[], customerSql) => {
  const subjectKeys = rows.flatMap(({ keys, ...search }) => keys.map((key) => ({ ...search, key })));
  return sql`
    select subject.customer_id, subject.about as key, subject.step
    from unnest(${pluck(subjectKeys, 'customerId')}::text[], ${pluck(subjectKeys, 'template')}::text[],
                ${pluck(subjectKeys, 'key')}::text[]) as input (customer_id, template, key)
    join message_subjects subject on subject.customer_id = ${customerSql} and subject.template = input.template
      and subject.about = input.key`;
});

export const savePhoneSendResult = (db: Queryable, id: string, result: SendResult) =>
  db.rows(updatePhoneSendResults({ ...result, batchKey: id }));

const updatePhoneSendResults = batchable(
  (rows: ReadonlyArray<SendResult & { batchKey: string }>) => sql`
    update phone_messages message set
      status = input.status, attempts = message.attempts + input.attempts, channel = coalesce(input.channel, message.channel),
      provider_id = coalesce(input.provider_id, message.provider_id), reason = coalesce(input.reason, message.reason),
      parts = case when input.discards_content then null else message.parts end, updated_at = input.attempted_at
    from unnest(${pluck(rows, 'batchKey')}::text[], ${pluck(rows, 'status')}::text[], ${pluck(rows, 'attempts')}::int[],
                ${pluck(rows, 'channel')}::text[], ${pluck(rows, 'providerId')}::text[], ${pluck(rows, 'reason')}::text[],
                ${pluck(rows, 'discardsContent')}::boolean[], ${pluck(rows, 'attemptedAt')}::timestamptz[])
         as input (id, status, attempts, channel, provider_id, reason, discards_content, attempted_at)
    where message.id = input.id and ${IS_PENDING}`,
);

/** Inserts or updates the copy of a phone message for the customer who has the phone, so that the customer and support see it. */
export function upsertCustomerCopy(
  db: Queryable,
  customerId: string,
  { id, template, created_at }: MessageToSend,
  result: SendResult,
) {
  const text = result.text === null ? null : encryptedText.encrypt(db.vault, id, result.text);
  const sentAt = result.status === 'sent' ? result.attemptedAt : null;
  return db.rows(
    upsertCustomerCopies({ ...result, customerId, id, template, createdAt: created_at, text, sentAt }),
  );
}

type CustomerCopy = SavedResult & { template: string; createdAt: Date; sentAt: Date | null };

const upsertCustomerCopies = batchable(
  (rows: readonly CustomerCopy[], customerSql) => sql`
    insert into messages as copy (customer_id, id, template, status, attempts, channel, provider_id, reason, text, created_at,
                               updated_at, sent_at)
    select ${customerSql}, input.id, input.template, input.status, input.attempts, input.channel, input.provider_id, input.reason,
           input.text, input.created_at, input.updated_at, input.sent_at
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[], ${pluck(rows, 'template')}::text[],
                ${pluck(rows, 'status')}::text[], ${pluck(rows, 'attempts')}::int[], ${pluck(rows, 'channel')}::text[],
                ${pluck(rows, 'providerId')}::text[], ${pluck(rows, 'reason')}::text[], ${pluck(rows, 'text')}::bytea[],
                ${pluck(rows, 'createdAt')}::timestamptz[], ${pluck(rows, 'attemptedAt')}::timestamptz[],
                ${pluck(rows, 'sentAt')}::timestamptz[])
         as input (customer_id, id, template, status, attempts, channel, provider_id, reason, text, created_at, updated_at, sent_at)
    on conflict (customer_id, id) do update set
      status = excluded.status, attempts = copy.attempts + excluded.attempts,
      channel = coalesce(excluded.channel, copy.channel), provider_id = coalesce(excluded.provider_id, copy.provider_id),
      reason = coalesce(excluded.reason, copy.reason), text = coalesce(excluded.text, copy.text),
      updated_at = excluded.updated_at, sent_at = coalesce(excluded.sent_at, copy.sent_at)`,
);

type SentMessage = Pick<MessageRow, 'id' | 'template' | 'step' | 'channel' | 'status'> & {
  text: Buffer;
  sent_at: Date;
};

const IS_VISIBLE_TO_CUSTOMER = sql`text is not null and sent_at is not null and template <> 'login_code'`;

export async function listSentMessages(db: Queryable, customerId: string, { offset, limit }: PageRange) {
  const rows = await db.rows<SentMessage>(sql`
    select id, template, step, channel, text, status, sent_at from messages
    where customer_id = ${customerId} and ${IS_VISIBLE_TO_CUSTOMER}
    order by id desc offset ${offset} limit ${limit}`);
  const total = (await db.value<number>(
    sql`select count(*) from messages where customer_id = ${customerId} and ${IS_VISIBLE_TO_CUSTOMER}`,
  ))!;
  return {
    messages: rows.map((row) => ({ ...row, text: decryptMessage(db.vault, row.id, row.text) })),
    total,
  };
}

type PendingMessageKey = { customer_id: string | null; id: string; template: string };

/**
 * Lists pending messages that were postponed until now, and those without an attempt since `lastAttemptBefore`, whose jobs were lost or
 * have used up their attempts. If `lastAttemptBefore` is null, the comparison matches none of the latter.
 */
export async function listPendingMessages(
  db: Queryable,
  { lastAttemptBefore, now, limit }: { lastAttemptBefore: Date | null; now: Date; limit: number },
): Promise<PendingMessageKey[]> {
  const customerMessages = await db.rows<PendingMessageKey>(sql`
    select customer_id, id, template from messages
    where status in ('queued', 'retrying')
      and case when not_before is null then updated_at < ${lastAttemptBefore} else not_before <= ${now} end
    order by updated_at limit ${limit}`);
  const phoneMessages = await db.rows<PendingMessageKey>(sql`
    select null::text as customer_id, id, template from phone_messages
    where status in ('queued', 'retrying') and updated_at < ${lastAttemptBefore} order by updated_at limit ${limit}`);
  return [...customerMessages, ...phoneMessages];
}

export const purgeOldMessages = (db: Queryable, before: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from messages message
      using (select customer_id, id from messages where created_at < ${before} limit 1000) as old
      where message.customer_id = old.customer_id and message.id = old.id`),
  );

export const purgeOldPhoneMessages = (db: Queryable, before: Date) =>
  runInBatches(() =>
    db.run(sql`
      delete from phone_messages where id in (select id from phone_messages where updated_at < ${before} limit 1000)`),
  );

type DaySearch = { customerId: string; template: TemplateName; day: Day };

/** Whether the customer's message of the template for this day is written. */
export const hasMessageOn = async (db: Queryable, search: DaySearch): Promise<boolean> =>
  (await db.row(selectMessagesOn(search))) !== undefined;

const selectMessagesOn = batchable(
  (rows: readonly DaySearch[], customerSql) => sql`
    select message.customer_id
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'template')}::text[], ${pluck(rows, 'day')}::date[])
         as input (customer_id, template, day)
    join messages message on message.customer_id = ${customerSql} and message.template = input.template
      and message.day = input.day`,
);

/** Whether the daily run of a job with this name has finished. */
export async function isRunFinished(db: Queryable, name: string, day: Day): Promise<boolean> {
  return (await db.row(sql`select from message_runs where name = ${name} and day = ${day}`)) !== undefined;
}

export const markRunFinished = (db: Queryable, name: string, day: Day, finishedAt: Date) =>
  db.run(sql`
    insert into message_runs (name, day, finished_at) values (${name}, ${day}, ${finishedAt})
    on conflict (name, day) do update set finished_at = excluded.finished_at`);
