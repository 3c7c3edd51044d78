import { hashPhone, NO_HASH } from '#customers';
import { lockKey } from '#platform/database/advisory-locks.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import type { MemberRole } from '#platform/http/access.ts';
import { type Range, readPage } from '#platform/http/listing.ts';
import { ERASED, type ResealBatch } from '#platform/privacy/personal-data.ts';
import type { Vault } from '#platform/vault.ts';

const members = columns({
  id: column.text(),
  merchant_id: column.bigint(),
  /** See `personOf`. */
  person_sealed: column.bytea(),
  phone_hash: column.bytea(),
  role: column.text<MemberRole>(),
  max_amount_cents: column.bigint().nullable(),
  may_return: column.boolean(),
  created_at: column.timestamptz(),
  removed_at: column.timestamptz().nullable(),
});
export type MemberRow = RowOf<typeof members>;

type MemberPerson = { readonly name: string; readonly phone: string };

const sealPerson = (vault: Vault, id: string, person: MemberPerson): Buffer =>
  vault.pack(JSON.stringify(person), `member ${id}`);

export const personOf = (
  vault: Vault,
  { id, person_sealed }: Pick<MemberRow, 'id' | 'person_sealed'>,
): MemberPerson => JSON.parse(vault.unpack(person_sealed, `member ${id}`));

export type NewMember = Omit<MemberRow, 'person_sealed' | 'phone_hash' | 'removed_at'> & MemberPerson;

/** False when the phone is a member of the merchant already. */
export async function insertMember(tx: Tx, { name, phone, ...member }: NewMember): Promise<boolean> {
  const row = {
    ...member,
    person_sealed: sealPerson(tx.vault, member.id, { name, phone }),
    phone_hash: hashPhone(tx.vault, phone),
    removed_at: null,
  };
  return (await tx.run(sql`insert into members ${members.values(row)} on conflict do nothing`)) === 1;
}

/** Also one who was removed. */
export const findMember = (db: Queryable, id: string) =>
  db.row<MemberRow>(sql`select ${members.of('m')} from members m where id = ${id}`);

/** Locked until the session is written: a removal comes before or after it. */
export const lockActiveMember = (tx: Tx, id: string) =>
  tx.row<MemberRow>(sql`
    select ${members.of('m')} from members m where id = ${id} and removed_at is null for no key update`);

/** One change of a merchant's members at a time: of two owners who remove each other, one stays. */
export const lockMembers = (tx: Tx, merchantId: number): Promise<void> =>
  lockKey(tx, 'members', String(merchantId));

/** Where the phone is a member, the longest first. */
export const listMemberships = (db: Queryable, phoneHash: Buffer) =>
  db.rows<MemberRow>(sql`
    select ${members.of('m')} from members m where phone_hash = ${phoneHash} and removed_at is null
    order by created_at, id`);

/** Active ones, or those too who were removed, the oldest first. */
export function listMembers(
  db: Queryable,
  { merchantId, removed }: { merchantId: number; removed: boolean },
  at: Range,
) {
  const found = sql`
    select ${members.of('m')} from members m where merchant_id = ${merchantId} and (${removed} or removed_at is null)`;
  return readPage<MemberRow>(db, { found, order: sql`m.created_at, m.id` }, at);
}

export async function listOwnerIds(tx: Tx, merchantId: number): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from members where merchant_id = ${merchantId} and role = 'owner' and removed_at is null`);
  return rows.map(({ id }) => id);
}

/** Also of one who was removed, until it is erased. */
export async function findMemberPhone(db: Queryable, id: string): Promise<string | undefined> {
  const row = await findMember(db, id);
  return row === undefined || row.phone_hash.length === 0 ? undefined : personOf(db.vault, row).phone;
}

/** Of owners, and of those who were removed since then and are not erased. */
export async function listOwnerPhones(tx: Tx, merchantId: number, removedSince?: Date): Promise<string[]> {
  const rows = await tx.rows<Pick<MemberRow, 'id' | 'person_sealed'>>(sql`
    select id, person_sealed from members
    where merchant_id = ${merchantId} and role = 'owner' and phone_hash <> ''
      and (removed_at is null or removed_at > ${removedSince ?? null}::timestamptz) order by id`);
  return [...new Set(rows.map((row) => personOf(tx.vault, row).phone))];
}

export type MemberWishes = Pick<MemberRow, 'role' | 'max_amount_cents' | 'may_return'> & { name: string };

export async function markMember(tx: Tx, row: MemberRow, wishes: MemberWishes): Promise<void> {
  const { phone } = personOf(tx.vault, row);
  await tx.run(sql`
    update members set person_sealed = ${sealPerson(tx.vault, row.id, { name: wishes.name, phone })},
      role = ${wishes.role}, max_amount_cents = ${wishes.max_amount_cents}, may_return = ${wishes.may_return}
    where id = ${row.id}`);
}

export const markRemoved = (tx: Tx, id: string, at: Date) =>
  tx.run(sql`update members set removed_at = ${at} where id = ${id} and removed_at is null`);

/** What these people are called, also those who were removed. Ids of nobody are left out. */
export async function listMemberNames(db: Queryable, ids: ReadonlyArray<string | null>) {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await db.rows<{ id: string; person_sealed: Buffer }>(sql`
    select id, person_sealed from members where id = any(${wanted}::text[])`);
  return new Map(rows.map((row) => [row.id, personOf(db.vault, row).name]));
}

/** Whether whoever has the phone is a member of the merchant. */
export async function isMember(db: Queryable, merchantId: number, phoneHash: Buffer): Promise<boolean> {
  const row = await db.row(sql`
    select from members where merchant_id = ${merchantId} and phone_hash = ${phoneHash} and removed_at is null`);
  return row !== undefined;
}

/** Whether whoever has the phone is a member of the merchant or was one, for as long as the phone of a removed one is kept. */
export async function wasMember(db: Queryable, merchantId: number, phoneHash: Buffer): Promise<boolean> {
  const row = await db.row(sql`
    select from members where phone_hash = ${phoneHash} and merchant_id = ${merchantId} limit 1`);
  return row !== undefined;
}

/** The phones of those who were removed before then. Names stay: sales and returns show them. */
export async function purgePhones(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(async () => {
    const rows = await db.rows<MemberRow>(sql`
      select ${members.of('m')} from members m where removed_at < ${before} and length(phone_hash) > 0 limit 100`);
    for (const row of rows) await erasePhone(db, row, personOf(db.vault, row).name);
    return rows.length;
  });
}

const erasePhone = (db: Queryable, { id }: MemberRow, name: string) =>
  db.run(sql`
    update members set person_sealed = ${sealPerson(db.vault, id, { name, phone: ERASED })}, phone_hash = ${NO_HASH}
    where id = ${id} and removed_at is not null`);

/** What is known of whoever has the phone, also where they were removed. */
export const listByPhone = (db: Queryable, phone: string) =>
  db.rows<MemberRow>(sql`
    select ${members.of('m')} from members m where phone_hash = ${hashPhone(db.vault, phone)} order by created_at`);

/** Those who were removed. */
export async function eraseMembers(tx: Tx, phone: string): Promise<void> {
  for (const row of await listByPhone(tx, phone)) await erasePhone(tx, row, ERASED);
}

/** Reencrypts with the current key, and recomputes the hashes if `all`. Returns the ids. */
export async function resealMembers(
  tx: Tx,
  vault: Vault,
  { afterId, limit, all }: ResealBatch,
): Promise<string[]> {
  const rows = await tx.rows<MemberRow>(sql`
    select ${members.of('m')} from members m
    where id > ${afterId} and (${all} or substr(person_sealed, 1, 4) <> ${vault.packedVersion})
    order by id limit ${limit} for no key update`);
  for (const row of rows) {
    const person = personOf(vault, row);
    const hash = row.phone_hash.length === 0 ? NO_HASH : hashPhone(vault, person.phone);
    await tx.run(sql`
      update members set person_sealed = ${sealPerson(vault, row.id, person)}, phone_hash = ${hash} where id = ${row.id}`);
  }
  return rows.map(({ id }) => id);
}
