import type { Day } from '#core/day.ts';
import { batchable } from '#platform/database/batchable.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import type { Range } from '#platform/http/listing.ts';
import type { Vault } from '#platform/vault.ts';
import type { Channel } from './channels/channel.ts';
import type { TemplateName } from './templates.ts';

export const STATUSES = ['queued', 'retrying', 'sent', 'delivered', 'read', 'failed', 'withdrawn'] as const;
export type MessageStatus = (typeof STATUSES)[number];

export type Content = {
  readonly parts: unknown;
  /** The phone it goes to, if it is not the customer's own. */
  readonly phone?: string;
  /** For a member of a merchant: nothing of the customer who has the same phone. */
  readonly isOfMember?: boolean;
};

const ownerOf = (id: string) => `message ${id}`;
export const sealMessage = (vault: Vault, id: string, text: string): Buffer => vault.pack(text, ownerOf(id));
export const openMessage = (vault: Vault, id: string, sealed: Buffer): string =>
  vault.unpack(sealed, ownerOf(id));
export const sealContent = (vault: Vault, id: string, content: Content): Buffer =>
  sealMessage(vault, id, JSON.stringify(content));
export const openContent = (vault: Vault, id: string, sealed: Buffer): Content =>
  JSON.parse(openMessage(vault, id, sealed));
export const hashOfPhone = (vault: Vault, phone: string): Buffer => vault.hash('phone of message', phone);

/** A subject of a message. Deduplicated by template, subject and step. */
export type Subject = { about: string; step: number; installmentId?: string };

type NewMessage = {
  customerId: string;
  id: string;
  template: TemplateName;
  step: number | null;
  day: Day | null;
  content: Buffer;
  subjects: readonly Subject[];
  /** Hashes of the purchases it is about. */
  checkouts: readonly string[];
  now: Date;
  toldOn: Day;
};

/**
 * Writes the message, unless all its subjects were told before or its template has a message on that day. One atomic statement, which
 * shares a round trip with others of the transaction.
 */
export const insertMessage = batchable((rows: readonly NewMessage[], owner) => {
  const subjects = rows.flatMap(({ subjects, ...message }) =>
    subjects.map((one) => ({ ...message, ...one })),
  );
  return sql`
    with told as (
      insert into message_subjects (customer_id, template, about, step, installment_id, message_id, told_on)
      select ${owner}, k.template, k.about, k.step, k.installment_id, k.message_id, k.told_on
      from unnest(${subjects.map(({ customerId }) => customerId)}::text[],
                  ${subjects.map(({ template }) => template)}::text[], ${subjects.map(({ about }) => about)}::text[],
                  ${subjects.map(({ step }) => step)}::smallint[],
                  ${subjects.map(({ installmentId }) => installmentId ?? null)}::text[],
                  ${subjects.map(({ id }) => id)}::text[], ${subjects.map(({ toldOn }) => toldOn)}::date[])
           as k (customer_id, template, about, step, installment_id, message_id, told_on)
      on conflict do nothing returning message_id)
    insert into messages (customer_id, id, template, step, day, checkouts, status, parts, created_at, updated_at)
    select ${owner}, k.id, k.template, k.step, k.day, k.checkouts::text[], 'queued', k.parts, k.now, k.now
    from unnest(${rows.map(({ customerId }) => customerId)}::text[], ${rows.map(({ id }) => id)}::text[],
                ${rows.map(({ template }) => template)}::text[], ${rows.map(({ step }) => step)}::smallint[],
                ${rows.map(({ day }) => day)}::date[], ${rows.map(({ content }) => content)}::bytea[],
                ${rows.map(({ now }) => now)}::timestamptz[],
                ${rows.map(({ checkouts }) => `{${checkouts.join()}}`)}::text[])
         as k (customer_id, id, template, step, day, parts, now, checkouts)
    where k.id in (select message_id from told)`;
});

export async function insertPhoneMessage(
  tx: Tx,
  message: Content & { id: string; phone: string; template: TemplateName; now: Date },
): Promise<void> {
  const { id, template, now, ...content } = message;
  await tx.run(sql`
    insert into phone_messages (id, phone_hash, template, status, parts, created_at, updated_at)
    values (${id}, ${hashOfPhone(tx.vault, content.phone)}, ${template}, 'queued',
            ${sealContent(tx.vault, id, content)}, ${now}, ${now})`);
}

export type MessageRow = {
  id: string;
  customer_id: string;
  template: string;
  step: number | null;
  day: Day | null;
  status: MessageStatus;
  channel: Channel | null;
  provider_id: string | null;
  reason: string | null;
  attempts: number;
  text: Buffer | null;
  parts: Buffer | null;
  created_at: Date;
  sent_at: Date | null;
  updated_at: Date;
};

export type WaitingMessage = Pick<
  MessageRow,
  'id' | 'template' | 'step' | 'day' | 'status' | 'parts' | 'created_at'
>;

const findMessages = batchable(
  (rows: ReadonlyArray<{ customerId: string; id: string }>, owner) => sql`
    select m.customer_id, m.id, m.template, m.step, m.day, m.status, m.parts, m.created_at
    from unnest(${rows.map(({ customerId }) => customerId)}::text[], ${rows.map(({ id }) => id)}::text[]) as k (customer_id, id)
    join messages m on m.customer_id = ${owner} and m.id = k.id`,
);

export const findMessage = (db: Queryable, customerId: string, id: string) =>
  db.row<WaitingMessage>(findMessages({ customerId, id }));

export const findPhoneMessage = (db: Queryable, id: string) =>
  db.row<WaitingMessage>(sql`
    select id, template, null::smallint as step, null::date as day, status, parts, created_at
    from phone_messages where id = ${id}`);

export type SendResult = {
  status: MessageStatus;
  attempts: number;
  channel: Channel | null;
  providerId: string | null;
  /** null keeps the reason of the attempt before. */
  reason: string | null;
  /** As it was sent. */
  text: string | null;
  /** Deletes the parts: there is no further attempt, and the message cannot be sent again. */
  isForgotten: boolean;
  at: Date;
};

type MarkedMessage = Omit<SendResult, 'text'> & { customerId: string; id: string; text: Buffer | null };

const markMessages = batchable(
  (rows: readonly MarkedMessage[], owner) => sql`
    update messages m set
      status = k.status, attempts = m.attempts + k.attempts, channel = coalesce(k.channel, m.channel),
      provider_id = coalesce(k.provider_id, m.provider_id), reason = coalesce(k.reason, m.reason),
      text = coalesce(k.text, m.text), parts = case when k.is_forgotten then null else m.parts end,
      updated_at = k.at, sent_at = case when k.status = 'sent' then k.at else m.sent_at end
    from unnest(${rows.map(({ customerId }) => customerId)}::text[], ${rows.map(({ id }) => id)}::text[],
                ${rows.map(({ status }) => status)}::text[], ${rows.map(({ attempts }) => attempts)}::smallint[],
                ${rows.map(({ channel }) => channel)}::text[], ${rows.map(({ providerId }) => providerId)}::text[],
                ${rows.map(({ reason }) => reason)}::text[], ${rows.map(({ text }) => text)}::bytea[],
                ${rows.map(({ isForgotten }) => isForgotten)}::boolean[], ${rows.map(({ at }) => at)}::timestamptz[])
         as k (customer_id, id, status, attempts, channel, provider_id, reason, text, is_forgotten, at)
    where m.customer_id = ${owner} and m.id = k.id and m.status in ('queued', 'retrying')`,
);

/** Unless another attempt has ended it before. */
export async function markMessage(
  db: Queryable,
  { customerId, id }: { customerId: string; id: string },
  outcome: SendResult,
): Promise<void> {
  const text = outcome.text === null ? null : sealMessage(db.vault, id, outcome.text);
  await db.rows(markMessages({ ...outcome, customerId, id, text }));
}

/** The sweep sends it from then on. */
export const putOff = (
  db: Queryable,
  { customer_id, id }: { customer_id: string | null; id: string },
  until: Date,
) =>
  db.run(sql`
    update messages set not_before = ${until}
    where customer_id = ${customer_id} and id = ${id} and status in ('queued', 'retrying')`);

/** Other messages may be about its subjects again. */
export const deleteSubjects = (db: Queryable, customerId: string, messageId: string) =>
  db.run(sql`
    delete from message_subjects where customer_id = ${customerId} and message_id = ${messageId}`);

export const listSubjects = (db: Queryable, customerId: string, messageId: string) =>
  db.rows<{ about: string; step: number }>(sql`
    select about, step from message_subjects where customer_id = ${customerId} and message_id = ${messageId}
    order by about, step`);

/** Which of these subjects were told before. */
export const listTold = (
  db: Queryable,
  { customerId, template, abouts }: { customerId: string; template: TemplateName; abouts: readonly string[] },
) =>
  db.rows<{ about: string; step: number }>(sql`
    select about, step from message_subjects
    where customer_id = ${customerId} and template = ${template} and about = any(${abouts})`);

export const markPhoneMessage = (db: Queryable, id: string, outcome: SendResult) =>
  db.run(sql`
    update phone_messages set
      status = ${outcome.status}, attempts = attempts + ${outcome.attempts}, channel = coalesce(${outcome.channel}, channel),
      provider_id = coalesce(${outcome.providerId}, provider_id), reason = coalesce(${outcome.reason}, reason),
      parts = case when ${outcome.isForgotten} then null else parts end, updated_at = ${outcome.at}
    where id = ${id} and status in ('queued', 'retrying')`);

/** The same with the customer whose phone it turned out to be, for the customer to see and for support. */
export async function putOwnersCopy(
  db: Queryable,
  customerId: string,
  { id, template, created_at }: WaitingMessage,
  outcome: SendResult,
): Promise<void> {
  const text = outcome.text === null ? null : sealMessage(db.vault, id, outcome.text);
  const sentAt = outcome.status === 'sent' ? outcome.at : null;
  await db.run(sql`
    insert into messages as m (customer_id, id, template, status, attempts, channel, provider_id, reason, text, created_at,
                               updated_at, sent_at)
    values (${customerId}, ${id}, ${template}, ${outcome.status}, ${outcome.attempts}, ${outcome.channel},
            ${outcome.providerId}, ${outcome.reason}, ${text}, ${created_at}, ${outcome.at}, ${sentAt})
    on conflict (customer_id, id) do update set
      status = excluded.status, attempts = m.attempts + excluded.attempts, channel = coalesce(excluded.channel, m.channel),
      provider_id = coalesce(excluded.provider_id, m.provider_id), reason = coalesce(excluded.reason, m.reason),
      text = coalesce(excluded.text, m.text), updated_at = excluded.updated_at,
      sent_at = coalesce(excluded.sent_at, m.sent_at)`);
}

type SentMessage = Pick<MessageRow, 'id' | 'template' | 'step' | 'channel' | 'status'> & {
  text: Buffer;
  sent_at: Date;
};

/** What a customer was told, newest first, without login codes. */
export async function listSent(db: Queryable, customerId: string, { offset, limit }: Range) {
  const rows = await db.rows<SentMessage>(sql`
    select id, template, step, channel, text, status, sent_at from messages
    where customer_id = ${customerId} and text is not null and sent_at is not null and template <> 'login_code'
    order by id desc offset ${offset} limit ${limit}`);
  const counted = await db.row<{ total: number }>(sql`
    select count(*) as total from messages
    where customer_id = ${customerId} and text is not null and sent_at is not null and template <> 'login_code'`);
  const messages = rows.map((row) => ({ ...row, text: openMessage(db.vault, row.id, row.text) }));
  return { messages, total: counted!.total };
}

type Waiting = { customer_id: string | null; id: string; template: string };

/**
 * Unsent messages without an attempt since `before`, if that is given: their jobs were lost, or have used up their attempts. And those
 * that were postponed until now.
 */
export async function listWaitingMessages(
  db: Queryable,
  { before, now, limit }: { before: Date | null; now: Date; limit: number },
): Promise<Waiting[]> {
  const ofCustomers = await db.rows<Waiting>(sql`
    select customer_id, id, template from messages
    where status in ('queued', 'retrying')
      and case when not_before is null then updated_at < ${before} else not_before <= ${now} end
    order by updated_at limit ${limit}`);
  const toPhones = await db.rows<Waiting>(sql`
    select null::text as customer_id, id, template from phone_messages
    where status in ('queued', 'retrying') and updated_at < ${before} order by updated_at limit ${limit}`);
  return [...ofCustomers, ...toPhones];
}

export const purgeOldMessages = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from messages m
      using (select customer_id, id from messages where created_at < ${before} limit 1000) as old
      where m.customer_id = old.customer_id and m.id = old.id`),
  );

export const purgeOldPhoneMessages = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from phone_messages where id in (select id from phone_messages where updated_at < ${before} limit 1000)`),
  );

/** Whether there is a message of a template that has that day. */
export async function hasMessageOn(
  db: Queryable,
  { customerId, template, day }: { customerId: string; template: TemplateName; day: Day },
): Promise<boolean> {
  const row = await db.row(sql`
    select from messages where customer_id = ${customerId} and template = ${template} and day = ${day}`);
  return row !== undefined;
}

export async function isRunFinished(db: Queryable, name: string, day: Day): Promise<boolean> {
  return (await db.row(sql`select from message_runs where name = ${name} and day = ${day}`)) !== undefined;
}

export const putRun = (db: Queryable, name: string, day: Day, at: Date) =>
  db.run(sql`
    insert into message_runs (name, day, finished_at) values (${name}, ${day}, ${at})
    on conflict (name, day) do update set finished_at = excluded.finished_at`);
