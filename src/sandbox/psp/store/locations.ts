import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { LocationAddress } from './charges.ts';
import { readPageWithTotal, type Slice } from './page.ts';

export type LocationRow = {
  id: number;
  location: string;
  txid: string | null;
  created_at: Date;
};

export async function insertLocation(
  db: Queryable,
  address: LocationAddress,
  now: Date,
): Promise<LocationRow> {
  const row = await db.row<LocationRow>(sql`
    insert into psp_sim_locations (token, location, created_at)
    values (${address.token}, ${address.location}, ${now}) returning *`);
  return row!;
}

export async function findLocation(db: Queryable, id: number): Promise<LocationRow | undefined> {
  return db.row(sql`select * from psp_sim_locations where id = ${id}`);
}

export async function lockLocation(tx: Tx, id: number): Promise<LocationRow | undefined> {
  return tx.row(sql`select * from psp_sim_locations where id = ${id} for update`);
}

/** Attaches the charge to this location, and detaches it from any other. */
export async function attachLocation(tx: Tx, id: number, txid: string): Promise<void> {
  await tx.run(sql`update psp_sim_locations set txid = null where txid = ${txid} and id <> ${id}`);
  await tx.run(sql`update psp_sim_locations set txid = ${txid} where id = ${id}`);
}

export async function detachLocation(db: Queryable, id: number): Promise<LocationRow | undefined> {
  return db.row(sql`update psp_sim_locations set txid = null where id = ${id} returning *`);
}

export const listLocations = (
  db: Queryable,
  { from, to, withTxid }: { from: Date; to: Date; withTxid: boolean | null },
  page: Slice,
) =>
  readPageWithTotal(page, ({ offset, limit }) =>
    db.rows<LocationRow & { total: number }>(sql`
      select *, count(*) over () as total from psp_sim_locations
      where created_at between ${from} and ${to}
        and (${withTxid}::boolean is null or (txid is not null) = ${withTxid})
      order by created_at, id offset ${offset} limit ${limit}`),
  );
