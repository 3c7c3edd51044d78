import { batchable } from '#platform/database/batchable.ts';
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

const listPreferences = batchable(
  (rows, owner) => sql`
    select p.customer_id, p.channels, p.reminders_before_due, p.news
    from unnest(${rows.map(({ customerId }) => customerId)}::text[]) as k (customer_id)
    join message_preferences p on p.customer_id = ${owner}`,
);

export async function findPreferences(db: Queryable, customerId: string): Promise<Preferences> {
  const row = await db.row<Preferences>(listPreferences({ customerId }));
  if (!row) return USUAL_PREFERENCES;
  const { channels, reminders_before_due, news } = row;
  return { channels, reminders_before_due, news };
}

export const putPreferences = (
  tx: Tx,
  customerId: string,
  { channels, reminders_before_due, news }: Preferences,
  at: Date,
) =>
  tx.run(sql`
    insert into message_preferences (customer_id, channels, reminders_before_due, news, updated_at)
    values (${customerId}, ${channels}, ${reminders_before_due}, ${news}, ${at})
    on conflict (customer_id) do update set
      channels = excluded.channels, reminders_before_due = excluded.reminders_before_due, news = excluded.news,
      updated_at = excluded.updated_at`);

const findRefusals = batchable((rows: ReadonlyArray<{ customerId: string; hashes: readonly Buffer[] }>) => {
  const addresses = rows.flatMap(({ customerId, hashes }) => hashes.map((hash) => ({ customerId, hash })));
  return sql`
    select distinct k.customer_id, r.channel
    from unnest(${addresses.map(({ customerId }) => customerId)}::text[], ${addresses.map(({ hash }) => hash)}::bytea[])
         as k (customer_id, hash)
    join refused_addresses r on r.address_hash = k.hash`;
});

/** The channels by which one of a person's addresses cannot be reached. */
export async function listRefusals(db: Queryable, person: string, addresses: readonly string[]) {
  const hashes = addresses.map((address) => db.vault.hash('refused address', address));
  const rows = await db.rows<{ channel: Channel }>(findRefusals({ customerId: person, hashes }));
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

export async function listSubscriptions(db: Queryable, customerId: string) {
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

export const deleteSubscriptions = (db: Queryable, customerId: string) =>
  db.run(sql`delete from push_subscriptions where customer_id = ${customerId}`);
