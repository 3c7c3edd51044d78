import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { DatabaseClient } from '../database/database-client.ts';
import { type Queryable, sql, type Tx } from '../database/db.ts';
import { endClient } from '../database/end-client.ts';
import type { Log } from '../observability/log.ts';
import { openJobPool } from './job-pool.ts';
import { JobPresence } from './job-presence.ts';

/** graphile-worker's newest migration, so that it is loaded for migrating only when there is something to migrate. */
const NEWEST_MIGRATION = 20;
/**
 * Jobs of one queue never wait for those of another: somebody is waiting for a message, or for a payment to count. How many
 * of each a node does at once. Many settlements at once only wait together: what reads and settles them goes by batches of its own.
 */
const QUEUES = { messages: 4, settlement: 64, background: 4 } as const;
type Queue = keyof typeof QUEUES;
/** A queue that does more than this at once takes its jobs by the batch. */
const ONE_BY_ONE = 8;
/** So long what such a queue has done is gathered: many share the statement that says so. */
const GATHER_DONE_MS = 20;
/** Connections that all queues share to take jobs and to say how they ended, beside the one of each that listens. */
const SHARED = 5;
const RESTART_MS = 1_000;
/** A runner that got stuck is left alone after this. */
const ABANDON_MS = 5_000;
const DEAD_KEPT_DAYS = 30;

export type JobAttempt = {
  /** From 1. */
  number: number;
  /** Nobody tries again after this one. */
  isLast: boolean;
};

/** Work done outside of a request. What it throws makes it be tried again, later and later. */
export type Task = (payload: unknown, attempt: JobAttempt) => Promise<void>;

/** By name. What names no queue is done in the background. */
export type Tasks = Record<string, Task | { queue: Queue; run: Task }>;

export type Jobs = { stop(): Promise<void> };

/** Done every minute, or as often as the five fields of a crontab say; by one node, whichever it is. */
export type CronItem = { task: string; match: string };

/**
 * The job is there if and only if the transaction commits. Payloads hold ids, never personal data or secrets. Of jobs with
 * the same `key` that wait, there is one; one that is being done already does not count.
 */
export async function enqueue(
  tx: Tx,
  task: string,
  payload: Record<string, string>,
  maxAttempts: number,
  { key = null, delayMs = 0 }: { key?: string | null; delayMs?: number } = {},
): Promise<void> {
  tx.write(sql`
    select 1 from graphile_worker.add_job(${task}, payload => ${JSON.stringify(payload)}::json,
                                          max_attempts => ${maxAttempts}::int, job_key => ${key}::text,
                                          run_at => now() + ${delayMs}::float8 * interval '1 millisecond')`);
}

/** The same for many jobs, in one statement. Of those with the same `key` the last counts. */
export async function enqueueAll(
  tx: Tx,
  jobs: ReadonlyArray<{ task: string; payload: Record<string, string>; key: string }>,
  maxAttempts: number,
): Promise<void> {
  const wanted = [...new Map(jobs.map((job) => [job.key, job])).values()];
  if (wanted.length === 0) return;
  // In the order of their keys: of two who ask for the same jobs at once, one waits for the other.
  tx.write(sql`
    select count(*) from graphile_worker.add_jobs((
      select array_agg((task, payload::json, null, now(), ${maxAttempts}::smallint, key, null, null)
                       ::graphile_worker.job_spec order by key)
      from unnest(${wanted.map(({ task }) => task)}::text[],
                  ${wanted.map(({ payload }) => JSON.stringify(payload))}::text[],
                  ${wanted.map(({ key }) => key)}::text[]) as wanted (task, payload, key)))`);
}

/** Whether such a job is due or being done. */
export async function isUnderWay(db: Queryable, task: string): Promise<boolean> {
  const row = await db.row<{ exists: boolean }>(sql`
    select exists (
      select from graphile_worker.jobs
      where task_identifier = ${task} and run_at <= now() and (attempts < max_attempts or locked_at is not null))`);
  return row!.exists;
}

/** What failed for good is kept for who asks why, but not for ever. By the database's time, which its jobs go by. */
export async function purgeDeadJobs(db: Queryable): Promise<void> {
  await db.run(sql`
    select count(*) from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null
        and updated_at < now() - ${DEAD_KEPT_DAYS}::int * interval '1 day'
      limit 1000))`);
}

/** All jobs, also those being done: how they end is then told to nobody. One that is being added is left alone, not waited for. */
export async function purgeAllJobs(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from graphile_worker._private_jobs
    where id in (select id from graphile_worker._private_jobs for update skip locked)`);
}

/**
 * Does jobs on this node until stopped; `stop` lets running ones end. What a node was at when it died is done by another, or
 * by the same one started again, some ten seconds later: so a job may be done twice, or one half and one whole time.
 */
export async function startJobs(parts: {
  databaseUrl: string;
  tasks: Tasks;
  cron?: readonly CronItem[];
  log: Log;
}): Promise<Jobs> {
  const { databaseUrl, log, cron = [] } = parts;
  const worker = await import('graphile-worker');
  const queues = [...Map.groupBy(Object.entries(parts.tasks), ([, task]) => queueOf(task))];
  let stopped = false;

  const start = async (): Promise<Working> => {
    const presence = new JobPresence(databaseUrl, log);
    await presence.open();
    const abandoned = Promise.withResolvers<void>();
    const runners: Runner[] = [];
    // When one ends by itself, or a connection gets stuck, also the others' may be, and those that listen never ask: all are
    // started anew. One that got stuck may never end.
    const restart = () => {
      if (stopped) return;
      void stopAll(runners);
      setTimeout(abandoned.resolve, ABANDON_MS).unref();
    };
    const pgPool = openJobPool({ url: databaseUrl, size: queues.length + SHARED, onStuck: restart });
    const working = { runners, presence, pgPool };
    try {
      for (const [queue, own] of queues) runners.push(await run(queue, Object.fromEntries(own), working));
    } catch (error) {
      await stopAll(runners);
      await end(working);
      throw error;
    }
    // Why one ended it has logged by itself.
    const ended = runners.map((runner) => runner.promise.catch(() => undefined).then(restart));
    return { ...working, over: Promise.race([Promise.all(ended), abandoned.promise]) };
  };

  const run = (queue: Queue, tasks: Tasks, { presence, pgPool }: Pick<Working, 'presence' | 'pgPool'>) => {
    const events: WorkerEvents = new EventEmitter();
    // Before the first job is taken.
    events.on('pool:create', ({ workerPool }) => {
      workerPool.id = presence.id;
    });
    const atOnce = QUEUES[queue];
    return worker.run({
      events,
      pgPool,
      // In batches, of which it catches the failures: unbatched, one that fails is a rejection that nobody caught.
      preset: {
        worker: {
          completeJobBatchDelay: atOnce > ONE_BY_ONE ? GATHER_DONE_MS : 0,
          failJobBatchDelay: 0,
          ...(atOnce > ONE_BY_ONE && { localQueue: { size: atOnce } }),
        },
      },
      concurrency: atOnce,
      noHandleSignals: true,
      parsedCronItems: worker.parseCronItems(
        // What was missed while nobody was there is not made up for: the next run finds it all the same.
        cron
          .filter(({ task }) => task in tasks)
          .map(({ task, match }) => ({
            task,
            match,
            // One that failed makes room for the next.
            options: { backfillPeriod: 0, maxAttempts: 1, jobKey: `cron ${task}` },
          })),
      ),
      taskList: taskList(tasks, log),
      logger: new worker.Logger(() => (level, message) => logLine(log, level, message)),
    });
  };

  let working: Working | undefined = await start();
  const supervised = supervise();
  return {
    async stop() {
      stopped = true;
      await stopAll(working?.runners);
      await supervised;
    },
  };

  /** A runner gives up when it cannot tell the database how a job ended. The database comes back, and so do they. */
  async function supervise(): Promise<void> {
    while (!stopped) {
      await working?.over;
      await end(working);
      working = undefined;
      if (stopped) return;
      await sleep(RESTART_MS, undefined, { ref: false });
      if (!stopped) working = await start().catch(() => undefined); // the database is still away
    }
    await stopAll(working?.runners); // started while we were being stopped
    await end(working);
  }
}

type Working = { runners: Runner[]; presence: JobPresence; pgPool: pg.Pool; over: Promise<unknown> };

const queueOf = (task: Tasks[string]): Queue => (typeof task === 'function' ? 'background' : task.queue);

const stopAll = (runners: readonly Runner[] = []) =>
  Promise.all(runners.map((runner) => runner.stop().catch(() => undefined))); // it was stopping by itself already

async function end(working: Pick<Working, 'presence' | 'pgPool'> | undefined): Promise<void> {
  if (working) await Promise.all([working.presence.close(), endClient(working.pgPool)]);
}

function taskList(tasks: Tasks, log: Log): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload, { job }) => {
        const attempt = { number: job.attempts, isLast: job.attempts >= job.max_attempts };
        const run = typeof task === 'function' ? task : task.run;
        try {
          await run(payload, attempt);
        } catch (error) {
          const what = { err: error, task: name, attempt: attempt.number };
          if (attempt.isLast) log.error(what, 'a job failed for good');
          else log.warn(what, 'a job failed and will be tried again');
          // This text is stored and logged by graphile-worker: what the error says stays with our own log, cleaned.
          throw new Error(`see the log (${(error as Error).name})`);
        }
      },
    ]),
  );
}

/** Jobs that wait for the PSP need no connection meanwhile: more at once than connections is meant so. */
const MEANT_SO = /maxPoolSize \(\d+\) smaller than concurrency/;

function logLine(log: Log, level: string, message: string): void {
  const isBad = level === 'error' || (level === 'warning' && !MEANT_SO.test(message));
  if (isBad) log.warn(`jobs: ${message}`);
  else log.debug(`jobs: ${message}`);
}

/** Brings the tables of graphile-worker up to its release. */
export async function migrateJobs(client: pg.Client, url: string): Promise<void> {
  if (await isMigrated(client)) return;
  const { runMigrations, Logger } = await import('graphile-worker');
  // As our own migrations: who calls this tries again.
  const pgPool = new pg.Pool({ connectionString: url, Client: DatabaseClient, lock_timeout: 1_000 });
  pgPool.on('error', () => undefined).on('connect', (own) => own.on('error', () => undefined)); // told by the statement
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => undefined) });
    // To plan its statements anew for every job costs more than to do them.
    await client.query(
      'alter function graphile_worker.add_jobs(graphile_worker.job_spec[], boolean) set plan_cache_mode = force_generic_plan',
    );
    // Who looks for jobs of dead nodes, every few seconds, reads those that are held, however many wait.
    await pgPool.query(
      'create index if not exists jobs_held on graphile_worker._private_jobs (locked_by) where locked_by is not null',
    );
  } finally {
    await endClient(pgPool);
  }
}

/** The index is what is made last. */
async function isMigrated(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('graphile_worker.jobs_held') as found`);
  if (rows[0].found === null) return false;
  const { rows: applied } = await client.query('select max(id) as newest from graphile_worker.migrations');
  return applied[0].newest >= NEWEST_MIGRATION;
}
