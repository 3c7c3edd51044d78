import cluster, { type Worker } from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import type { MessageFromWorker, MessageToWorker } from '#platform/nodes/gather-metrics.ts';
import type { Log } from '#platform/observability/log.ts';
import { findFreePort, requireFreePorts } from '#platform/ports.ts';
import { type App, LAST_REQUESTS_TIMEOUT_MS } from './app.ts';
import type { Configuration } from './modules.ts';

export type StartedApp = Awaited<ReturnType<App['start']>>;

export type ServiceNode = {
  open(): Promise<StartedApp>;
  stop(): Promise<void>;
  /** Ends the drain of a `stop` in progress immediately. */
  cutDrainShort(): void;
};

const MIN_RESTART_PAUSE_MS = 500;
/** The pause after a worker that ended soon after its start. */
const UNSTABLE_RESTART_PAUSE_MS = 2_000;
const MAX_RESTART_PAUSE_MS = 30_000;
/** A worker that ran this long is replaced after the minimum pause. */
const STABLE_AFTER_MS = 60_000;
/** Time limit for the metrics of the workers. A worker that exceeds it is left out. */
const METRICS_TIMEOUT_MS = 1_000;
/** Additional time after the drain and the last requests before workers are killed. */
const KILL_GRACE_MS = 5_000;

/** Each worker has its own API servers, change feed and jobs. This process stops the workers, and replaces those that end. */
export function createClusterNode(deps: {
  configuration: Configuration;
  databaseUrl: string;
  log: Log;
}): ServiceNode {
  const { configuration, databaseUrl, log } = deps;
  const { config } = configuration;
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'worker.ts'), args: [] });
  const workers = new Set<Worker>();
  const reportReceivers = new Map<number, (worker: Worker, report: unknown) => void>();
  let gatherCount = 0;
  /** `open` replaces a configured port 0 by a free port. */
  let ports = { port: config.port, staffPort: config.staffPort };
  let isStopping = false;
  const sendToAll = (message: MessageToWorker) => {
    for (const worker of workers) sendToWorker(worker, message);
  };

  /** Starts a worker and returns when it serves requests. */
  const startWorker = async (): Promise<StartedApp> => {
    const worker = cluster.fork({ NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' });
    workers.add(worker);
    const startResult = Promise.withResolvers<StartedApp>();
    worker.on('message', (message: MessageFromWorker) => {
      if (message.kind === 'started') startResult.resolve(message.startedApp as StartedApp);
      if (message.kind === 'request_all_reports') gatherReports(worker, message.requestId);
      if (message.kind === 'report') reportReceivers.get(message.requestId)?.(worker, message.report);
    });
    worker.on('error', () => undefined); // 'exit' follows
    worker.once('exit', () => {
      workers.delete(worker);
      startResult.reject(new WorkerEndedError());
    });
    sendToWorker(worker, { kind: 'serve', databaseUrl, ...ports });
    const startedApp = await startResult.promise;
    const startedAtMs = performance.now();
    worker.once('exit', (code, signal) => {
      if (isStopping) return;
      log.error(
        { pid: worker.process.pid, code, signal },
        'a process of this node ended and is being replaced',
      );
      void replaceWorker(
        performance.now() - startedAtMs > STABLE_AFTER_MS ? MIN_RESTART_PAUSE_MS : UNSTABLE_RESTART_PAUSE_MS,
      );
    });
    return startedApp;
  };

  /** Starts another worker, with exponential backoff until one serves requests. */
  const replaceWorker = async (pauseMs: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    if (isStopping) return;
    await startWorker().catch(() => replaceWorker(Math.min(pauseMs * 2, MAX_RESTART_PAUSE_MS)));
  };

  /** Sends the metrics reports of all workers to the one that requests them. */
  const gatherReports = (requester: Worker, requestId: number): void => {
    const gatherId = ++gatherCount;
    const unreportedWorkers = new Set(workers);
    const reports: unknown[] = [];
    const finish = () => {
      clearTimeout(timer);
      if (reportReceivers.delete(gatherId)) sendToWorker(requester, { kind: 'reports', requestId, reports });
    };
    const timer = setTimeout(finish, METRICS_TIMEOUT_MS);
    reportReceivers.set(gatherId, (worker, report) => {
      if (unreportedWorkers.delete(worker)) reports.push(report);
      if (unreportedWorkers.size === 0) finish();
    });
    // The reports that the workers send back have this id.
    sendToAll({ kind: 'request_report', requestId: gatherId });
  };

  const stop = async (): Promise<void> => {
    isStopping = true;
    sendToAll({ kind: 'stop' });
    const killTimer = setTimeout(
      () => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      },
      config.drainMs + LAST_REQUESTS_TIMEOUT_MS + KILL_GRACE_MS,
    );
    while (workers.size > 0) await new Promise((resolve) => cluster.once('exit', resolve));
    clearTimeout(killTimer);
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
      const [startedApp] = await Promise.all(Array.from({ length: config.processes }, startWorker));
      return startedApp!;
    },
    stop,
    cutDrainShort: () => sendToAll({ kind: 'stop' }), // a second 'stop' ends the drain
  };
}

/** Needs no message, because the worker has already logged the reason. */
export class WorkerEndedError extends Error {}

function sendToWorker(worker: Worker, message: MessageToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined); // fails only if the worker has ended since
}
