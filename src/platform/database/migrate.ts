import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type pg from 'pg';
import { formatRelease } from '../release.ts';
import type { Mode } from '../settings.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { applyMigration, type Migration, MigrationError, retryUntilUnlocked } from './apply-migration.ts';
import { DatabaseClient } from './database-client.ts';
import { migrateJobTables } from './graphile-worker-tables.ts';

const MIGRATIONS_DIRECTORY = join(import.meta.dirname, '../../../migrations');

export { MigrationError };

export type AppliedMigration = { name: string; checksum: string; is_additive: boolean };

/**
 * Forward only: throws if an applied migration has changed, or is unknown here. An additive one may be unknown, because earlier releases
 * work with it. Those in migrations/sandbox are applied last, in the sandbox only.
 */
export async function migrate(
  url: string,
  mode: Mode,
  {
    directory = MIGRATIONS_DIRECTORY,
    print = () => undefined,
  }: { directory?: string; print?: (text: string) => void } = {},
): Promise<string[]> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'semana migrate',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined); // the running statement reports the error
  await client.connect();
  try {
    await requireSupportedVersion(client);
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, is_additive boolean not null,
         applied_at timestamptz not null default now())`,
    );
    const { rows: applied } = await client.query<AppliedMigration>(
      'select name, checksum, is_additive from schema_migrations',
    );
    refuseDrift(applied, await readMigrations('sandbox', directory));

    const names = new Set(applied.map(({ name }) => name));
    const newMigrations = (await readMigrations(mode, directory)).filter(({ name }) => !names.has(name));
    for (const migration of newMigrations) await applyMigration(client, migration, print);
    await retryUntilUnlocked('of graphile-worker', print, () => migrateJobTables(client, url));
    return newMigrations.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

export async function readMigrations(mode: Mode, directory = MIGRATIONS_DIRECTORY): Promise<Migration[]> {
  const read = async (folder: string): Promise<Migration[]> => {
    const files = await readdir(join(directory, folder)).catch(() => []); // a release may have no sandbox migrations
    const names = files.filter((name) => name.endsWith('.sql')).sort();
    return Promise.all(
      names.map(async (file) => {
        const name = posix.join(folder, file);
        const text = await readFile(join(directory, name), 'utf8');
        return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
      }),
    );
  };
  return [...(await read('.')), ...(mode === 'sandbox' ? await read('sandbox') : [])];
}

export function refuseDrift(applied: AppliedMigration[], knownMigrations: Migration[]): void {
  const knownByName = new Map(knownMigrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, is_additive } of applied) {
    const migration = knownByName.get(name);
    if (!migration && is_additive) continue;
    if (!migration) {
      throw new MigrationError(
        `This database was updated by a newer release of Semana: it has migration ${name}, which this release ` +
          `(${formatRelease()}) does not know. Nothing was changed. Start the newer release or a later one; 'semana --version' and ` +
          `/healthz of a running node show which. To stay with this release, restore a backup from before the update into an empty ` +
          'database; data written since then is lost.',
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationError(
        `This release (${formatRelease()}) cannot update this database, which was created by an unreleased build of Semana ` +
          `(its migration ${name} differs). Nothing was changed. Start the build that created it, or restore a backup of a release ` +
          'into an empty database and start this release with that. A sandbox holds nothing of value: give it an empty database ' +
          'with another DATABASE_URL or DATA_DIR.',
      );
    }
  }
}

async function requireSupportedVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  );
  const major = Math.floor(rows[0]!.number / 10_000);
  if (major < 15) throw new MigrationError(`PostgreSQL ${major} is too old: Semana needs 15 or later.`);
}
