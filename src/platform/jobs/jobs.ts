import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { type Queryable, sql, type Tx } from '../database/db.ts';
import { endClient } from '../database/end-client.ts';
import type { Log } from '../observability/log.ts';
import { openJobPool } from './job-pool.ts';
import { JobPresence } from './job-presence.ts';

/**
 * Jobs of one queue never wait for those of another: somebody is waiting for a message, or for a payment to count. How many
 * of each a node does at once. Settlements wait for the PSP most of their time, and share transactions.
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

/**
 * What a job carries, by the name of its task: ids, never personal data or secrets, as JSON has them. A module declares its own beside
 * its tasks: `declare module '#platform/jobs/jobs.ts' { interface JobPayloads { send_code: { id: string } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules add to it.
export interface JobPayloads {}

export type TaskName = keyof JobPayloads;

/** Of a task that finds by itself what there is to do. */
export type NoPayload = Record<string, never>;

/** One to be done. Of those with the same `key` that wait, there is one. */
export type Job<Name extends TaskName = TaskName> = {
  [N in Name]: { task: N; payload: JobPayloads[N]; key: string };
}[Name];

/** Work done outside of a request. What it throws makes it be tried again, later and later. */
export type Task<Name extends TaskName> = (payload: JobPayloads[Name], attempt: JobAttempt) => Promise<void>;

/** By name. What names no queue is done in the background. */
export type Tasks = { [Name in TaskName]?: Task<Name> | { queue: Queue; run: Task<Name> } };

/** Names and payloads are text by the time a job is taken: what was enqueued was checked. */
type AnyTask = (payload: never, attempt: JobAttempt) => Promise<void>;
type AnyTasks = Record<string, AnyTask | { queue: Queue; run: AnyTask }>;

export type Jobs = { stop(): Promise<void> };

/** Done every minute, or as often as the five fields of a crontab say; by one node, whichever it is. */
export type CronItem = { task: TaskName; match: string };

/**
 * The job is there if and only if the transaction commits. Jobs that wait are deduplicated by key; one that is being done
 * already does not count.
 */
export async function enqueue<Name extends TaskName>(
  tx: Tx,
  task: Name,
  payload: JobPayloads[Name],
  maxAttempts: number,
  { key = null, delayMs = 0 }: { key?: string | null; delayMs?: number } = {},
): Promise<void> {
  tx.write(sql`
    select 1 from graphile_worker.add_job(${task}, payload => ${JSON.stringify(payload)}::json,
                                          max_attempts => ${maxAttempts}::int, job_key => ${key}::text,
                                          run_at => now() + ${delayMs}::float8 * interval '1 millisecond')`);
}

/** The same for many jobs, in one statement. Of those with the same `key` the last counts. */
export async function enqueueAll(tx: Tx, jobs: readonly Job[], maxAttempts: number): Promise<void> {
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
export async function isUnderWay(db: Queryable, task: TaskName): Promise<boolean> {
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
  const queues = [...Map.groupBy(Object.entries(parts.tasks as AnyTasks), ([, task]) => queueOf(task))];
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

  const run = (queue: Queue, tasks: AnyTasks, { presence, pgPool }: Pick<Working, 'presence' | 'pgPool'>) => {
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

const queueOf = (task: AnyTasks[string]): Queue => (typeof task === 'function' ? 'background' : task.queue);

const stopAll = (runners: readonly Runner[] = []) =>
  Promise.all(runners.map((runner) => runner.stop().catch(() => undefined))); // it was stopping by itself already

async function end(working: Pick<Working, 'presence' | 'pgPool'> | undefined): Promise<void> {
  if (working) await Promise.all([working.presence.close(), endClient(working.pgPool)]);
}

function taskList(tasks: AnyTasks, log: Log): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload, { job }) => {
        const attempt = { number: job.attempts, isLast: job.attempts >= job.max_attempts };
        const run = typeof task === 'function' ? task : task.run;
        try {
          await run(payload as never, attempt);
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
