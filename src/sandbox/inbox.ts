import type { Channel, Send } from '#messages';
import type { Clock } from '#platform/clock.ts';
import { batchable } from '#platform/database/batchable.ts';
import { type Queryable, sql } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import type { Listing } from '#platform/http/listing.ts';
import { type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';

type SandboxMessage = {
  id: number;
  phone: string | null;
  channel: Channel;
  template: string;
  step: number | null;
  text: string;
  code: string | null;
  link: string | null;
  sent_at: Date;
};

type NewMessage = Omit<SandboxMessage, 'id'> & { customerId: string; email: string | null };

/** Messages that are sent at the same time are stored by one statement. */
const insertMessages = batchable(
  (rows: readonly NewMessage[]) => sql`
    insert into sandbox_messages (phone, email, channel, template, step, text, code, link, sent_at)
    select phone, email, channel, template, step, text, code, link, sent_at
    from unnest(${rows.map(({ customerId }) => customerId)}::text[], ${rows.map(({ phone }) => phone)}::text[],
                ${rows.map(({ email }) => email)}::text[], ${rows.map(({ channel }) => channel)}::text[],
                ${rows.map(({ template }) => template)}::text[], ${rows.map(({ step }) => step)}::smallint[],
                ${rows.map(({ text }) => text)}::text[], ${rows.map(({ code }) => code)}::text[],
                ${rows.map(({ link }) => link)}::text[], ${rows.map(({ sent_at }) => sent_at)}::timestamptz[])
         as k (customer_id, phone, email, channel, template, step, text, code, link, sent_at)`,
);

/** Messages of all channels are stored instead of sent; they are read at the staff door. */
export const inboxOf =
  (db: Queryable, clock: Clock) =>
  (channel: Channel): Send =>
  async ({ id, template, step, phone, email, text, code, link }) => {
    const to = { phone, email: channel === 'email' ? email : null };
    const message = { ...to, channel, template, step, text, code, link, sent_at: clock.now() };
    await db.rows(insertMessages({ customerId: id, ...message }));
    return { providerId: null };
  };

/** To one phone, to one e-mail address, or to all. */
export const listedMessages = (to: {
  phone: string | undefined;
  email: string | undefined;
}): Listing<SandboxMessage> => ({
  of: sql`select id, phone, channel, template, step, text, code, link, sent_at from sandbox_messages`,
  where: [
    ...(to.phone === undefined ? [] : [sql`phone = ${to.phone}`]),
    ...(to.email === undefined ? [] : [sql`email = ${to.email}`]),
  ],
  by: [sql`id`],
  keyOf: ({ id }) => [id],
});

/** The stored messages contain phones. */
export const inboxData: PersonalData = {
  tables: {
    sandbox_messages: {
      ...rowsOf(({ phone }) => sql`select * from sandbox_messages where phone = ${phone} order by id`),
      erase: (tx, { phone }) => tx.run(sql`delete from sandbox_messages where phone = ${phone}`),
    },
  },
};

export async function purgeInbox(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from sandbox_messages
      where id in (select id from sandbox_messages where sent_at < ${before} limit 1000)`),
  );
}
