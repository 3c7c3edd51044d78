import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { type Db, type Queryable, sql, type Tx } from '../database/db.ts';
import { endClient } from '../database/end-client.ts';
import type { Log } from '../observability/log.ts';
import { openJobPool } from './job-pool.ts';
import { JobPresence } from './job-presence.ts';

/**
 * How many jobs of each queue a node runs at once. Queues do not wait for each other: a person may be waiting for a message, or
 * for a payment to settle. Settlements mostly wait for the PSP, and share transactions.
 */
const QUEUES = { codes: 4, messages: 16, settlement: 64, background: 4 } as const;
type Queue = keyof typeof QUEUES;
/** A queue with a higher concurrency than this takes its jobs in batches. */
const ONE_BY_ONE = 8;
/** How long such a queue collects completed jobs: one statement completes many. */
const GATHER_DONE_MS = 20;
/** Connections shared by all queues to take and complete jobs, beside the listening connection of each. */
const SHARED = 5;
const RESTART_MS = 1_000;
/** A stuck runner is abandoned after this. */
const ABANDON_MS = 5_000;
const DEAD_KEPT_DAYS = 30;
const SOON_ATTEMPTS = 3;

export type JobAttempt = {
  /** From 1. */
  number: number;
  /** The last attempt of the retry budget. */
  isLast: boolean;
};

/**
 * The payload of each task: ids as JSON, never personal data or secrets. A module declares its own beside its tasks: `declare
 * module '#platform/jobs/jobs.ts' { interface JobPayloads { send_code: { id: string } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules add to it.
export interface JobPayloads {}

export type TaskName = keyof JobPayloads;

/** For a task that finds its work by itself. */
export type NoPayload = Record<string, never>;

/** A job to run. Waiting jobs are deduplicated by `key`: the newer one replaces the older. */
export type Job<Name extends TaskName = TaskName> = {
  [N in Name]: { task: N; payload: JobPayloads[N]; key: string };
}[Name];

/** Work outside of a request. If it throws, it is retried with backoff. */
export type Task<Name extends TaskName> = (payload: JobPayloads[Name], attempt: JobAttempt) => Promise<void>;

/** By name. The default queue is `background`. */
export type Tasks = { [Name in TaskName]?: Task<Name> | { queue: Queue; run: Task<Name> } };

/** Untyped at run time: names and payloads were checked when enqueued. */
type AnyTask = (payload: never, attempt: JobAttempt) => Promise<void>;
type AnyTasks = Record<string, AnyTask | { queue: Queue; run: AnyTask }>;

export type Jobs = { stop(): Promise<void> };

/** Runs every minute, or by the five fields of a crontab, on one node of all. */
export type CronItem = { task: TaskName; match: string };

/**
 * The job exists if and only if the transaction commits. It replaces a waiting job with the same key. If such a job is running,
 * it runs once more after that.
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

/** Enqueues a job for any node, now. If that fails, the next run by its cron does its work: `otherwise` says so in the log. */
export async function enqueueSoon<Name extends TaskName>(
  { db, log }: { db: Db; log: Log },
  task: Name,
  payload: JobPayloads[Name],
  otherwise: string,
): Promise<void> {
  await db
    .transaction((tx) => enqueue(tx, task, payload, SOON_ATTEMPTS, { key: task }))
    .catch((error: unknown) => log.warn({ err: error }, otherwise));
}

/** The same for many jobs, in one statement. Of several with the same `key` the last one counts. */
export async function enqueueAll(tx: Tx, jobs: readonly Job[], maxAttempts: number): Promise<void> {
  const wanted = [...new Map(jobs.map((job) => [job.key, job])).values()];
  if (wanted.length === 0) return;
  // In the order of their keys, which prevents deadlocks between transactions that enqueue the same jobs.
  tx.write(sql`
    select count(*) from graphile_worker.add_jobs((
      select array_agg((task, payload::json, null, now(), ${maxAttempts}::smallint, key, null, null)
                       ::graphile_worker.job_spec order by key)
      from unnest(${wanted.map(({ task }) => task)}::text[],
                  ${wanted.map(({ payload }) => JSON.stringify(payload))}::text[],
                  ${wanted.map(({ key }) => key)}::text[]) as wanted (task, payload, key)))`);
}

/** Whether such a job is due or running. */
export async function isUnderWay(db: Queryable, task: TaskName): Promise<boolean> {
  const row = await db.row<{ exists: boolean }>(sql`
    select exists (
      select from graphile_worker.jobs
      where task_identifier = ${task} and run_at <= now() and (attempts < max_attempts or locked_at is not null))`);
  return row!.exists;
}

/** Jobs that failed permanently are kept for some time, for diagnosis. By the database's clock, which jobs use. */
export async function purgeDeadJobs(db: Queryable): Promise<void> {
  await db.run(sql`
    select count(*) from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null
        and updated_at < now() - ${DEAD_KEPT_DAYS}::int * interval '1 day'
      limit 1000))`);
}

/**
 * Runs jobs on this node until stopped; `stop` lets running ones end. Jobs of a node that died are run by another node, or by the
 * same one after a restart, some ten seconds later. So a job can run twice, or once in part and once whole.
 */
export async function startJobs(parts: {
  databaseUrl: string;
  tasks: Tasks;
  cron?: readonly CronItem[];
  /** If false, recurring tasks run only when they are enqueued. */
  isScheduled?: boolean;
  log: Log;
}): Promise<Jobs> {
  const { databaseUrl, log, cron = [], isScheduled = true } = parts;
  const strange = cron.find(({ task }) => !(task in parts.tasks));
  if (strange) throw new Error(`There is no task ${strange.task} to run by the clock.`);
  const worker = await import('graphile-worker');
  const queues = [...Map.groupBy(Object.entries(parts.tasks as AnyTasks), ([, task]) => queueOf(task))];
  let stopped = false;

  const start = async (): Promise<Working> => {
    const presence = new JobPresence(databaseUrl, log);
    await presence.open();
    const abandoned = Promise.withResolvers<void>();
    const runners: Runner[] = [];
    // When one runner ends by itself, or a connection gets stuck, the others may be affected, too, and those that listen would
    // not notice. So all are restarted. A stuck one may never end.
    const restart = () => {
      if (stopped) return;
      void stopAll(runners);
      setTimeout(abandoned.resolve, ABANDON_MS).unref();
    };
    const pgPool = openJobPool({ url: databaseUrl, size: queues.length + SHARED, onStuck: restart });
    const working = { runners, running: new Set<Promise<void>>(), presence, pgPool };
    try {
      for (const [queue, own] of queues) runners.push(await run(queue, Object.fromEntries(own), working));
    } catch (error) {
      await stopOrAbandon(working);
      await end(working);
      throw error;
    }
    // The runner has logged why it ended.
    const ended = runners.map((runner) => runner.promise.catch(() => undefined).then(restart));
    const over = Promise.race([Promise.all(ended), abandoned.promise]);
    return { ...working, over, abandon: abandoned.resolve };
  };

  const run = (queue: Queue, tasks: AnyTasks, { presence, pgPool, running }: Started) => {
    const events: WorkerEvents = new EventEmitter();
    // Before the first job is taken.
    events.on('pool:create', ({ workerPool }) => {
      workerPool.id = presence.id;
    });
    const atOnce = QUEUES[queue];
    return worker.run({
      events,
      pgPool,
      // In batches, whose failures it catches: unbatched, a failure is an unhandled rejection.
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
        // Missed runs are not made up for: the next run finds the same work.
        cron
          .filter(({ task }) => isScheduled && task in tasks)
          .map(({ task, match }) => ({
            task,
            match,
            // A failed one makes room for the next.
            options: { backfillPeriod: 0, maxAttempts: 1, jobKey: `cron ${task}` },
          })),
      ),
      taskList: taskList(tasks, running, log),
      logger: new worker.Logger(() => (level, message) => logLine(log, level, message)),
    });
  };

  let working: Working | undefined = await start();
  const supervised = supervise();
  return {
    async stop() {
      stopped = true;
      await stopOrAbandon(working);
      await supervised;
    },
  };

  /** A runner gives up when it cannot record how a job ended. It is restarted when the database is back. */
  async function supervise(): Promise<void> {
    while (!stopped) {
      await working?.over;
      await end(working);
      working = undefined;
      if (stopped) return;
      await sleep(RESTART_MS, undefined, { ref: false });
      if (!stopped) working = await start().catch(() => undefined); // the database is still away
    }
    await stopOrAbandon(working); // started while we were being stopped
    await end(working);
  }
}

type Started = { runners: Runner[]; running: Set<Promise<void>>; presence: JobPresence; pgPool: pg.Pool };
type Working = Started & { over: Promise<unknown>; abandon(): void };

const queueOf = (task: AnyTasks[string]): Queue => (typeof task === 'function' ? 'background' : task.queue);

const stopAll = (runners: readonly Runner[]) =>
  Promise.all(runners.map((runner) => runner.stop().catch(() => undefined))); // it was stopping already

/**
 * Running jobs may take as long as they need. After the last one, a runner may be stuck or retry for hours to record how it
 * ended, because its connection is dead. Such a runner is abandoned, and the job is run again elsewhere.
 */
async function stopOrAbandon(working: (Started & { abandon?(): void }) | undefined): Promise<void> {
  if (!working) return;
  const stopped = stopAll(working.runners);
  do {
    await Promise.allSettled(working.running);
    await Promise.race([stopped, sleep(ABANDON_MS, undefined, { ref: false })]);
  } while (working.running.size > 0);
  working.abandon?.();
}

async function end(working: Pick<Started, 'presence' | 'pgPool'> | undefined): Promise<void> {
  if (working) await Promise.all([working.presence.close(), endClient(working.pgPool)]);
}

/** A job is in `running` while it runs. */
function taskList(tasks: AnyTasks, running: Started['running'], log: Log): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload, { job }) => {
        const attempt = { number: job.attempts, isLast: job.attempts >= job.max_attempts };
        const run = runLogged(name, task, { payload: payload as never, attempt, log });
        running.add(run);
        return run.finally(() => running.delete(run));
      },
    ]),
  );
}

async function runLogged(
  name: string,
  task: AnyTasks[string],
  { payload, attempt, log }: { payload: never; attempt: JobAttempt; log: Log },
): Promise<void> {
  try {
    await (typeof task === 'function' ? task : task.run)(payload, attempt);
  } catch (error) {
    const what = { err: error, task: name, attempt: attempt.number };
    if (attempt.isLast) log.error(what, 'a job failed for good');
    else log.warn(what, 'a job failed and will be tried again');
    // This text is stored and logged by graphile-worker: what the error says stays with our own log, cleaned.
    throw new Error(`see the log (${(error as Error).name})`);
  }
}

/** Jobs that wait for the PSP need no connection meanwhile: more jobs than connections is intended. */
const MEANT_SO = /maxPoolSize \(\d+\) smaller than concurrency/;

function logLine(log: Log, level: string, message: string): void {
  const isBad = level === 'error' || (level === 'warning' && !MEANT_SO.test(message));
  if (isBad) log.warn(`jobs: ${message}`);
  else log.debug(`jobs: ${message}`);
}
