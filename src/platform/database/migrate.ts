import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type pg from 'pg';
import { shownRelease } from '../release.ts';
import type { Mode } from '../settings.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { applyMigration, type Migration, MigrationFault, outOfTheWay } from './apply-migration.ts';
import { DatabaseClient } from './database-client.ts';
import { migrateJobs } from './worker-tables.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../migrations');

export { MigrationFault };

export type Applied = { name: string; checksum: string; is_additive: boolean };

/**
 * Brings the database up to the migrations of this release, each in a transaction of its own, under a lock; those in
 * migrations/sandbox only in the sandbox, after the others.
 * Forward only: a migration that was applied and has changed since, or that this release does not know, is refused. One that
 * calls itself additive may be unknown: what came before it works beside it.
 */
export async function migrate(
  url: string,
  mode: Mode,
  {
    directory = MIGRATIONS,
    say = () => undefined,
  }: { directory?: string; say?: (text: string) => void } = {},
): Promise<string[]> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'semana migrate',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined); // reported by the statement that is running
  await client.connect();
  try {
    await refuseUnfitServer(client);
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, is_additive boolean not null,
         applied_at timestamptz not null default now())`,
    );
    const { rows: applied } = await client.query<Applied>(
      'select name, checksum, is_additive from schema_migrations',
    );
    refuseDrift(applied, await readMigrations('sandbox', directory));

    const names = new Set(applied.map(({ name }) => name));
    const fresh = (await readMigrations(mode, directory)).filter(({ name }) => !names.has(name));
    for (const migration of fresh) await applyMigration(client, migration, say);
    await outOfTheWay('of graphile-worker', say, () => migrateJobs(client, url));
    return fresh.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** The migrations of a database in this mode, in order. */
export async function readMigrations(mode: Mode, directory = MIGRATIONS): Promise<Migration[]> {
  const read = async (folder: string): Promise<Migration[]> => {
    const files = await readdir(join(directory, folder)).catch(() => []); // a release may have none for the sandbox
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

export function refuseDrift(applied: Applied[], known: Migration[]): void {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const { name, checksum, is_additive } of applied) {
    const migration = byName.get(name);
    if (!migration && is_additive) continue;
    if (!migration) {
      throw new MigrationFault(
        `This database was updated by a newer release of Semana: it has migration ${name}, which this release ` +
          `(${shownRelease()}) does not know. Nothing was changed. Start the newer release, or one after it: ` +
          `'semana --version' and /healthz of a node that serves say which. To stay with this one, restore a backup from before the update ` +
          'into an empty database; what was written since is lost.',
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationFault(
        `This release (${shownRelease()}) cannot update this database: it was made by a build of Semana that is no release ` +
          `(its migration ${name} is another). Nothing was changed. Start the build that made it; or restore a backup that a release ` +
          'made into an empty database, and start this release with it. A sandbox holds nothing of value: give it an empty database ' +
          'by another DATABASE_URL or DATA_DIR.',
      );
    }
  }
}

async function refuseUnfitServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  );
  const major = Math.floor(rows[0]!.number / 10_000);
  if (major < 15) throw new MigrationFault(`PostgreSQL ${major} is too old: Semana needs 15 or later.`);
}
