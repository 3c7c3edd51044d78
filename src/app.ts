import type { Deps, ModulePart } from '#module';
import type { Clock } from '#platform/clock.ts';
import { listSettings } from '#platform/config.ts';
import { openDb } from '#platform/database/db.ts';
import type { Door } from '#platform/http/door.ts';
import { purgeOldAnswers } from '#platform/http/idempotency.ts';
import { resolveSearch } from '#platform/http/search.ts';
import { startHousekeeping } from '#platform/jobs/housekeeping.ts';
import { type Jobs, purgeDeadJobs, startJobs } from '#platform/jobs/jobs.ts';
import { ChangeFeed } from '#platform/nodes/change-feed.ts';
import { DatabaseHealth } from '#platform/nodes/database-health.ts';
import type { Drain } from '#platform/nodes/drain.ts';
import type { Log } from '#platform/observability/log.ts';
import { openMetrics } from '#platform/observability/metrics.ts';
import { requireFreePorts } from '#platform/ports.ts';
import { recordKeys } from '#platform/privacy/key-checks.ts';
import type { Service } from '#platform/service.ts';
import { Vault } from '#platform/vault.ts';
import { listen, openDoors } from './doors.ts';
import { type Configuration, eventsOf, modulesIn, personalDataIn, provided } from './modules.ts';

export type App = {
  front: Door;
  staff: Door;
  /** Run before `stop`, so that load balancers send no request to a closed port. */
  drain: Drain;
  /** Opens both doors; returns when requests can be served. */
  start(): Promise<{ frontUrl: string; staffUrl: string; cardTop: string[][]; card: string[][] }>;
  /** Deletes expired rows; also runs on a timer. */
  housekeep(): Promise<void>;
  /** When it returns, this node's caches know all earlier commits. */
  whenHeard(): Promise<void>;
  /** Lets running requests end, then closes everything it opened. */
  stop(): Promise<void>;
};

/** Composes the modules into a node: both doors, jobs, housekeeping. */
export async function createApp(given: {
  configuration: Configuration;
  databaseUrl: string;
  clock: Clock;
  log: Log;
  /** If false, recurring tasks run only when they are enqueued: for a clock that is not the machine's. */
  isScheduled?: boolean;
}): Promise<App> {
  const { configuration, databaseUrl, log, isScheduled = true } = given;
  const { config, settingsOf } = configuration;
  const modules = modulesIn(config.mode);
  let publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const shared = { log, metrics: openMetrics(), publicUrl: () => publicUrl };
  const databaseHealth = new DatabaseHealth(shared);
  const vault = new Vault(config.secrets);
  const db = openDb({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    label: 'semana',
    vault,
    onIdleError: (error) => log.warn({ err: error }, 'idle database connection lost'),
    onAway: databaseHealth.note,
  });
  const changeFeed = new ChangeFeed(databaseUrl, log, db.dropIdle);
  const clock = modules.reduce(
    (base, module) => module.clock?.({ base, db, changeFeed, log }) ?? base,
    given.clock,
  );

  const parts: ModulePart[] = [];
  const finders = () => parts.flatMap(({ search }) => search ?? []);
  const services = new Map(provided);
  const deps: Omit<Deps, 'settings'> = {
    ...shared,
    config,
    db,
    databaseUrl,
    changeFeed,
    clock,
    vault,
    events: eventsOf(configuration),
    personalData: personalDataIn(config.mode),
    isSessionOver: async (sessionId) =>
      (await parts.find((part) => part.isSessionOver)?.isSessionOver?.(sessionId)) ?? false,
    finders,
    resolveSearch: resolveSearch(finders),
    waiting: () => Object.assign({}, ...parts.map(({ waiting }) => waiting)),
    settingsInForce: () => configuration.inForce(listSettings(modules)),
    provide: (name, value) => void services.set(name, value),
    find: <T>(name: Service<T>) => services.get(name) as T | undefined,
  };
  for (const module of modules) {
    // Settings are read on first use: a module that has a process of its own need not be configured here.
    const own: Deps = {
      ...deps,
      get settings() {
        return settingsOf(module);
      },
    };
    const part = module.open?.(own);
    if (part) parts.push(part);
  }

  const { front, staff, drain } = await openDoors(modules, parts, { ...deps, databaseHealth });
  const housekeeping = startHousekeeping(log, [
    () => purgeOldAnswers(db, clock.now()),
    () => purgeDeadJobs(db),
    ...parts.flatMap(({ housekeeping }) => (housekeeping ? () => housekeeping(clock.now()) : [])),
  ]);
  let jobs: Jobs | undefined;
  return {
    front,
    staff,
    drain,
    housekeep: housekeeping.run,
    whenHeard: () => changeFeed.whenHeard(),
    async start() {
      await recordKeys(db, vault);
      await requireFreePorts([
        { setting: 'PORT', host: config.host, port: config.port },
        { setting: 'STAFF_PORT', host: config.staffHost, port: config.staffPort },
        ...parts.flatMap(({ ports }) => ports ?? []),
      ]);
      const frontUrl = await listen(front, config.host, config.port);
      if (!config.publicUrl) publicUrl = frontUrl;
      const staffUrl = await listen(staff, config.staffHost, config.staffPort);
      await changeFeed.start();
      // When one start fails, the others must have ended before the caller stops the node.
      const starts = await Promise.allSettled(
        parts.map(async (part) => part.start?.({ frontUrl, staffUrl })),
      );
      const failed = starts.find((start) => start.status === 'rejected');
      if (failed) throw failed.reason;
      const tasks = Object.assign({}, ...parts.map((part) => part.tasks));
      const cron = parts.flatMap(({ cron = [] }) => cron);
      jobs = await startJobs({ databaseUrl, tasks, cron, isScheduled, log });
      const card = parts.flatMap((part) => part.card?.({ frontUrl, staffUrl }) ?? []);
      return { frontUrl, staffUrl, cardTop: parts.flatMap((part) => part.cardTop?.() ?? []), card };
    },
    async stop() {
      housekeeping.stop();
      for (const part of parts) part.drain?.();
      await Promise.all([front.server.close(), staff.server.close()]);
      await jobs?.stop();
      for (const part of parts.toReversed()) await part.stop?.();
      await changeFeed.stop();
      await db.close();
    },
  };
}
