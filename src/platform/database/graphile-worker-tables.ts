import pg from 'pg';
import { DatabaseClient, endClient } from './database-client.ts';
import { sql, type Tx } from './db.ts';

// All code that depends on graphile-worker's private tables is here (decision 0009). `private-parts.test.ts` fails if they change.

/** graphile-worker's newest migration, so that the library is loaded for migration only if there is something to migrate. */
export const NEWEST_WORKER_MIGRATION = 20;

export type NewJob = {
  readonly task: string;
  readonly payload: unknown;
  readonly maxAttempts: number;
  /** The job replaces a waiting job with the same key. Null: it replaces none. */
  readonly key: string | null;
  readonly delayMs: number;
};

/** Inserts jobs like graphile-worker's `add_jobs`, but without its NOTIFY, which serializes commits. The order by key prevents deadlocks. */
export function insertJobs(tx: Tx, jobs: readonly NewJob[]): void {
  const keys = jobs.flatMap(({ key }) => key ?? []);
  // A job that is running, or has failed permanently, is not replaced: it loses its key to the new one, and is not tried again.
  if (keys.length > 0)
    tx.queueWrite(sql`
      update graphile_worker._private_jobs set key = null, attempts = max_attempts, updated_at = now()
      where key = any(${keys}::text[]) and is_available is not true`);
  tx.queueWrite(sql`
    with input as (
      select * from unnest(
        ${jobs.map(({ task }) => task)}::text[], ${jobs.map(({ payload }) => JSON.stringify(payload))}::text[],
        ${jobs.map(({ maxAttempts }) => maxAttempts)}::smallint[], ${jobs.map(({ key }) => key)}::text[],
        ${jobs.map(({ delayMs }) => delayMs)}::float8[]) as new_jobs (task, payload, max_attempts, key, delay_ms)),
    new_tasks as (
      insert into graphile_worker._private_tasks (identifier)
      select distinct task from input
      where not exists (select from graphile_worker._private_tasks existing where existing.identifier = input.task)
      on conflict do nothing returning id, identifier)
    insert into graphile_worker._private_jobs as jobs (task_id, payload, run_at, max_attempts, key)
    select coalesce(existing.id, new_tasks.id), input.payload::json, now() + input.delay_ms * interval '1 millisecond', input.max_attempts, input.key
    from input
    left join graphile_worker._private_tasks existing on existing.identifier = input.task
    left join new_tasks on new_tasks.identifier = input.task
    order by input.key
    on conflict (key) do update set
      task_id = excluded.task_id, payload = excluded.payload, max_attempts = excluded.max_attempts, run_at = excluded.run_at,
      revision = jobs.revision + 1, attempts = 0, last_error = null, updated_at = now()
    where jobs.locked_at is null`);
}

/** Deletes all jobs, including running ones, which no function of graphile-worker can do. Skips locked rows. */
export async function purgeAllJobs(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from graphile_worker._private_jobs
    where id in (select id from graphile_worker._private_jobs for update skip locked)`);
}

export async function migrateJobTables(client: pg.Client, url: string): Promise<void> {
  if (await isMigrated(client)) return;
  const { runMigrations, Logger } = await import('graphile-worker');
  // There is a lock timeout, as for our own migrations. The caller retries.
  const pgPool = new pg.Pool({ connectionString: url, Client: DatabaseClient, lock_timeout: 1_000 });
  pgPool.on('error', () => undefined).on('connect', (poolClient) => poolClient.on('error', () => undefined)); // the statement reports the error
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => undefined) });
    // With this index the search for jobs of dead nodes, every few seconds, reads only locked jobs, however many are pending.
    await pgPool.query(
      'create index if not exists jobs_held on graphile_worker._private_jobs (locked_by) where locked_by is not null',
    );
  } finally {
    await endClient(pgPool);
  }
}

/** Whether the tables are migrated. The index is created last, so its existence proves that the migration is complete. */
async function isMigrated(client: pg.Client): Promise<boolean> {
  const { rows: indexes } = await client.query(
    `select from pg_class where oid = to_regclass('graphile_worker.jobs_held')`,
  );
  if (indexes.length === 0) return false;
  const { rows: migrations } = await client.query('select id from graphile_worker.migrations');
  return migrations.some(({ id }) => id >= NEWEST_WORKER_MIGRATION);
}
