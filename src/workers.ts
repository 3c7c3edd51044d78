import cluster, { type Worker } from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import type { FromWorker, ToWorker } from '#platform/nodes/worker-messages.ts';
import type { Log } from '#platform/observability/log.ts';
import { findFreePort, requireFreePorts } from '#platform/ports.ts';
import type { App } from './app.ts';
import type { Configuration } from './modules.ts';
import { LAST_REQUESTS_MS } from './stop-app.ts';

export type StartedApp = Awaited<ReturnType<App['start']>>;

/** A node, in this process or in several. */
export type RunningNode = {
  /** Returns when requests can be served. */
  open(): Promise<StartedApp>;
  /** Drains, then stops. */
  stop(): Promise<void>;
  /** Cuts the drain short. */
  hurry(): void;
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A worker that ran this long is replaced after the shortest pause. */
const WELL_MS = 60_000;
/** Timeout for metrics of the workers; a worker that is late is left out. */
const REPORT_MS = 1_000;
/** Added to the drain and the last requests before workers are killed. */
const GRACE_MS = 5_000;

/**
 * Serves from several worker processes that share their ports. Each worker is a node with its own change feed and jobs; shared
 * state is in the database, as between machines. This process restarts workers that end, and stops them.
 */
export function severalProcesses(parts: {
  configuration: Configuration;
  databaseUrl: string;
  log: Log;
}): RunningNode {
  const { configuration, databaseUrl, log } = parts;
  const { config } = configuration;
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'worker.ts'), args: [] });
  const workers = new Set<Worker>();
  const gatherings = new Map<number, (worker: Worker, report: unknown) => void>();
  let gathered = 0;
  let ports = { port: config.port, staffPort: config.staffPort };
  let stopping = false;
  const tellAll = (message: ToWorker) => {
    for (const worker of workers) tell(worker, message);
  };

  /** Starts a worker; returns when it serves. */
  const start = async (): Promise<StartedApp> => {
    const worker = cluster.fork({ NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' });
    workers.add(worker);
    const outcome = Promise.withResolvers<StartedApp>();
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'open') outcome.resolve(message.opened as StartedApp);
      if (message.kind === 'gather') gather(worker, message.question);
      if (message.kind === 'report') gatherings.get(message.question)?.(worker, message.report);
    });
    worker.on('error', () => undefined); // 'exit' follows
    worker.once('exit', () => {
      workers.delete(worker);
      outcome.reject(new WorkerEnded());
    });
    tell(worker, { kind: 'serve', databaseUrl, ...ports });
    const opened = await outcome.promise;
    const openedAtMs = performance.now();
    worker.once('exit', (code, signal) => {
      if (stopping) return;
      log.error(
        { pid: worker.process.pid, code, signal },
        'a process of this node ended; another one starts',
      );
      void replace(performance.now() - openedAtMs > WELL_MS ? FIRST_PAUSE_MS : FIRST_PAUSE_MS * 4);
    });
    return opened;
  };

  /** Starts another worker, with exponential backoff until one serves. */
  const replace = async (pauseMs: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    if (stopping) return;
    await start().catch(() => replace(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)));
  };

  const gather = (asker: Worker, question: number): void => {
    const own = ++gathered;
    const waiting = new Set(workers);
    const reports: unknown[] = [];
    const finish = () => {
      clearTimeout(timer);
      if (gatherings.delete(own)) tell(asker, { kind: 'reports', question, reports });
    };
    const timer = setTimeout(finish, REPORT_MS);
    gatherings.set(own, (worker, report) => {
      if (waiting.delete(worker)) reports.push(report);
      if (waiting.size === 0) finish();
    });
    tellAll({ kind: 'report', question: own });
  };

  const stop = async (): Promise<void> => {
    stopping = true;
    tellAll({ kind: 'stop' });
    const late = setTimeout(
      () => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      },
      config.drainMs + LAST_REQUESTS_MS + GRACE_MS,
    );
    while (workers.size > 0) await new Promise((resolve) => cluster.once('exit', resolve));
    clearTimeout(late);
  };

  return {
    async open() {
      await requireFreePorts([
        { setting: 'PORT', host: config.host, port: config.port },
        { setting: 'STAFF_PORT', host: config.staffHost, port: config.staffPort },
      ]);
      ports = {
        port: config.port || (await findFreePort(config.host)),
        staffPort: config.staffPort || (await findFreePort(config.staffHost)),
      };
      const [opened] = await Promise.all(Array.from({ length: config.processes }, start));
      return opened!;
    },
    stop,
    hurry: () => tellAll({ kind: 'stop' }),
  };
}

/** The worker has already logged the reason. */
export class WorkerEnded extends Error {}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined); // it ended meanwhile
}
