import { type Queryable, sql, type Tx } from '#platform/db.ts';
import type { Role } from '#platform/http/endpoint.ts';

export type StaffRow = { id: string; name: string; role: Role; created_at: Date; removed_at: Date | null };

export async function insertMember(tx: Tx, member: Omit<StaffRow, 'removed_at'>): Promise<void> {
  await tx.run(sql`
    insert into staff_members (id, name, role, created_at)
    values (${member.id}, ${member.name}, ${member.role}, ${member.created_at})
    on conflict (id) do nothing`);
}

export async function findMember(db: Queryable, id: string): Promise<StaffRow | undefined> {
  return db.row(sql`select id, name, role, created_at, removed_at from staff_members where id = ${id}`);
}

/** Those who work here, or all who ever did. */
export async function listMembers(
  db: Queryable,
  { removed, offset, limit }: { removed: boolean; offset: number; limit: number },
): Promise<{ total: number; members: StaffRow[] }> {
  const [members, counted] = await Promise.all([
    db.rows<StaffRow>(sql`
      select id, name, role, created_at, removed_at from staff_members
      where ${removed} or removed_at is null order by name, id limit ${limit} offset ${offset}`),
    db.row<{ total: number }>(
      sql`select count(*) as total from staff_members where ${removed} or removed_at is null`,
    ),
  ]);
  return { total: counted!.total, members };
}

/** All admins, locked: of two who remove each other, the second finds that the first has. */
export async function lockAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from staff_members where role = 'admin' and removed_at is null order by id for update`);
  return rows.map(({ id }) => id);
}

export async function markMember(
  tx: Tx,
  id: string,
  change: { name?: string | undefined; role?: Role | undefined; removedAt?: Date | undefined },
): Promise<void> {
  await tx.run(sql`
    update staff_members set name = coalesce(${change.name ?? null}, name), role = coalesce(${change.role ?? null}, role),
      removed_at = coalesce(removed_at, ${change.removedAt ?? null}::timestamptz)
    where id = ${id}`);
}

/** What these people are called. */
export async function listNames(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`select id, name from staff_members where id = any(${ids})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
