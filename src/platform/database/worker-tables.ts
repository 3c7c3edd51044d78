import pg from 'pg';
import { DatabaseClient } from './database-client.ts';
import { sql, type Tx } from './db.ts';
import { endClient } from './end-client.ts';

// Everything that depends on graphile-worker's private tables is here: decision 0009. `private-parts.test.ts` fails when they
// change.

/** graphile-worker's newest migration, so that it is loaded for migrating only when there is something to migrate. */
export const NEWEST_MIGRATION = 20;

/**
 * Deletes all jobs, also running ones, whose outcome is then ignored. A job that is being inserted is skipped, not waited for,
 * which no function of graphile-worker can do.
 */
export async function purgeAllJobs(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from graphile_worker._private_jobs
    where id in (select id from graphile_worker._private_jobs for update skip locked)`);
}

/** Brings the tables of graphile-worker up to its release. */
export async function migrateJobs(client: pg.Client, url: string): Promise<void> {
  if (await isMigrated(client)) return;
  const { runMigrations, Logger } = await import('graphile-worker');
  // As for our own migrations: the caller retries.
  const pgPool = new pg.Pool({ connectionString: url, Client: DatabaseClient, lock_timeout: 1_000 });
  pgPool.on('error', () => undefined).on('connect', (own) => own.on('error', () => undefined)); // told by the statement
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => undefined) });
    // To plan its statements anew for every job costs more than to run them.
    await client.query(
      'alter function graphile_worker.add_jobs(graphile_worker.job_spec[], boolean) set plan_cache_mode = force_generic_plan',
    );
    // The search for jobs of dead nodes, every few seconds, reads only locked jobs, however many wait.
    await pgPool.query(
      'create index if not exists jobs_held on graphile_worker._private_jobs (locked_by) where locked_by is not null',
    );
  } finally {
    await endClient(pgPool);
  }
}

/** The index is created last, so it shows that everything is there. */
async function isMigrated(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('graphile_worker.jobs_held') as found`);
  if (rows[0].found === null) return false;
  const { rows: applied } = await client.query('select max(id) as newest from graphile_worker.migrations');
  return applied[0].newest >= NEWEST_MIGRATION;
}
