import type { Day } from '#core/day.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { type Listing, onDays } from '#platform/http/listing.ts';
import { matchesSearch, type SearchTarget } from '#platform/http/search.ts';
import { creationOf } from '#platform/ids.ts';
import type { Channel } from './channels/channel.ts';
import type { MessageRow, MessageStatus } from './store.ts';

export type ListedMessage = Omit<MessageRow, 'day' | 'parts'>;

const LISTED = sql`id, customer_id, template, step, status, channel, provider_id, reason, attempts, text, created_at, sent_at,
                   updated_at`;

type Filter = {
  target?: SearchTarget | undefined;
  customerId?: string | undefined;
  checkout?: { readonly hash: string; readonly customerId: string } | undefined;
  status?: MessageStatus | undefined;
  channel?: Channel | undefined;
  template?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

export const listedMessages = ({ target, ...filter }: Filter): Listing<ListedMessage> => ({
  of: sql`select ${LISTED} from messages`,
  where: [
    ...(filter.customerId === undefined ? [] : [sql`customer_id = ${filter.customerId}`]),
    ...(filter.checkout === undefined
      ? []
      : [sql`customer_id = ${filter.checkout.customerId}`, sql`${filter.checkout.hash} = any(checkouts)`]),
    ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
    ...(filter.channel === undefined ? [] : [sql`channel = ${filter.channel}`]),
    ...(filter.template === undefined ? [] : [sql`template = ${filter.template}`]),
    ...onDays(sql`created_at`, filter),
  ],
  by: [sql`created_at`, sql`id`],
  keyOf: ({ created_at, id }) => [created_at, id],
  only: matchesSearch(target, { customer: sql`customer_id` }),
});

export async function findMessageOwner(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.row<{ customer_id: string }>(sql`
    select customer_id from messages where created_at = ${creationOf(id) ?? null} and id = ${id}`);
  return row?.customer_id;
}

export const findWhole = (db: Queryable, customerId: string, id: string) =>
  db.row<ListedMessage & { parts: Buffer | null }>(sql`
    select ${LISTED}, parts from messages where customer_id = ${customerId} and id = ${id}`);

/** Copies a message to send it again. Its subjects move to the copy. */
export async function insertAgain(
  tx: Tx,
  before: ListedMessage,
  again: { id: string; content: Buffer; now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into messages (customer_id, id, template, step, checkouts, status, parts, created_at, updated_at)
    select customer_id, ${again.id}, template, step, checkouts, 'queued', ${again.content}, ${again.now}, ${again.now}
    from messages where customer_id = ${before.customer_id} and id = ${before.id}`);
  await tx.run(sql`
    update message_subjects set message_id = ${again.id}
    where customer_id = ${before.customer_id} and message_id = ${before.id}`);
}

/** The outcomes of the messages written between two instants. */
export const sumMessages = (db: Queryable, since: Date, before: Date) =>
  db.rows<{ channel: string | null; status: MessageStatus; reason: string | null; messages: number }>(sql`
    select channel, status, case when status = 'failed' then reason end as reason, count(*) as messages
    from messages where created_at >= ${since} and created_at < ${before}
    group by 1, 2, 3 order by 1, 2, 3`);

/**
 * Installments with a reminder on these days, by step, and how many of them were paid within a day. `isPaidBetween` is the SQL of the
 * module that knows.
 */
export async function sumReminders(
  db: Queryable,
  { from, to }: { from: Day; to: Day },
  isPaidBetween: (customerId: Sql, installmentId: Sql, from: Sql, until: Sql) => Sql,
): Promise<Array<{ step: number; reminded: number; paid: number }>> {
  const isPaid = isPaidBetween(
    sql`s.customer_id`,
    sql`s.installment_id`,
    sql`m.sent_at`,
    sql`m.sent_at + interval '1 day'`,
  );
  return db.rows(sql`
    select s.step, count(*) as reminded, count(*) filter (where ${isPaid}) as paid
    from message_subjects s join messages m on m.customer_id = s.customer_id and m.id = s.message_id
    where s.template = 'reminder' and s.told_on >= ${from} and s.told_on <= ${to} and m.sent_at is not null
    group by s.step order by s.step`);
}
