import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner, TaskList, WorkerEvents, WorkerPool } from 'graphile-worker';
import pg from 'pg';
import { DatabaseClient, endClient } from '../database/database-client.ts';
import { type Db, isLockTimeout, type Queryable, sql, type Tx } from '../database/db.ts';
import { insertJobs, type NewJob } from '../database/graphile-worker-tables.ts';
import type { ChangeFeed } from '../nodes/change-feed.ts';
import type { Log } from '../observability/log.ts';
import { JobPresence } from './job-presence.ts';

const CONNECT_TIMEOUT_MS = 4_000;
const QUERY_TIMEOUT_MS = 5_000;
/** Shorter than the second after which PostgreSQL looks for deadlocks, so that the timeout ends a deadlock first. */
const LOCK_TIMEOUT_MS = 100;

/**
 * Opens no connections that listen for notifications. Each runner of graphile-worker requests such a connection, to learn of new jobs and of
 * a new schema of the library. Here the change feed reports new jobs, and a release with another schema stops all nodes first.
 */
class JobPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: all overloads are passed on
  override connect(callback?: (...outcome: any[]) => void): any {
    // graphile-worker passes a callback (error, client, release) only to listen. It never repeats a request that gets no response.
    const isListener = callback?.length === 3;
    if (!isListener) return super.connect(callback as never);
  }
}

/**
 * graphile-worker's own pool would wait forever for a database that does not respond, and reuse a connection after a timeout. The connections
 * of this pool close after a timeout. A statement that completes jobs can deadlock with one that enqueues them, so after a short
 * `lock_timeout` it is sent again.
 */
export function openJobPool(options: { url: string; size: number; onStuck: () => void }): pg.Pool {
  const Client = class extends DatabaseClient {
    // biome-ignore lint/suspicious/noExplicitAny: all overloads are passed on
    override query(...args: any[]): any {
      // @ts-expect-error: the arguments fit one of the overloads
      const result: unknown = super.query(...args);
      if (!(result instanceof Promise)) return result;
      return result.catch((error: Error) => {
        if (isLockTimeout(error)) return this.query(...args);
        this.#endIfStuck(error);
        throw error;
      });
    }

    #endIfStuck({ message }: Error): void {
      if (message !== 'Query read timeout') return;
      this.end().catch(() => undefined); // closing a failed connection may fail, too
      options.onStuck();
    }
  };
  const pool = new JobPool({
    connectionString: options.url,
    max: options.size,
    application_name: 'semana jobs',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    Client,
  });
  // Without listeners, a lost connection would end the process. Its user gets the error from the statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * The number of jobs that a node runs concurrently in each queue. Queues do not wait for each other. `codes` has the messages for which a
 * person waits, such as login codes; `messages` has all other messages.
 */
const QUEUES = { codes: 4, messages: 16, settlement: 64, background: 4 } as const;
type Queue = keyof typeof QUEUES;
/** A queue with a higher concurrency than this fetches its jobs in batches. */
const MAX_UNBATCHED_CONCURRENCY = 8;
/** The time for which a queue with batches collects completed jobs, so that one statement completes many. */
const COMPLETION_BATCH_MS = 20;
/** The number of connections that all queues share to fetch and complete jobs. */
const MAX_POOL_SIZE = 5;
const RESTART_DELAY_MS = 1_000;
/** The time that a stuck runner has to stop before it is abandoned. */
const ABANDON_TIMEOUT_MS = 5_000;
const FAILED_JOB_RETENTION_DAYS = 30;
const UNSCHEDULED_RUN_ATTEMPTS = 3;

export type JobAttempt = {
  number: number;
  isLast: boolean;
};

/**
 * The payload of each task: ids as JSON, never personal data or secrets. A module declares its own beside its tasks: `declare
 * module '#platform/jobs/jobs.ts' { interface JobPayloads { send_code: { id: string } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules add to it.
export interface JobPayloads {}

export type TaskName = keyof JobPayloads;

/** The payload of a task that needs no input, because it queries for its work. */
export type NoPayload = Record<string, never>;

/** A job to run. A new job replaces a waiting job with the same `key`. */
export type Job<Name extends TaskName = TaskName> = {
  [N in Name]: { task: N; payload: JobPayloads[N]; key: string };
}[Name];

/** Work outside of a request. If it throws, it is retried with backoff. */
export type Task<Name extends TaskName> = (payload: JobPayloads[Name], attempt: JobAttempt) => Promise<void>;

/** Tasks by name. The default queue is `background`. */
export type Tasks = { [Name in TaskName]?: Task<Name> | { queue: Queue; run: Task<Name> } };

/** Untyped at run time, because names and payloads were checked when the job was enqueued. */
type AnyTask = (payload: never, attempt: JobAttempt) => Promise<void>;
type AnyTasks = Record<string, AnyTask | { queue: Queue; run: AnyTask }>;

export type Jobs = { stop(): Promise<void> };

/**
 * Runs a task on one of the nodes by the five fields of a crontab. With `atStart` it also runs when a node starts, and with
 * `afterClockMove` when the test clock is moved, each with this payload: for work that became due in the meantime.
 */
export type CronItem = {
  [Name in TaskName]: {
    task: Name;
    match: string;
    atStart?: JobPayloads[Name];
    afterClockMove?: JobPayloads[Name];
  };
}[TaskName];

/**
 * Enqueues a job, which exists if and only if the transaction commits. The job replaces a waiting job with the same key, and runs after a
 * running job with that key. The transaction sends the statement together with its later statements, and fails if the statement fails.
 */
export async function enqueue<Name extends TaskName>(
  tx: Tx,
  task: Name,
  payload: JobPayloads[Name],
  maxAttempts: number,
  { key = null, delayMs = 0 }: { key?: string | null; delayMs?: number } = {},
): Promise<void> {
  writeJobs(tx, [{ task, payload, maxAttempts, key, delayMs }]);
}

/** Enqueues the recurring tasks that declare a payload for this occasion. If that fails, their next scheduled runs do the work. */
export async function enqueueAheadOfSchedule(
  { db, log }: { db: Db; log: Log },
  cron: readonly CronItem[],
  occasion: 'atStart' | 'afterClockMove',
): Promise<void> {
  const jobs = cron.flatMap((cronItem) => {
    const { task, [occasion]: payload } = cronItem;
    return payload ? [{ task, payload, key: task } as Job] : [];
  });
  await db
    .transaction((tx) => enqueueAll(tx, jobs, UNSCHEDULED_RUN_ATTEMPTS))
    .catch((error: unknown) =>
      log.warn({ err: error }, 'could not enqueue recurring tasks; they will run on schedule'),
    );
}

/** The jobs of each open transaction by key. Adding one job costs almost as much as adding sixteen. */
const pendingJobs = new WeakMap<Tx, Map<string, NewJob>>();

/** Enqueues jobs, which are written together right before the commit. Of several jobs with the same `key` the last one is enqueued. */
export async function enqueueAll(tx: Tx, jobs: readonly Job[], maxAttempts: number): Promise<void> {
  if (jobs.length === 0) return;
  const jobsByKey = pendingJobs.get(tx) ?? new Map<string, NewJob>();
  for (const { task, payload, key } of jobs)
    jobsByKey.set(key, { task, payload, key, maxAttempts, delayMs: 0 });
  if (pendingJobs.has(tx)) return;
  pendingJobs.set(tx, jobsByKey);
  tx.beforeCommit(() => {
    // A later callback of `beforeCommit` may enqueue more jobs, which are then written by a callback of their own.
    pendingJobs.delete(tx);
    writeJobs(tx, [...jobsByKey.values()]);
  });
}

/** The topic of the change feed that reports new jobs by their task. */
const JOBS_TOPIC = 'jobs';

function writeJobs(tx: Tx, jobs: readonly NewJob[]): void {
  insertJobs(tx, jobs);
  for (const { task, delayMs } of jobs) if (delayMs === 0) tx.notifyAfterCommit(JOBS_TOPIC, task);
}

/** Whether a job of one of these tasks is due or running. */
export const isDueOrRunning = async (db: Queryable, ...tasks: TaskName[]) =>
  (await db.value<boolean>(sql`
    select exists (
      select from graphile_worker.jobs
      where task_identifier = any(${tasks}) and run_at <= now() and (attempts < max_attempts or locked_at is not null))`))!;

/**
 * Deletes jobs that failed permanently and were retained for diagnosis. graphile-worker's `complete_jobs` deletes jobs. Uses the clock of
 * the database, as jobs do.
 */
export async function purgeFailedJobs(db: Queryable): Promise<void> {
  await db.run(sql`
    select count(*) from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null
        and updated_at < now() - ${FAILED_JOB_RETENTION_DAYS}::int * interval '1 day'
      limit 1000))`);
}

/** Starts running jobs. Another node runs the jobs of a dead node ten seconds later, so a job can run twice, or partially and then completely. */
export async function startJobs(options: {
  databaseUrl: string;
  tasks: Tasks;
  cron?: readonly CronItem[];
  /** If false, recurring tasks run only if they are enqueued. */
  isScheduled?: boolean;
  /** The versions of the data keys of this node, which other processes can look up. */
  keyVersions?: readonly number[];
  /** Reports new jobs. Without it, and after a lost notification, they are found within two seconds. */
  changeFeed?: ChangeFeed;
  maxConnections?: number;
  log: Log;
}): Promise<Jobs> {
  const { databaseUrl, log, cron = [], isScheduled = true, keyVersions } = options;
  const { maxConnections = MAX_POOL_SIZE } = options;
  const unknownItem = cron.find(({ task }) => !(task in options.tasks));
  if (unknownItem) throw new Error(`The scheduled task ${unknownItem.task} does not exist.`);
  const graphileWorker = await import('graphile-worker');
  const queues = [...Map.groupBy(Object.entries(options.tasks as AnyTasks), ([, task]) => findQueue(task))];
  const pools = new Map<Queue, WorkerPool>();
  let isStopping = false;
  const wakeQueue = (queue: Queue) => {
    try {
      pools.get(queue)?.nudge(QUEUES[queue]);
    } catch (error) {
      // A worker that has failed refuses to be woken. Its runner ends, and the next one finds the job.
      log.debug({ err: error, queue }, 'a worker could not be woken');
    }
  };
  options.changeFeed?.listen({
    topic: JOBS_TOPIC,
    onChange: (names) => {
      const newTasks = names.split(' ');
      for (const [queue, queueTasks] of queues)
        if (queueTasks.some(([name]) => newTasks.includes(name))) wakeQueue(queue);
    },
    onMissedChanges: () => queues.forEach(([queue]) => void wakeQueue(queue)),
  });

  const startWorkers = async (): Promise<SupervisedWorkers> => {
    const presence = new JobPresence(databaseUrl, log, keyVersions);
    await presence.open();
    const abandoned = Promise.withResolvers<void>();
    const runners: Runner[] = [];
    // If a runner ends unexpectedly or a connection gets stuck, the other runners may be affected, too. So all runners are restarted. A
    // stuck runner may never end.
    const stopForRestart = () => {
      if (isStopping) return;
      void stopAll(runners);
      setTimeout(abandoned.resolve, ABANDON_TIMEOUT_MS).unref();
    };
    const pgPool = openJobPool({
      url: databaseUrl,
      size: Math.min(maxConnections, MAX_POOL_SIZE),
      onStuck: stopForRestart,
    });
    const workers = { runners, runningJobs: new Set<Promise<void>>(), presence, pgPool };
    try {
      for (const [queue, queueTasks] of queues)
        runners.push(await runQueue(queue, Object.fromEntries(queueTasks), workers));
    } catch (error) {
      await stopOrAbandon(workers);
      await closeConnections(workers);
      throw error;
    }
    // The runner has already logged why it ended.
    const runnerEnds = runners.map((runner) => runner.promise.catch(() => undefined).then(stopForRestart));
    const allEnded = Promise.race([Promise.all(runnerEnds), abandoned.promise]);
    return { ...workers, allEnded, abandon: abandoned.resolve };
  };

  const runQueue = (queue: Queue, tasks: AnyTasks, { presence, pgPool, runningJobs }: Workers) => {
    const events: WorkerEvents = new EventEmitter();
    // The id is set before the first job is fetched.
    events.on('pool:create', ({ workerPool }) => {
      workerPool.id = presence.id;
      pools.set(queue, workerPool);
    });
    // `wakeQueue` must not find a pool that is ending, because the library would throw.
    const forgetPool = ({ workerPool }: { workerPool: WorkerPool }) => {
      if (pools.get(queue) === workerPool) pools.delete(queue);
    };
    events.on('pool:gracefulShutdown', forgetPool);
    events.on('pool:forcefulShutdown', forgetPool);
    const concurrency = QUEUES[queue];
    return graphileWorker.run({
      events,
      pgPool,
      // With batches, the library handles a failure to complete a job. Without them, it is an unhandled rejection.
      preset: {
        worker: {
          completeJobBatchDelay: concurrency > MAX_UNBATCHED_CONCURRENCY ? COMPLETION_BATCH_MS : 0,
          failJobBatchDelay: 0,
          ...(concurrency > MAX_UNBATCHED_CONCURRENCY && { localQueue: { size: concurrency } }),
        },
      },
      concurrency,
      noHandleSignals: true,
      parsedCronItems: graphileWorker.parseCronItems(
        // Missed runs are not backfilled, because the next run finds the same work.
        cron
          .filter(({ task }) => isScheduled && task in tasks)
          .map(({ task, match }) => ({
            task,
            match,
            // A failed run does not block the next one.
            options: { backfillPeriod: 0, maxAttempts: 1, jobKey: `cron ${task}` },
          })),
      ),
      taskList: toTaskList(tasks, runningJobs, log),
      logger: new graphileWorker.Logger(() => (level, message) => forwardLogLine(log, level, message)),
    });
  };

  let workers: SupervisedWorkers | undefined = await startWorkers();
  const supervision = supervise();
  return {
    async stop() {
      isStopping = true;
      await stopOrAbandon(workers);
      await supervision;
    },
  };

  /** Restarts the runners after they ended, as soon as the database is available. A runner ends if it cannot record the outcome of a job. */
  async function supervise(): Promise<void> {
    while (!isStopping) {
      await workers?.allEnded;
      await closeConnections(workers);
      workers = undefined;
      if (isStopping) return;
      await sleep(RESTART_DELAY_MS, undefined, { ref: false });
      if (!isStopping) workers = await startWorkers().catch(() => undefined); // tries again after the delay
    }
    await stopOrAbandon(workers); // the runners may have been started while stop() was called
    await closeConnections(workers);
  }
}

/** The runners of all queues, and what they share. */
type Workers = {
  runners: Runner[];
  runningJobs: Set<Promise<void>>;
  presence: JobPresence;
  pgPool: pg.Pool;
};
/** `allEnded` resolves when all runners have ended or are abandoned. */
type SupervisedWorkers = Workers & { allEnded: Promise<unknown>; abandon(): void };

const findQueue = (task: AnyTasks[string]): Queue => (typeof task === 'function' ? 'background' : task.queue);

const stopAll = (runners: readonly Runner[]) =>
  Promise.all(runners.map((runner) => runner.stop().catch(() => undefined))); // it was already stopping

/** Waits for running jobs without a time limit. A runner that is stuck after its last job is abandoned; another node runs this job again. */
async function stopOrAbandon(workers: (Workers & { abandon?(): void }) | undefined): Promise<void> {
  if (!workers) return;
  const allStopped = stopAll(workers.runners);
  do {
    await Promise.allSettled(workers.runningJobs);
    await Promise.race([allStopped, sleep(ABANDON_TIMEOUT_MS, undefined, { ref: false })]);
  } while (workers.runningJobs.size > 0);
  workers.abandon?.();
}

async function closeConnections(workers: Pick<Workers, 'presence' | 'pgPool'> | undefined): Promise<void> {
  if (workers) await Promise.all([workers.presence.close(), endClient(workers.pgPool)]);
}

function toTaskList(tasks: AnyTasks, runningJobs: Workers['runningJobs'], log: Log): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload, { job }) => {
        const attempt = { number: job.attempts, isLast: job.attempts >= job.max_attempts };
        const execution = runLogged(name, task, { payload: payload as never, attempt, log });
        runningJobs.add(execution);
        return execution.finally(() => runningJobs.delete(execution));
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
    const details = { err: error, task: name, attempt: attempt.number };
    if (attempt.isLast) log.error(details, 'a job failed permanently');
    else log.warn(details, 'a job failed and will be retried');
    // graphile-worker stores and logs this text. The error itself goes only to our own log, which removes personal data.
    throw new Error(`see the log (${(error as Error).name})`);
  }
}

/** An expected warning: jobs that wait for the PSP need no connection, so there are more jobs than connections. */
const EXPECTED_WARNING = /maxPoolSize \(\d+\) smaller than concurrency/;

function forwardLogLine(log: Log, level: string, message: string): void {
  const isProblem = level === 'error' || (level === 'warning' && !EXPECTED_WARNING.test(message));
  if (isProblem) log.warn(`jobs: ${message}`);
  else log.debug(`jobs: ${message}`);
}
