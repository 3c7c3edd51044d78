import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { CHANNELS, type Channel, type PushSubscription } from './channels/channel.ts';
import { openMessage, sealMessage } from './store.ts';

export type Preferences = {
  /** In the order in which they are tried. */
  readonly channels: readonly Channel[];
  readonly reminders_before_due: boolean;
  readonly news: boolean;
};

/** Of a customer who has chosen nothing. */
export const USUAL_PREFERENCES: Preferences = { channels: CHANNELS, reminders_before_due: true, news: false };

export async function findPreferences(db: Queryable, customerId: string): Promise<Preferences> {
  const row = await db.row<{ channels: Channel[]; reminders_before_due: boolean; news: boolean }>(sql`
    select channels, reminders_before_due, news from message_preferences where customer_id = ${customerId}`);
  return row ?? USUAL_PREFERENCES;
}

export async function putPreferences(
  tx: Tx,
  customerId: string,
  { channels, reminders_before_due, news }: Preferences,
  at: Date,
): Promise<void> {
  await tx.run(sql`
    insert into message_preferences (customer_id, channels, reminders_before_due, news, updated_at)
    values (${customerId}, ${channels}, ${reminders_before_due}, ${news}, ${at})
    on conflict (customer_id) do update set
      channels = excluded.channels, reminders_before_due = excluded.reminders_before_due, news = excluded.news,
      updated_at = excluded.updated_at`);
}

export async function listRefusals(db: Queryable, addresses: readonly string[]): Promise<Channel[]> {
  const hashes = addresses.map((address) => db.vault.hash('refused address', address));
  const rows = await db.rows<{ channel: Channel }>(sql`
    select distinct channel from refused_addresses where address_hash = any(${hashes})`);
  return rows.map(({ channel }) => channel);
}

export async function putRefusal(
  db: Queryable,
  refusal: { address: string; channel: Channel; reason: string; at: Date },
): Promise<void> {
  const hash = db.vault.hash('refused address', refusal.address);
  await db.run(sql`
    insert into refused_addresses (address_hash, channel, reason, refused_at)
    values (${hash}, ${refusal.channel}, ${refusal.reason}, ${refusal.at})
    on conflict (address_hash, channel) do update set reason = excluded.reason, refused_at = excluded.refused_at`);
}

export async function deleteRefusals(tx: Tx, addresses: readonly string[]): Promise<void> {
  const hashes = addresses.map((address) => tx.vault.hash('refused address', address));
  await tx.run(sql`delete from refused_addresses where address_hash = any(${hashes})`);
}

export async function listSubscriptions(
  db: Queryable,
  customerId: string,
): Promise<Array<PushSubscription & { id: string }>> {
  const rows = await db.rows<{ id: string; subscription: Buffer }>(sql`
    select id, subscription from push_subscriptions where customer_id = ${customerId} order by created_at, id`);
  return rows.map(({ id, subscription }) => ({
    ...(JSON.parse(openMessage(db.vault, id, subscription)) as PushSubscription),
    id,
  }));
}

const MOST_BROWSERS = 10;

/** One row for a browser's address; of too many the oldest goes. */
export async function putSubscription(
  tx: Tx,
  { customerId, subscription, at }: { customerId: string; subscription: PushSubscription; at: Date },
): Promise<void> {
  const id = tx.vault.hash('push subscription', subscription.endpoint).toString('hex');
  const sealed = sealMessage(tx.vault, id, JSON.stringify(subscription));
  await tx.run(sql`
    insert into push_subscriptions (customer_id, id, subscription, created_at)
    values (${customerId}, ${id}, ${sealed}, ${at})
    on conflict (customer_id, id) do update set subscription = excluded.subscription`);
  await tx.run(sql`
    delete from push_subscriptions where customer_id = ${customerId} and id in (
      select id from push_subscriptions where customer_id = ${customerId}
      order by created_at desc, id offset ${MOST_BROWSERS})`);
}

export async function deleteSubscriptions(db: Queryable, customerId: string): Promise<void> {
  await db.run(sql`delete from push_subscriptions where customer_id = ${customerId}`);
}
