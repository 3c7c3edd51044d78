import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { type Range, readPage } from '#platform/http/listing.ts';
import type { ApiKey, Scope } from './api-key.ts';

export type Partner = { id: string; name: string; created_at: Date; keys: number };

const keys = columns({
  id: column.text(),
  partner_id: column.text(),
  label: column.text(),
  hint: column.text(),
  scopes: column.textArray<Scope>(),
  allowed_origins: column.textArray(),
  return_origins: column.textArray(),
  requests_per_minute: column.integer().nullable(),
  backend: column.boolean(),
  merchant_id: column.bigint().nullable(),
  person_id: column.text().nullable(),
  role: column.text<Role>().nullable(),
  created_at: column.timestamptz(),
  expires_at: column.timestamptz().nullable(),
});
const newKeys = columns({
  ...keys.declared,
  hash: column.bytea(),
  replaces: column.text().nullable(),
});

export type NewKey = RowOf<typeof newKeys>;
export type KeyRow = RowOf<typeof keys> & {
  partner_name: string;
  revoked_at: Date | null;
  last_used_at: Date | null;
};

export async function insertPartner(db: Queryable, partner: { id: string; name: string; createdAt: Date }) {
  const inserted = await db.run(sql`
    insert into partners (id, name, created_at) values (${partner.id}, ${partner.name}, ${partner.createdAt})
    on conflict (name) do nothing`);
  return inserted === 1;
}

type PageRequest = Range & { q?: string | undefined };

/** Whether a text has another in it, whatever the case; no other asks for nothing. */
const has = (text: Sql, q = ''): Sql => sql`strpos(lower(${text}), lower(${q})) > 0`;

/** Oldest first; `q`: with this in their name. */
export function listPartners(db: Queryable, { q, ...at }: PageRequest) {
  const found = sql`
    select p.id, p.name, p.created_at,
           (select count(*) from api_keys k where k.partner_id = p.id and k.revoked_at is null) as keys
    from partners p where ${has(sql`p.name`, q)}`;
  return readPage<Partner>(db, { found, order: sql`p.created_at, p.id` }, at);
}

export const findPartner = (db: Queryable, idOrName: string) =>
  db.row<{ id: string }>(sql`select id from partners where id = ${idOrName} or name = ${idOrName}`);

/** What these partners are called. */
export async function listPartnerNames(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`select id, name from partners where id = any(${ids})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export const insertKey = (db: Queryable, key: NewKey) =>
  db.run(sql`insert into api_keys ${newKeys.values(key)} on conflict (hash) do nothing`);

type LockedKey = Omit<KeyRow, 'partner_name'> & { successor: string | null };

/**
 * The successor is read by a second statement: a statement that waits for the lock does not see a row that was inserted
 * while it waited.
 */
export async function lockKey(tx: Tx, id: string): Promise<LockedKey | undefined> {
  const [key, successor] = await Promise.all([
    tx.row<Omit<LockedKey, 'successor'>>(sql`select * from api_keys where id = ${id} for update`),
    tx.row<{ id: string }>(sql`select id from api_keys where replaces = ${id} limit 1`),
  ]);
  return key && { ...key, successor: successor?.id ?? null };
}

const SHOWN_KEY = sql`
  ${keys.of('k')}, p.name as partner_name, k.revoked_at, k.last_used_at
  from api_keys k join partners p on p.id = k.partner_id`;

export const findKey = (db: Queryable, id: string) =>
  db.row<KeyRow>(sql`select ${SHOWN_KEY} where k.id = ${id}`);

/** By partner, oldest first; `q`: with this in label, hint or the partner's name. */
export function listKeys(db: Queryable, partnerId: string | null, { q, ...at }: PageRequest) {
  const text = sql`k.label || ' ' || k.hint || ' ' || p.name || ' ' || k.id`;
  const found = sql`
    select ${SHOWN_KEY} where (${partnerId}::text is null or k.partner_id = ${partnerId}) and ${has(text, q)}`;
  return readPage<KeyRow>(db, { found, order: sql`k.partner_id, k.created_at, k.id` }, at);
}

export const markExpiry = (tx: Tx, id: string, expiresAt: Date) =>
  tx.run(sql`
    update api_keys set expires_at = least(expires_at, ${expiresAt}::timestamptz) where id = ${id}`);

/** Makes a revoked or expired key valid again. */
export const markRestored = (tx: Tx, hash: Buffer) =>
  tx.run(sql`update api_keys set revoked_at = null, expires_at = null where hash = ${hash}`);

export const markReturnOrigins = (tx: Tx, id: string, origins: readonly string[]) =>
  tx.run(sql`update api_keys set return_origins = ${origins} where id = ${id}`);

export async function markRevoked(db: Queryable, id: string, at: Date): Promise<boolean> {
  return (
    (await db.run(sql`update api_keys set revoked_at = coalesce(revoked_at, ${at}) where id = ${id}`)) === 1
  );
}

/** Waits for a rotation of any of these keys (`lockKey`), so that the next statement sees the new key as well. */
const lockKeysOfPerson = (tx: Tx, personId: string) =>
  tx.run(sql`select from api_keys where person_id = ${personId} order by id for update`);

/** Takes effect on every node within a second. */
export async function markRole(tx: Tx, personId: string, role: Role): Promise<void> {
  await lockKeysOfPerson(tx, personId);
  await tx.run(sql`update api_keys set role = ${role} where person_id = ${personId}`);
}

export async function markRevokedOfPerson(tx: Tx, personId: string, at: Date): Promise<void> {
  await lockKeysOfPerson(tx, personId);
  await tx.run(sql`
    update api_keys set revoked_at = ${at} where person_id = ${personId} and revoked_at is null`);
}

/** Every key that is not revoked, with its hash in hex; expiry is checked by the guard. */
export const listUsableKeys = (db: Queryable) =>
  db.rows<ApiKey & { hash: string }>(sql`
    select id, partner_id as "partnerId", scopes, allowed_origins as "allowedOrigins",
           return_origins as "returnOrigins", requests_per_minute as "requestsPerMinute", backend, expires_at as "expiresAt",
           merchant_id as "merchantId", person_id as "personId", role, encode(hash, 'hex') as hash
    from api_keys where revoked_at is null`);

export type KeyHolder = { partnerId: string; scope: Scope; merchantId: number | null };

/** The scopes and merchants of the valid keys of these partners, and of any partner's keys bound to these merchants. */
export const listKeyHolders = (
  db: Queryable,
  { partnerIds, merchantIds }: { partnerIds: readonly string[]; merchantIds: readonly number[] },
  now: Date,
) =>
  db.rows<KeyHolder>(sql`
    select distinct partner_id as "partnerId", scope, merchant_id as "merchantId"
    from api_keys cross join unnest(scopes) as scope
    where (partner_id = any(${partnerIds}::text[]) or merchant_id = any(${merchantIds}::bigint[]))
      and revoked_at is null and (expires_at is null or expires_at > ${now})`);

/** Written in batches by every node; the newest time wins. Rows are locked by id, as in `lockKeysOfPerson`, so no deadlock. */
export const markUsed = (db: Queryable, ids: readonly string[], at: Date) =>
  db.run(sql`
    update api_keys k set last_used_at = greatest(k.last_used_at, ${at})
    from (select id from api_keys where id = any(${ids}) order by id for no key update) as used
    where k.id = used.id`);

/**
 * Takes `wanted` requests out of the key's minute, by the database's clock, so that all nodes share the minute. `used` may
 * grow past the limit: the excess was not granted. A statement that waited for the row across the end of a minute counts in
 * the newer minute: `window_start` never goes back.
 */
export async function leaseRequests(db: Queryable, keyId: string, wanted: number) {
  const row = await db.row<{ used: number; seconds_left: number }>(sql`
    insert into rate_windows as r (key_id, window_start, used)
    values (${keyId}, date_trunc('minute', clock_timestamp()), ${wanted}::bigint)
    on conflict (key_id) do update set
      used = excluded.used + case when r.window_start >= excluded.window_start then r.used else 0 end,
      window_start = greatest(r.window_start, excluded.window_start)
    returning used,
      extract(epoch from window_start + interval '1 minute' - clock_timestamp())::float8 as seconds_left`);
  return { used: row!.used, secondsLeft: row!.seconds_left };
}
