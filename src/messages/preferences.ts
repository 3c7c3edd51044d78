import { column, columns } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Vault } from '#platform/vault.ts';
import { CHANNELS, type Channel, type PushSubscription } from './channels/channel.ts';

export type Preferences = {
  readonly channels: readonly Channel[];
  readonly reminders_before_due: boolean;
  readonly news: boolean;
};

export const DEFAULT_PREFERENCES: Preferences = {
  channels: CHANNELS,
  reminders_before_due: true,
  news: false,
};

const selectPreferences = batchable(
  (rows, customerSql) => sql`
    select preferences.customer_id, preferences.channels, preferences.reminders_before_due, preferences.news
    from unnest(${pluck(rows, 'customerId')}::text[]) as input (customer_id)
    join message_preferences preferences on preferences.customer_id = ${customerSql}`,
);

export async function findPreferences(db: Queryable, customerId: string): Promise<Preferences> {
  const row = await db.row<Preferences>(selectPreferences({ customerId }));
  if (!row) return DEFAULT_PREFERENCES;
  const { channels, reminders_before_due, news } = row;
  return { channels, reminders_before_due, news };
}

/** Saves the given fields with one statement, so that a concurrent change of other fields is not lost. Returns all fields. */
export async function savePreferences(
  tx: Tx,
  customerId: string,
  patch: Partial<Preferences>,
  updatedAt: Date,
): Promise<Preferences> {
  const initialPreferences = { ...DEFAULT_PREFERENCES, ...patch };
  const row = await tx.row<Preferences>(sql`
    insert into message_preferences as existing (customer_id, channels, reminders_before_due, news, updated_at)
    values (${customerId}, ${initialPreferences.channels}, ${initialPreferences.reminders_before_due}, ${initialPreferences.news},
        ${updatedAt})
    on conflict (customer_id) do update set
      channels = coalesce(${patch.channels ?? null}::text[], existing.channels),
      reminders_before_due = coalesce(${patch.reminders_before_due ?? null}::boolean, existing.reminders_before_due),
      news = coalesce(${patch.news ?? null}::boolean, existing.news),
      updated_at = excluded.updated_at
    returning existing.channels, existing.reminders_before_due, existing.news`);
  return row!;
}

const selectRefusedChannels = batchable(
  (rows: ReadonlyArray<{ batchKey: string; hashes: readonly Buffer[] }>) => {
    const addresses = rows.flatMap(({ batchKey, hashes }) => hashes.map((hash) => ({ batchKey, hash })));
    return sql`
    select distinct input.batch_key, refused.channel
    from unnest(${pluck(addresses, 'batchKey')}::text[], ${pluck(addresses, 'hash')}::bytea[])
         as input (batch_key, hash)
    join refused_addresses refused on refused.address_hash = input.hash`;
  },
);

export const hashAddress = (vault: Vault, address: string): Buffer => vault.hash('refused address', address);

/** Lists the channels that cannot reach one of the addresses. `batchKey` only identifies the lookup in a shared statement. */
export async function listRefusedChannels(db: Queryable, batchKey: string, addresses: readonly string[]) {
  const hashes = addresses.map((address) => hashAddress(db.vault, address));
  const rows = await db.rows<{ channel: Channel }>(selectRefusedChannels({ batchKey, hashes }));
  return rows.map(({ channel }) => channel);
}

export async function saveRefusedAddress(
  db: Queryable,
  refusal: { address: string; channel: Channel; reason: string; refusedAt: Date },
): Promise<void> {
  const hash = hashAddress(db.vault, refusal.address);
  await db.run(sql`
    insert into refused_addresses (address_hash, channel, reason, refused_at)
    values (${hash}, ${refusal.channel}, ${refusal.reason}, ${refusal.refusedAt})
    on conflict (address_hash, channel) do update set reason = excluded.reason, refused_at = excluded.refused_at`);
}

export const pushSubscriptionColumns = columns({
  subscription: column.encrypted<PushSubscription>({ context: 'message' }),
});
const { subscription: encryptedSubscription } = pushSubscriptionColumns.declarations;

export async function listPushSubscriptions(db: Queryable, customerId: string) {
  const rows = await db.rows<{ id: string; subscription: Buffer }>(sql`
    select id, subscription from push_subscriptions where customer_id = ${customerId} order by created_at, id`);
  return rows.map(({ id, subscription }) => ({
    ...encryptedSubscription.decrypt(db.vault, id, subscription),
    id,
  }));
}

const MAX_SUBSCRIPTIONS = 10;

type NewSubscription = { customerId: string; subscription: PushSubscription; createdAt: Date };

/** Upserts the subscription of a browser, and deletes the oldest ones above the maximum per customer. */
export async function savePushSubscription(tx: Tx, newSubscription: NewSubscription): Promise<void> {
  const { customerId, subscription, createdAt } = newSubscription;
  const id = tx.vault.hash('push subscription', subscription.endpoint).toString('hex');
  const ciphertext = encryptedSubscription.encrypt(tx.vault, id, subscription);
  await tx.run(sql`
    insert into push_subscriptions (customer_id, id, subscription, created_at)
    values (${customerId}, ${id}, ${ciphertext}, ${createdAt})
    on conflict (customer_id, id) do update set subscription = excluded.subscription`);
  await tx.run(sql`
    delete from push_subscriptions where customer_id = ${customerId} and id in (
      select id from push_subscriptions where customer_id = ${customerId}
      order by created_at desc, id offset ${MAX_SUBSCRIPTIONS})`);
}

export const deletePushSubscriptions = (db: Queryable, customerId: string) =>
  db.run(sql`delete from push_subscriptions where customer_id = ${customerId}`);
