import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import pg from 'pg';
import { migrateJobs } from './jobs.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
// Any fixed number: nodes that start together queue here and all but the first find nothing to do.
const MIGRATION_LOCK = 7_031_902;

export class MigrationFault extends Error {}

/**
 * Brings the database up to the migrations of this release, each in a transaction of its own, under a lock; those in
 * migrations/sandbox only in the sandbox, after the others.
 * Forward only: a migration that was applied and has changed since, or that this release does not know, is refused.
 */
export async function migrate(url: string, mode: 'sandbox' | 'live'): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'semana migrate',
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    await refuseOldServer(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const everywhere = await readMigrations('.');
    const sandbox = await readMigrations('sandbox');
    refuseDrift(applied, [...everywhere, ...sandbox]);

    const wanted = mode === 'sandbox' ? [...everywhere, ...sandbox] : everywhere;
    const fresh = wanted.filter((migration) => !applied.has(migration.name));
    for (const { name, text, checksum } of fresh) {
      try {
        await client.query('begin');
        await client.query(text);
        await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
          name,
          checksum,
        ]);
        await client.query('commit');
      } catch (cause) {
        throw new MigrationFault(`Migration ${name} failed: ${(cause as Error).message}`, { cause });
      }
    }
    await migrateJobs(client, url);
    return fresh.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

type Migration = { name: string; text: string; checksum: string };

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(join(MIGRATIONS, folder))).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const name = posix.join(folder, file);
      const text = await readFile(join(MIGRATIONS, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function refuseDrift(applied: Map<string, string>, known: Migration[]): void {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const [name, checksum] of applied) {
    const migration = byName.get(name);
    if (!migration) {
      throw new MigrationFault(
        `The database has migration ${name}, which this release does not know. Use the newer release.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationFault(
        `Migration ${name} was changed after it had been applied. Write a new one instead.`,
      );
    }
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  );
  const major = Math.floor(rows[0]!.number / 10_000);
  if (major < 15) throw new MigrationFault(`PostgreSQL ${major} is too old: Semana needs 15 or later.`);
}
