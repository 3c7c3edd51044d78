import { type Queryable, sql } from './db.ts';

/** The database was made for the other mode. */
export class WrongMode extends Error {}

/** Records the mode of this database, once. True on the very first start. Nodes that start together wait for the first one. */
export async function claimInstallation(db: Queryable, mode: 'sandbox' | 'live'): Promise<boolean> {
  const claimed = await db.run(sql`insert into installation (mode) values (${mode}) on conflict do nothing`);
  if (claimed === 1) return true;
  await refuseWrongMode(db, mode);
  return false;
}

/** Checks the mode before anything else, and writes nothing. A database without a mode, or an empty one, passes. */
export async function refuseWrongMode(db: Queryable, mode: 'sandbox' | 'live'): Promise<void> {
  const { exists } = (await db.row<{ exists: boolean }>(
    sql`select to_regclass('installation') is not null as exists`,
  ))!;
  if (!exists) return;
  const found = await db.row<{ mode: string }>(sql`select mode from installation`);
  if (!found || found.mode === mode) return;
  throw new WrongMode(
    `This database was set up in ${found.mode} mode and cannot serve ${mode} mode. ` +
      'Set SEMANA_MODE, or DATABASE_URL to another database.',
  );
}
