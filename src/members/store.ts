import type { Static, TObject } from 'typebox';
import { ERASED_PHONE_HASH, hashPhone } from '#customers';
import { lockKey } from '#platform/database/advisory-locks.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, runInBatches, sql, type Tx } from '#platform/database/db.ts';
import { type PageRange, queryPage } from '#platform/http/list-query.ts';
import { Personal } from '#platform/http/masking.ts';
import { ERASED } from '#platform/privacy/personal-data.ts';
import type { Vault } from '#platform/vault.ts';
import * as tables from './generated/tables.ts';

/** The personal fields of a member: masks, export, erasure and reencryption follow from them. */
export const memberPersonFields = {
  name: Personal('name', { examples: ['Téo Nogueira'] }),
  phone: Personal('phone', { examples: ['+5511987650011'] }),
};
type MemberPerson = Readonly<Static<TObject<typeof memberPersonFields>>>;

export const memberColumns = columns({
  ...tables.members,
  person_sealed: column.encryptedFields(memberPersonFields, { context: 'member' }),
});
export type MemberRow = RowOf<typeof memberColumns>;

const { person_sealed: encryptedPerson } = memberColumns.declarations;

export const decryptPerson = (vault: Vault, { id, person_sealed }: Pick<MemberRow, 'id' | 'person_sealed'>) =>
  encryptedPerson.decrypt(vault, id, person_sealed);

export type NewMember = Omit<MemberRow, 'person_sealed' | 'phone_hash' | 'removed_at'> & MemberPerson;

/** Returns false if the merchant already has a member with the phone. */
export async function insertMember(tx: Tx, { name, phone, ...member }: NewMember): Promise<boolean> {
  const row = {
    ...member,
    person_sealed: encryptedPerson.encrypt(tx.vault, member.id, { name, phone }),
    phone_hash: hashPhone(tx.vault, phone),
    removed_at: null,
  };
  return (await tx.run(sql`insert into members ${memberColumns.values(row)} on conflict do nothing`)) === 1;
}

export const findMember = (db: Queryable, id: string) =>
  db.row<MemberRow>(sql`select ${memberColumns.selectFrom('member')} from members member where id = ${id}`);

/** Finds the current role of a member; undefined if the member was removed. */
export const findMemberRole = (db: Queryable, id: string) =>
  db.value<MemberRow['role']>(sql`select role from members where id = ${id} and removed_at is null`);

/** Locks the row until the session is written, which serializes the login with a removal. */
export const lockActiveMember = (tx: Tx, id: string) =>
  tx.row<MemberRow>(sql`
    select ${memberColumns.selectFrom('member')} from members member where id = ${id} and removed_at is null for no key update`);

/** Serializes changes to the members of a merchant, so that two owners cannot remove each other concurrently. */
export const lockMembers = (tx: Tx, merchantId: number): Promise<void> =>
  lockKey(tx, 'members', String(merchantId));

export const listMemberships = (db: Queryable, phoneHash: Buffer) =>
  db.rows<MemberRow>(sql`
    select ${memberColumns.selectFrom('member')} from members member where phone_hash = ${phoneHash} and removed_at is null
    order by created_at, id`);

/** Lists members, oldest first. */
export function listMembers(
  db: Queryable,
  { merchantId, includeRemoved }: { merchantId: number; includeRemoved: boolean },
  range: PageRange,
) {
  const statement = sql`
    select ${memberColumns.selectFrom('member')} from members member where merchant_id = ${merchantId} and (${includeRemoved} or removed_at is null)`;
  return queryPage<MemberRow>(db, { statement, orderBy: sql`member.created_at, member.id` }, range);
}

export const listOwnerIds = (tx: Tx, merchantId: number) =>
  tx.values<string>(sql`
    select id from members where merchant_id = ${merchantId} and role = 'owner' and removed_at is null`);

/** Finds the phone of a member. The phone of a removed member is found until it is erased. */
export async function findMemberPhone(db: Queryable, id: string): Promise<string | undefined> {
  const row = await findMember(db, id);
  return row === undefined || row.phone_hash.length === 0 ? undefined : decryptPerson(db.vault, row).phone;
}

/** Lists the phones of active owners, and, if `removedSince` is given, of owners removed since then whose phone is not erased. */
export async function listOwnerPhones(tx: Tx, merchantId: number, removedSince?: Date): Promise<string[]> {
  const rows = await tx.rows<Pick<MemberRow, 'id' | 'person_sealed'>>(sql`
    select id, person_sealed from members
    where merchant_id = ${merchantId} and role = 'owner' and phone_hash <> ''
      and (removed_at is null or removed_at > ${removedSince ?? null}::timestamptz) order by id`);
  return [...new Set(rows.map((row) => decryptPerson(tx.vault, row).phone))];
}

export type MemberUpdate = Pick<MemberRow, 'role' | 'max_amount_cents' | 'may_return'> & { name: string };

export async function updateMember(tx: Tx, row: MemberRow, update: MemberUpdate): Promise<void> {
  const { phone } = decryptPerson(tx.vault, row);
  await tx.run(sql`
    update members set person_sealed = ${encryptedPerson.encrypt(tx.vault, row.id, { name: update.name, phone })},
      role = ${update.role}, max_amount_cents = ${update.max_amount_cents}, may_return = ${update.may_return}
    where id = ${row.id}`);
}

export const markMemberRemoved = (tx: Tx, id: string, removedAt: Date) =>
  tx.run(sql`update members set removed_at = ${removedAt} where id = ${id} and removed_at is null`);

/** Returns the names of members by id, including removed members. Unknown ids are left out. */
export async function listMemberNames(db: Queryable, ids: ReadonlyArray<string | null>) {
  const memberIds = [...new Set(ids)].filter((id) => id !== null);
  if (memberIds.length === 0) return new Map();
  const rows = await db.rows<{ id: string; person_sealed: Buffer }>(sql`
    select id, person_sealed from members where id = any(${memberIds}::text[])`);
  return new Map(rows.map((row) => [row.id, decryptPerson(db.vault, row).name]));
}

type MemberPhone = { readonly batchKey: string; readonly merchantId: number; readonly phoneHash: Buffer };

const selectMembersByPhone = batchable(
  (rows: readonly MemberPhone[]) => sql`
    select input.batch_key, member.removed_at
    from unnest(${pluck(rows, 'batchKey')}::text[], ${pluck(rows, 'merchantId')}::bigint[], ${pluck(rows, 'phoneHash')}::bytea[])
         as input (batch_key, merchant_id, phone_hash)
    join members member on member.merchant_id = input.merchant_id and member.phone_hash = input.phone_hash`,
);

/** Lists the members with this phone. `question` makes the batch keys of the two checks differ: a batch returns rows by their key. */
function listMembersByPhone(
  db: Queryable,
  merchantId: number,
  phoneHash: Buffer,
  question: 'is active' | 'is or was',
) {
  const batchKey = `${question} ${merchantId} ${phoneHash.toString('hex')}`;
  return db.rows<{ removed_at: Date | null }>(selectMembersByPhone({ batchKey, merchantId, phoneHash }));
}

export async function isActiveMember(db: Queryable, merchantId: number, phoneHash: Buffer): Promise<boolean> {
  const rows = await listMembersByPhone(db, merchantId, phoneHash, 'is active');
  return rows.some(({ removed_at }) => removed_at === null);
}

/** Whether the owner of the phone is or was a member of the merchant, as far as phones of removed members are retained. */
export async function isOrWasMember(db: Queryable, merchantId: number, phoneHash: Buffer): Promise<boolean> {
  return (await listMembersByPhone(db, merchantId, phoneHash, 'is or was')).length > 0;
}

/** Erases the phones of members who were removed before the given time. Names stay, because sales and returns display them. */
export async function purgeRemovedMemberPhones(db: Queryable, before: Date): Promise<void> {
  await runInBatches(async () => {
    const rows = await db.rows<MemberRow>(sql`
      select ${memberColumns.selectFrom('member')} from members member where removed_at < ${before} and length(phone_hash) > 0 limit 100`);
    for (const row of rows) {
      const { name } = decryptPerson(db.vault, row);
      const person = encryptedPerson.encrypt(db.vault, row.id, { name, phone: ERASED });
      await db.run(sql`
        update members set person_sealed = ${person}, phone_hash = ${ERASED_PHONE_HASH}
        where id = ${row.id} and removed_at is not null`);
    }
    return rows.length;
  });
}
