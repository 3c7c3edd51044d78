import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { type Range, readPage } from '#platform/http/listing.ts';

const members = columns({
  id: column.text(),
  name: column.text(),
  role: column.text<Role>(),
  email: column.text().nullable(),
  created_at: column.timestamptz(),
  removed_at: column.timestamptz().nullable(),
});
export type StaffRow = RowOf<typeof members>;

export const insertMember = (tx: Tx, member: Omit<StaffRow, 'removed_at' | 'email'>) =>
  tx.run(sql`
    insert into staff_members (id, name, role, created_at)
    values (${member.id}, ${member.name}, ${member.role}, ${member.created_at})
    on conflict (id) do nothing`);

export const findMember = (db: Queryable, id: string) =>
  db.row<StaffRow>(sql`select ${members.of('m')} from staff_members m where id = ${id}`);

/** Current members, or all who ever were; `q`: with this in their name. */
export function listMembers(
  db: Queryable,
  { removed, q = '', ...at }: Range & { removed: boolean; q?: string | undefined },
) {
  const found = sql`
    select ${members.of('m')} from staff_members m
    where (${removed} or removed_at is null) and strpos(lower(name), lower(${q})) > 0`;
  return readPage<StaffRow>(db, { found, order: sql`name, id` }, at);
}

/** One change or removal of members at a time: of two admins who remove each other, one stays. */
export const lockMembers = (tx: Tx) => lockAdvisory(tx, 'staffMembers');

export async function listAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from staff_members where role = 'admin' and removed_at is null`);
  return rows.map(({ id }) => id);
}

export const markMember = (
  tx: Tx,
  id: string,
  change: { name?: string | undefined; role?: Role | undefined; removedAt?: Date | undefined },
) =>
  tx.run(sql`
    update staff_members set name = coalesce(${change.name ?? null}, name), role = coalesce(${change.role ?? null}, role),
      removed_at = coalesce(removed_at, ${change.removedAt ?? null}::timestamptz)
    where id = ${id}`);

export async function listNames(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`select id, name from staff_members where id = any(${ids})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
