import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { MINUTE_MS } from '#core/values/duration.ts';
import { formatRelease } from '../release.ts';
import type { Mode } from '../settings.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { DatabaseClient } from './database-client.ts';
import { type Queryable, sql } from './db.ts';
import { migrateJobTables } from './graphile-worker-tables.ts';

export type Migration = { name: string; text: string; checksum: string };

export class MigrationError extends Error {}

/** Later statements queue behind a migration that waits for a lock, so it waits only briefly. */
const LOCK_TIMEOUT_MS = 1_000;
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
const LOCK_RETRY_TIMEOUT_MS = 5 * MINUTE_MS;
/** lock_not_available and deadlock_detected: the migration was rolled back and can be retried. */
const RETRYABLE_CODES = new Set(['55P03', '40P01']);

/** The first line of an additive migration, with which earlier releases still work and can be started. */
const ADDITIVE_MARKER = /^-- additive\b/;

/** Applies a migration. It waits for locks in short attempts, so that other statements do not queue behind it. */
async function applyMigration(
  client: pg.Client,
  migration: Migration,
  print: (text: string) => void,
): Promise<void> {
  const { name, text, checksum } = migration;
  await retryUntilUnlocked(name, print, async () => {
    try {
      await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query(text);
      await client.query('insert into schema_migrations (name, checksum, is_additive) values ($1, $2, $3)', [
        name,
        checksum,
        ADDITIVE_MARKER.test(text),
      ]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined); // the connection is lost, which rolls back, too
      throw error;
    }
  });
}

async function retryUntilUnlocked(
  name: string,
  print: (text: string) => void,
  attempt: () => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now();
  for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      await attempt();
      return;
    } catch (cause) {
      const { code = '', message } = cause as Error & { code?: string };
      if (!RETRYABLE_CODES.has(code))
        throw new MigrationError(`Migration ${name} failed: ${message}`, { cause });
      if (performance.now() - startedAtMs > LOCK_RETRY_TIMEOUT_MS) {
        throw new MigrationError(
          `Migration ${name} could not acquire its locks: another session has an open transaction. ` +
            'Find the oldest xact_start in pg_stat_activity, end that session, and try again.',
          { cause },
        );
      }
      print(`Migration ${name} is waiting for a transaction of another session to end.`);
      await sleep(pauseMs * (0.75 + Math.random() * 0.5)); // varies by a quarter, so that nodes do not retry together
    }
  }
}

const MIGRATIONS_DIRECTORY = join(import.meta.dirname, '../../../migrations');

type AppliedMigration = { name: string; checksum: string; is_additive: boolean };

/**
 * Applies new migrations and returns their names. Throws if an applied migration has changed or is unknown. An additive migration may be
 * unknown, because earlier releases work with it. Migrations in migrations/sandbox are applied last, in the sandbox only.
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
    const { rows: appliedMigrations } = await client.query<AppliedMigration>(
      'select name, checksum, is_additive from schema_migrations',
    );
    // All migrations of this release are known, those of the sandbox included.
    refuseDrift(appliedMigrations, await readMigrations('sandbox', directory));

    const appliedNames = new Set(appliedMigrations.map(({ name }) => name));
    const newMigrations = (await readMigrations(mode, directory)).filter(
      ({ name }) => !appliedNames.has(name),
    );
    for (const migration of newMigrations) await applyMigration(client, migration, print);
    await retryUntilUnlocked('of graphile-worker', print, () => migrateJobTables(client, url));
    return newMigrations.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

export async function readMigrations(mode: Mode, directory = MIGRATIONS_DIRECTORY): Promise<Migration[]> {
  const readFolder = async (folder: string): Promise<Migration[]> => {
    const files = await readdir(join(directory, folder)).catch(() => []); // a release may have no sandbox migrations
    const fileNames = files.filter((name) => name.endsWith('.sql')).sort();
    return Promise.all(
      fileNames.map(async (file) => {
        const name = posix.join(folder, file);
        const text = await readFile(join(directory, name), 'utf8');
        return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
      }),
    );
  };
  return [...(await readFolder('.')), ...(mode === 'sandbox' ? await readFolder('sandbox') : [])];
}

function refuseDrift(appliedMigrations: AppliedMigration[], knownMigrations: Migration[]): void {
  const migrationsByName = new Map(knownMigrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, is_additive } of appliedMigrations) {
    const migration = migrationsByName.get(name);
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
  const {
    rows: [server],
  } = await client.query<{ version_number: number }>(
    `select current_setting('server_version_num')::int as version_number`,
  );
  const major = Math.floor(server!.version_number / 10_000);
  if (major < 15) throw new MigrationError(`PostgreSQL ${major} is too old: Semana needs 15 or later.`);
}

/** Throws if the applied migrations differ from those of this release, except additive ones. For processes that do not migrate. */
export async function requireCurrentSchema(db: Queryable, mode: Mode): Promise<void> {
  const appliedMigrations = await listAppliedMigrations(db);
  if (!appliedMigrations)
    throw new MigrationError(`This database is not set up. Run 'semana migrate' first.`);
  const requiredMigrations = await readMigrations(mode);
  refuseDrift(appliedMigrations, await readMigrations('sandbox'));
  const appliedNames = new Set(appliedMigrations.map(({ name }) => name));
  const missingMigration = requiredMigrations.find(({ name }) => !appliedNames.has(name));
  if (missingMigration)
    throw new MigrationError(
      `This database is older than this release: ${missingMigration.name} is missing. Run 'semana migrate' first.`,
    );
}

async function listAppliedMigrations(db: Queryable): Promise<AppliedMigration[] | undefined> {
  try {
    return await db.rows<AppliedMigration>(sql`select name, checksum, is_additive from schema_migrations`);
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';
