import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';

export type ProviderMessage = { provider_id: string; customer_id: string | null; message_id: string };

/** The message of a provider's id, for status callbacks. */
export const putProviderMessage = (db: Queryable, message: ProviderMessage, at: Date) =>
  db.run(sql`
    insert into provider_messages (provider_id, customer_id, message_id, created_at)
    values (${message.provider_id}, ${message.customer_id}, ${message.message_id}, ${at}) on conflict do nothing`);

export const findProviderMessage = (db: Queryable, providerId: string) =>
  db.row<ProviderMessage>(sql`
    select provider_id, customer_id, message_id from provider_messages where provider_id = ${providerId}`);

export type Report = { status: string; reason: string | null; at: Date };

/** False when it was reported before. */
export async function insertReport(tx: Tx, providerId: string, { status, reason, at }: Report) {
  const written = await tx.run(sql`
    insert into delivery_reports (provider_id, status, reason, reported_at)
    values (${providerId}, ${status}, ${reason}, ${at}) on conflict do nothing`);
  return written === 1;
}

/** What each report makes of a message. Reports come in any order: a message that was read is not merely delivered any more. */
const AFTER: Record<string, { status: 'delivered' | 'read' | 'failed'; from: string[] }> = {
  delivered: { status: 'delivered', from: ['sent'] },
  read: { status: 'read', from: ['sent', 'delivered'] },
  undelivered: { status: 'failed', from: ['sent'] },
  failed: { status: 'failed', from: ['sent'] },
};

export async function markReported(
  tx: Tx,
  { customer_id, message_id }: ProviderMessage,
  { status: reported, reason, at }: Report,
): Promise<void> {
  const change = AFTER[reported];
  if (!change) return;
  const { status, from } = change;
  if (customer_id === null)
    await tx.run(sql`
      update phone_messages set status = ${status}, reason = coalesce(${reason}, reason), updated_at = ${at}
      where id = ${message_id} and status = any(${from})`);
  else
    await tx.run(sql`
      update messages set status = ${status}, reason = coalesce(${reason}, reason), updated_at = ${at}
      where customer_id = ${customer_id} and id = ${message_id} and status = any(${from})`);
}

export const purgeProviderMessages = (db: Queryable, before: Date) =>
  purgeInBatches(() =>
    db.run(sql`
      delete from provider_messages
      where provider_id in (select provider_id from provider_messages where created_at < ${before} limit 1000)`),
  );
