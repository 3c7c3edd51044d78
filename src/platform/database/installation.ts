import { type Queryable, sql } from './db.ts';

/** An error because the database was set up in the other mode. */
export class WrongModeError extends Error {}

/** Records the mode of a new database. Returns true on the very first start. Nodes that start together wait for the first one. */
export async function claimInstallation(db: Queryable, mode: 'sandbox' | 'live'): Promise<boolean> {
  const insertedCount = await db.run(
    sql`insert into installation (mode) values (${mode}) on conflict do nothing`,
  );
  if (insertedCount === 1) return true;
  await refuseWrongMode(db, mode);
  return false;
}

/** Throws if the database was set up in the other mode. Writes nothing. An empty database, or one without a mode, passes. */
export async function refuseWrongMode(db: Queryable, mode: 'sandbox' | 'live'): Promise<void> {
  const { exists } = (await db.row<{ exists: boolean }>(
    sql`select to_regclass('installation') is not null as exists`,
  ))!;
  if (!exists) return;
  const installation = await db.row<{ mode: string }>(sql`select mode from installation`);
  if (!installation || installation.mode === mode) return;
  throw new WrongModeError(
    `This database was set up in ${installation.mode} mode and cannot be used in ${mode} mode. ` +
      'Set SEMANA_MODE, or DATABASE_URL to another database.',
  );
}
