import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';

export type ProviderMessage = { provider_id: string; customer_id: string | null; message_id: string };

/** Stores which message has a provider's id, for status callbacks. */
export const insertProviderMessage = (db: Queryable, message: ProviderMessage, at: Date) =>
  db.run(sql`
    insert into provider_messages (provider_id, customer_id, message_id, created_at)
    values (${message.provider_id}, ${message.customer_id}, ${message.message_id}, ${at}) on conflict do nothing`);

export const findProviderMessage = (db: Queryable, providerId: string) =>
  db.row<ProviderMessage>(sql`
    select provider_id, customer_id, message_id from provider_messages where provider_id = ${providerId}`);

export type DeliveryReport = { status: string; reason: string | null; at: Date };

/** Returns false if the status was reported before. */
export async function insertDeliveryReport(
  tx: Tx,
  providerId: string,
  { status, reason, at }: DeliveryReport,
) {
  const written = await tx.run(sql`
    insert into delivery_reports (provider_id, status, reason, reported_at)
    values (${providerId}, ${status}, ${reason}, ${at}) on conflict do nothing`);
  return written === 1;
}

/** The status that each report sets, and from which statuses. Reports arrive in any order: `read` must not go back to `delivered`. */
const TRANSITIONS: Record<string, { status: 'delivered' | 'read' | 'failed'; from: string[] }> = {
  delivered: { status: 'delivered', from: ['sent'] },
  read: { status: 'read', from: ['sent', 'delivered'] },
  undelivered: { status: 'failed', from: ['sent'] },
  failed: { status: 'failed', from: ['sent'] },
};

export async function applyDeliveryReport(
  tx: Tx,
  { customer_id, message_id }: ProviderMessage,
  { status: reportedStatus, reason, at }: DeliveryReport,
): Promise<void> {
  const transition = TRANSITIONS[reportedStatus];
  if (!transition) return;
  const { status, from } = transition;
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
