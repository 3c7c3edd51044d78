import type { Clock } from '#platform/clock.ts';
import { type Queryable, sql } from '#platform/database/db.ts';
import type { Listing } from '#platform/http/listing.ts';
import { purgeInBatches } from '#platform/jobs/housekeeping.ts';
import type { MessageSender } from '#platform/messages/sender.ts';
import { type PersonalData, rowsOf } from '#platform/privacy/personal-data.ts';

type SandboxMessage = { id: number; phone: string; text: string; code: string | null; sent_at: Date };

/** Messages are stored instead of sent; they are read at the staff door. */
export function inboxSender(db: Queryable, clock: Clock): MessageSender {
  return async ({ to, text, code }) => {
    await db.run(sql`
      insert into sandbox_messages (phone, text, code, sent_at)
      values (${to}, ${text}, ${code ?? null}, ${clock.now()})`);
  };
}

/** To one phone, or to all. */
export const listedMessages = (phone: string | undefined): Listing<SandboxMessage> => ({
  of: sql`select id, phone, text, code, sent_at from sandbox_messages`,
  where: phone === undefined ? [] : [sql`phone = ${phone}`],
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
