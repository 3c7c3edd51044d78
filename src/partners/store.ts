import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { type PageRange, queryPage } from '#platform/http/list-query.ts';
import { omit } from '#platform/omit.ts';
import type { Scope } from './api-key.ts';
import { api_keys } from './generated/tables.ts';

/** `keys` is the count of keys that are not revoked. */
export type Partner = { id: string; name: string; created_at: Date; keys: number };

/**
 * `return_origins`: origins that the page of an offer created with the key may link back to. `backend`: a partner's server uses the key, and
 * its header x-client-ip has the consumer's IP address. `merchant_id` is set if and only if the key has the scope `merchant`, `person_id` and
 * `role` (the staff user of the key) if and only if it has the scope `operator`.
 */
const apiKeyColumns = { ...api_keys, scopes: column.textArray<Scope>() };
const keyColumns = columns(omit(apiKeyColumns, 'hash', 'replaces'));
const cachedKeyColumns = columns(
  omit(keyColumns.declarations, 'label', 'hint', 'created_at', 'revoked_at', 'last_used_at'),
);
const newKeyColumns = columns(omit(apiKeyColumns, 'revoked_at', 'last_used_at'));

/** The data of an API key that nodes cache. Only the partner has the secret. */
export type ApiKey = RowOf<typeof cachedKeyColumns>;
export type NewKey = RowOf<typeof newKeyColumns>;
export type KeyRow = RowOf<typeof keyColumns> & { partner_name: string };

export async function insertPartner(db: Queryable, partner: { id: string; name: string; createdAt: Date }) {
  const insertedCount = await db.run(sql`
    insert into partners (id, name, created_at) values (${partner.id}, ${partner.name}, ${partner.createdAt})
    on conflict (name) do nothing`);
  return insertedCount === 1;
}

type SearchRange = PageRange & { q?: string | undefined };

/** SQL condition: the text contains `q`, ignoring case. An empty `q` matches everything. */
const buildContainsCondition = (text: Sql, q = ''): Sql => sql`strpos(lower(${text}), lower(${q})) > 0`;

export function listPartners(db: Queryable, { q, ...range }: SearchRange) {
  const statement = sql`
    select partners.id, partners.name, partners.created_at,
           (select count(*) from api_keys where api_keys.partner_id = partners.id and api_keys.revoked_at is null) as keys
    from partners where ${buildContainsCondition(sql`partners.name`, q)}`;
  return queryPage<Partner>(db, { statement, orderBy: sql`partners.created_at, partners.id` }, range);
}

export const findPartner = (db: Queryable, idOrName: string) =>
  db.row<{ id: string }>(sql`select id from partners where id = ${idOrName} or name = ${idOrName}`);

export async function listPartnerNames(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`select id, name from partners where id = any(${ids})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export const insertKey = (db: Queryable, key: NewKey) =>
  db.run(sql`insert into api_keys ${newKeyColumns.values(key)} on conflict (hash) do nothing`);

type LockedKeyRow = Omit<KeyRow, 'partner_name'>;

/**
 * Locks the key, which must exist, and finds its successor. The transaction runs both statements in this order: a single statement that
 * waits for the lock would miss a successor that is inserted in the meantime.
 */
export async function lockKeyWithSuccessor(tx: Tx, id: string) {
  const [key, successor] = await Promise.all([
    tx.row<LockedKeyRow>(sql`select * from api_keys where id = ${id} for update`),
    tx.row<{ id: string }>(sql`select id from api_keys where replaces = ${id} limit 1`),
  ]);
  return { key: key!, successor: successor?.id };
}

const SELECT_KEYS = sql`
  select ${keyColumns.selectFrom('api_keys')}, partners.name as partner_name
  from api_keys join partners on partners.id = api_keys.partner_id`;

export const findKey = (db: Queryable, id: string) =>
  db.row<KeyRow>(sql`${SELECT_KEYS} where api_keys.id = ${id}`);

export function listKeys(db: Queryable, partnerId: string | null, { q, ...range }: SearchRange) {
  const searchedText = sql`api_keys.label || ' ' || api_keys.hint || ' ' || partners.name || ' ' || api_keys.id`;
  const statement = sql`
    ${SELECT_KEYS}
    where (${partnerId}::text is null or api_keys.partner_id = ${partnerId}) and ${buildContainsCondition(searchedText, q)}`;
  const orderBy = sql`api_keys.partner_id, api_keys.created_at, api_keys.id`;
  return queryPage<KeyRow>(db, { statement, orderBy }, range);
}

export const shortenExpiry = (tx: Tx, id: string, expiresAt: Date) =>
  tx.run(sql`
    update api_keys set expires_at = least(expires_at, ${expiresAt}::timestamptz) where id = ${id}`);

export const clearRevocationAndExpiry = (tx: Tx, hash: Buffer) =>
  tx.run(sql`update api_keys set revoked_at = null, expires_at = null where hash = ${hash}`);

export const lockReturnOrigins = (tx: Tx, hash: Buffer) =>
  tx.row<{ id: string; return_origins: string[] }>(sql`
    select id, return_origins from api_keys where hash = ${hash} for update`);

export const updateReturnOrigins = (tx: Tx, id: string, origins: readonly string[]) =>
  tx.run(sql`update api_keys set return_origins = ${origins} where id = ${id}`);

export const setRevokedAt = (db: Queryable, id: string, revokedAt: Date) =>
  db.run(sql`update api_keys set revoked_at = coalesce(revoked_at, ${revokedAt}) where id = ${id}`);

/** Waits for a concurrent rotation of these keys (`lockKeyWithSuccessor`), so that the next statement also sees the new key. */
const lockKeysOfStaffUser = (tx: Tx, staffUserId: string) =>
  tx.run(sql`select from api_keys where person_id = ${staffUserId} order by id for update`);

/** Changes the role of all keys of a staff user. Takes effect on every node within a second. */
export async function updateKeyRoles(tx: Tx, staffUserId: string, role: Role): Promise<void> {
  await lockKeysOfStaffUser(tx, staffUserId);
  await tx.run(sql`update api_keys set role = ${role} where person_id = ${staffUserId}`);
}

export async function revokeKeysOfStaffUser(tx: Tx, staffUserId: string, revokedAt: Date): Promise<void> {
  await lockKeysOfStaffUser(tx, staffUserId);
  await tx.run(sql`
    update api_keys set revoked_at = ${revokedAt} where person_id = ${staffUserId} and revoked_at is null`);
}

export const listKeysOfStaffUser = (db: Queryable, staffUserId: string) =>
  db.rows<KeyRow>(sql`
    ${SELECT_KEYS} where api_keys.person_id = ${staffUserId} and api_keys.revoked_at is null
    order by api_keys.created_at, api_keys.id limit 1000`);

/** Returns false if the staff user has no such key, or it was revoked before. */
export async function revokeKeyOfStaffUser(
  tx: Tx,
  { id, staffUserId }: { id: string; staffUserId: string },
  revokedAt: Date,
): Promise<boolean> {
  const revokedCount = await tx.run(sql`
    update api_keys set revoked_at = ${revokedAt}
    where id = ${id} and person_id = ${staffUserId} and revoked_at is null`);
  return revokedCount === 1;
}

/** Lists all keys that are not revoked, with their hash in hex. The guard checks the expiry. */
export const listUnrevokedKeys = (db: Queryable) =>
  db.rows<ApiKey & { hash: string }>(sql`
    select ${cachedKeyColumns.selectFrom('api_keys')}, encode(api_keys.hash, 'hex') as hash from api_keys
    where api_keys.revoked_at is null`);

export type KeyGrant = { partnerId: string; scope: Scope; merchantId: number | null };

export const listKeyGrants = (
  db: Queryable,
  { partnerIds, merchantIds }: { partnerIds: readonly string[]; merchantIds: readonly number[] },
  now: Date,
) =>
  db.rows<KeyGrant>(sql`
    select distinct partner_id as "partnerId", scope, merchant_id as "merchantId"
    from api_keys cross join unnest(scopes) as scope
    where (partner_id = any(${partnerIds}::text[]) or merchant_id = any(${merchantIds}::bigint[]))
      and revoked_at is null and (expires_at is null or expires_at > ${now})`);

/**
 * Saves when keys were last used. All nodes write in batches; the newest time wins. Rows are locked in the order of ids, as in
 * `lockKeysOfStaffUser`, to avoid deadlocks.
 */
export const updateLastUsed = (db: Queryable, ids: readonly string[], usedAt: Date) =>
  db.run(sql`
    update api_keys set last_used_at = greatest(api_keys.last_used_at, ${usedAt})
    from (select id from api_keys where id = any(${ids}) order by id for no key update) as used
    where api_keys.id = used.id`);

/** Leases `count` requests of the current minute of the database's clock. `totalLeased` may exceed the limit. */
export async function leaseRequests(db: Queryable, keyId: string, count: number) {
  const row = await db.row<{ used: number; seconds_left: number }>(sql`
    insert into rate_windows as existing (key_id, window_start, used)
    values (${keyId}, date_trunc('minute', clock_timestamp()), ${count}::bigint)
    on conflict (key_id) do update set
      used = excluded.used + case when existing.window_start >= excluded.window_start then existing.used else 0 end,
      window_start = greatest(existing.window_start, excluded.window_start)
    returning used,
      extract(epoch from window_start + interval '1 minute' - clock_timestamp())::float8 as seconds_left`);
  return { totalLeased: row!.used, secondsLeft: row!.seconds_left };
}
