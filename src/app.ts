import { MINUTE_MS } from '#core/values/duration.ts';
import type { Deps, InjectRequest, ModuleRuntime } from '#module';
import type { Clock } from '#platform/clock.ts';
import { listSettings } from '#platform/config.ts';
import { type Db, openDb } from '#platform/database/db.ts';
import { recordKeyChecks } from '#platform/database/installation.ts';
import { purgeStoredResponses } from '#platform/http/idempotency.ts';
import { createSearchResolver } from '#platform/http/search.ts';
import { enqueueAheadOfSchedule, type Jobs, purgeFailedJobs, startJobs } from '#platform/jobs/jobs.ts';
import { ChangeFeed } from '#platform/nodes/change-feed.ts';
import { DatabaseHealth } from '#platform/nodes/database-health.ts';
import type { Log } from '#platform/observability/log.ts';
import { createMetrics } from '#platform/observability/metrics.ts';
import { requireFreePorts } from '#platform/ports.ts';
import type { Service } from '#platform/service.ts';
import { Vault } from '#platform/vault.ts';
import { createApiServers, listen } from './api-servers.ts';
import {
  type Configuration,
  createModuleEvents,
  listModules,
  listPersonalData,
  serviceBindings,
} from './modules.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

const HOUSEKEEPING_INTERVAL_MS = 10 * MINUTE_MS;

/** Composes the modules into a node: both API servers, jobs, housekeeping. */
export async function createApp(options: {
  configuration: Configuration;
  databaseUrl: string;
  clock: Clock;
  log: Log;
  /** If false, recurring tasks run only when they are enqueued. Their schedule follows the machine's clock, not `clock`. */
  isScheduled?: boolean;
  /** How long requests wait for the database. By default, five seconds. */
  databaseTimeoutMs?: number;
}) {
  const { configuration, databaseUrl, log, isScheduled = true, databaseTimeoutMs } = options;
  const { config, readSettings } = configuration;
  const modules = listModules(config.mode);
  let publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const sharedDeps = { log, metrics: createMetrics(), publicUrl: () => publicUrl };
  const databaseHealth = new DatabaseHealth(sharedDeps);
  const vault = new Vault(config.secrets);
  const db = openDb({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: 'semana',
    vault,
    onIdleError: (error) => log.warn({ err: error }, 'idle database connection lost'),
    onUnavailable: databaseHealth.recordFailure,
    ...(databaseTimeoutMs !== undefined && { timeoutMs: databaseTimeoutMs }),
  });
  const changeFeed = new ChangeFeed(databaseUrl, log, {
    onLost: db.closeIdleConnections,
    timeoutMs: databaseTimeoutMs,
  });
  const clock = modules.reduce(
    (realClock, module) => module.replaceClock?.({ realClock, db, changeFeed, log }) ?? realClock,
    options.clock,
  );

  const runtimes: ModuleRuntime[] = [];
  const listSearchers = () => runtimes.flatMap(({ search }) => search ?? []);
  const services = new Map(serviceBindings);
  const deps: Omit<Deps, 'settings'> = {
    ...sharedDeps,
    config,
    db,
    databaseUrl,
    changeFeed,
    clock,
    vault,
    events: createModuleEvents(configuration),
    personalData: listPersonalData(config.mode),
    hasSessionEnded: async (sessionId) =>
      (await runtimes.find((runtime) => runtime.hasSessionEnded)?.hasSessionEnded?.(sessionId)) ?? false,
    listSearchers,
    resolveSearch: createSearchResolver(listSearchers),
    pendingWork: () => Object.assign({}, ...runtimes.map(({ pendingWork }) => pendingWork)),
    listEffectiveSettings: () => configuration.listEffectiveSettings(listSettings(modules)),
    provideService: (name, value) => void services.set(name, value),
    findService: <T>(name: Service<T>) => services.get(name) as T | undefined,
  };
  for (const module of modules) {
    // Settings are read on first use, because a module that runs in a process of its own need not be configured here.
    const moduleDeps: Deps = {
      ...deps,
      get settings() {
        return readSettings(module);
      },
    };
    const runtime = module.open?.(moduleDeps);
    if (runtime) runtimes.push(runtime);
  }

  const cron = runtimes.flatMap(({ cron = [] }) => cron);
  clock.onManualMove?.(() => void enqueueAheadOfSchedule({ db, log }, cron, 'afterClockMove'));
  const { partnerApi, staffApi, drain } = await createApiServers(modules, runtimes, {
    ...deps,
    databaseHealth,
  });
  const housekeep = createHousekeeping(db, clock, log, runtimes);
  // Every node deletes expired rows, with jitter, because it does not matter when or on which node they are deleted.
  const jitter = 0.9 + Math.random() * 0.2;
  const housekeepingTimer = setInterval(() => void housekeep(), HOUSEKEEPING_INTERVAL_MS * jitter).unref();
  let jobs: Jobs | undefined;
  return {
    partnerApi,
    staffApi,
    /** The drain must run before `stop`, so that load balancers send no request to a closed port. */
    drain,
    housekeep,
    waitForEarlierCommits: () => changeFeed.waitForEarlierCommits(),
    /** Resolves when requests can be served. */
    async start() {
      await recordKeyChecks(db, vault);
      await requireFreePorts([
        { setting: 'PORT', host: config.host, port: config.port },
        { setting: 'STAFF_PORT', host: config.staffHost, port: config.staffPort },
        ...runtimes.flatMap(({ ports }) => ports ?? []),
      ]);
      const partnerUrl = await listen(partnerApi, config.host, config.port);
      if (!config.publicUrl) publicUrl = partnerUrl;
      const staffUrl = await listen(staffApi, config.staffHost, config.staffPort);
      await changeFeed.start();
      const injectStaff: InjectRequest = (options) => staffApi.fastify.inject(options);
      // If one start fails, the others must have ended before the caller stops the node.
      const startOutcomes = await Promise.allSettled(
        runtimes.map(async (runtime) => runtime.start?.({ partnerUrl, staffUrl, injectStaff })),
      );
      const failedStart = startOutcomes.find((outcome) => outcome.status === 'rejected');
      if (failedStart) throw failedStart.reason;
      const tasks = Object.assign({}, ...runtimes.map((runtime) => runtime.tasks));
      jobs = await startJobs({
        databaseUrl,
        changeFeed,
        log,
        tasks,
        cron,
        isScheduled,
        keyVersions: vault.versions,
        maxConnections: Math.ceil(config.databasePoolSize / 2),
      });
      if (isScheduled) await enqueueAheadOfSchedule({ db, log }, cron, 'atStart');
      const bannerTop = runtimes.flatMap((runtime) => runtime.bannerTop?.() ?? []);
      const bannerRows = runtimes.flatMap((runtime) => runtime.bannerRows?.({ partnerUrl, staffUrl }) ?? []);
      return { partnerUrl, staffUrl, bannerTop, bannerRows };
    },
    async stop() {
      clearInterval(housekeepingTimer);
      for (const runtime of runtimes) runtime.drain?.();
      await Promise.all([partnerApi.fastify.close(), staffApi.fastify.close()]);
      await jobs?.stop();
      for (const runtime of runtimes.toReversed()) await runtime.stop?.();
      await changeFeed.stop();
      await db.close();
    },
  };
}

/** Deletes expired rows of the platform and of all modules. A failed task does not prevent the others. */
function createHousekeeping(db: Db, clock: Clock, log: Log, runtimes: readonly ModuleRuntime[]) {
  const tasks = [
    (now: Date) => purgeStoredResponses(db, now),
    () => purgeFailedJobs(db),
    ...runtimes.flatMap(({ housekeeping = [] }) => housekeeping),
  ];
  return async (): Promise<void> => {
    for (const task of tasks)
      await task(clock.now()).catch((error: unknown) =>
        log.warn({ err: error }, 'housekeeping failed and will be retried'),
      );
  };
}

/** A request that still runs this long after the servers closed is aborted. */
export const LAST_REQUESTS_TIMEOUT_MS = 20_000;

/** Drains for `drainMs`, so that load balancers send no more requests, then waits for running requests. */
export async function stopApp(app: App | undefined, drainMs: number): Promise<void> {
  await app?.drain.run(drainMs);
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, LAST_REQUESTS_TIMEOUT_MS).unref());
  if (app) await Promise.race([app.stop(), timeout]);
}
