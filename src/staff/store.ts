import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { type PageRange, queryPage } from '#platform/http/list-query.ts';

const staffUserColumns = columns({
  id: column.text(),
  name: column.text(),
  role: column.text<Role>(),
  email: column.text().nullable(),
  created_at: column.timestamptz(),
  removed_at: column.timestamptz().nullable(),
});
export type StaffUserRow = RowOf<typeof staffUserColumns>;

/** Does nothing if the user exists: a demo user is created at every start. */
export const insertStaffUser = (tx: Tx, user: Omit<StaffUserRow, 'removed_at' | 'email'>) =>
  tx.run(sql`
    insert into staff_members (id, name, role, created_at)
    values (${user.id}, ${user.name}, ${user.role}, ${user.created_at})
    on conflict (id) do nothing`);

export const findStaffUser = (db: Queryable, id: string) =>
  db.row<StaffUserRow>(
    sql`select ${staffUserColumns.selectFrom('staff')} from staff_members staff where id = ${id}`,
  );

/** Lists staff users whose name contains `q`. */
export function listStaffUsers(
  db: Queryable,
  { includeRemoved, q = '', ...range }: PageRange & { includeRemoved: boolean; q?: string | undefined },
) {
  const statement = sql`
    select ${staffUserColumns.selectFrom('staff')} from staff_members staff
    where (${includeRemoved} or removed_at is null) and strpos(lower(name), lower(${q})) > 0`;
  return queryPage<StaffUserRow>(db, { statement, orderBy: sql`name, id` }, range);
}

/** Serializes changes to staff users, so that two admins cannot remove each other concurrently. */
export const lockStaffUsers = (tx: Tx) => lockAdvisory(tx, 'staffMembers');

export const listAdminIds = (tx: Tx) =>
  tx.values<string>(sql`select id from staff_members where role = 'admin' and removed_at is null`);

export const updateStaffUser = (
  tx: Tx,
  id: string,
  patch: { name?: string | undefined; role?: Role | undefined; removedAt?: Date | undefined },
) =>
  tx.run(sql`
    update staff_members set name = coalesce(${patch.name ?? null}, name), role = coalesce(${patch.role ?? null}, role),
      removed_at = coalesce(removed_at, ${patch.removedAt ?? null}::timestamptz)
    where id = ${id}`);

export async function listStaffNames(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`select id, name from staff_members where id = any(${ids})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
