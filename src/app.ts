import type { Deps, Module, Part, Service, Tag } from '#module';
import { ChangeFeed } from '#platform/change-feed.ts';
import type { Clock } from '#platform/clock.ts';
import { DatabaseHealth } from '#platform/database-health.ts';
import { openDb } from '#platform/db.ts';
import { errorPages } from '#platform/docs/error-pages.ts';
import { mountReference, openApiEndpoints } from '#platform/docs/reference.ts';
import { Drain } from '#platform/drain.ts';
import { healthEndpoint, metricsEndpoint, readyEndpoint } from '#platform/health.ts';
import { startHousekeeping } from '#platform/housekeeping.ts';
import { type Door, type DoorOptions, openDoor } from '#platform/http/door.ts';
import { openApi } from '#platform/http/openapi.ts';
import { requireFreePorts } from '#platform/http/ports.ts';
import { idempotencyProblems, purgeOldAnswers } from '#platform/idempotency.ts';
import { type Jobs, purgeDeadJobs, startJobs } from '#platform/jobs.ts';
import type { Log } from '#platform/log.ts';
import { mountMedia } from '#platform/media.ts';
import { openMetrics } from '#platform/metrics.ts';
import { platformProblems } from '#platform/problem.ts';
import { Vault } from '#platform/vault.ts';
import { type Configuration, eventsOf, guardProblems, modulesIn, provided } from './modules.ts';

const FRONT = {
  door: 'front',
  title: 'Semana API',
  description: `Partners call Semana over HTTP with a key in the header \`x-api-key\`.

Lists are \`{"data": [...]}\`, with \`pagination\` and a \`Link\` header where they come in pages. Errors are problem details (RFC 9457): look at \`code\`. Every response has an \`x-request-id\`; send your own to find it in our logs. Changes are additive: ignore fields you do not know. \`api-version\` names the version of this document.`,
} as const;

const STAFF = {
  door: 'staff',
  title: 'Semana operator API',
  description: `The operator's own door. Needs a key with the scope \`operator\` in the header \`x-api-key\`.`,
} as const;

export type App = {
  front: Door;
  staff: Door;
  /** To be run before `stop`, so that nobody's request meets a closed door. */
  drain: Drain;
  /** Opens both doors; returns when requests can be served. */
  start(): Promise<{ frontUrl: string; staffUrl: string; card: string[][] }>;
  /** Deletes what has served its time; done every now and then by itself. */
  housekeep(): Promise<void>;
  /** Lets running requests end, then closes everything it opened. */
  stop(): Promise<void>;
};

/** Composes the modules into a node: both doors, jobs, housekeeping. */
export async function createApp(given: {
  configuration: Configuration;
  databaseUrl: string;
  clock: Clock;
  log: Log;
}): Promise<App> {
  const { configuration, databaseUrl, log } = given;
  const { config, settingsOf } = configuration;
  const modules = modulesIn(config.mode);
  let publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const shared = { log, metrics: openMetrics(), publicUrl: () => publicUrl };
  const databaseHealth = new DatabaseHealth(shared);
  const db = openDb({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    label: 'semana',
    onIdleError: (error) => log.warn({ err: error }, 'idle database connection lost'),
    onAway: databaseHealth.note,
  });
  const changeFeed = new ChangeFeed(databaseUrl, log, db.dropIdle);
  const clock = modules.reduce(
    (base, module) => module.clock?.({ base, db, changeFeed, log }) ?? base,
    given.clock,
  );

  const parts: Part[] = [];
  const services = new Map(provided);
  const deps: Omit<Deps, 'settings'> = {
    ...{ ...shared, config, db, databaseUrl, changeFeed, clock },
    vault: new Vault(config.secrets),
    events: eventsOf(configuration),
    isSessionOver: async (sessionId) =>
      (await parts.find((part) => part.isSessionOver)?.isSessionOver?.(sessionId)) ?? false,
    provide: (name, value) => void services.set(name, value),
    find: <T>(name: Service<T>) => services.get(name) as T | undefined,
  };
  for (const module of modules) {
    const part = module.open?.({ ...deps, settings: settingsOf(module) });
    if (part) parts.push(part);
  }

  const doorOptions: Omit<DoorOptions, 'name' | 'https'> = {
    ...shared,
    trustProxy: config.trustProxy,
    guard: allOf(parts.flatMap(({ guard }) => guard ?? [])),
    ...Object.assign({}, ...parts.map(({ door }) => door)),
  };
  const front = openDoor({ name: 'front', https: publicUrl.startsWith('https:'), ...doorOptions });
  const { guardSync: _, preflight: __, ...staffOptions } = doorOptions;
  const staff = openDoor({ name: 'staff', https: false, ...staffOptions });
  const drain = new Drain([front.server.server, staff.server.server]);
  const problems = [
    ...platformProblems,
    ...idempotencyProblems,
    ...modules.flatMap((module) => module.problems ?? []),
  ];
  front.mount([
    ...parts.flatMap((part) => part.front ?? []),
    healthEndpoint(),
    ...errorPages(problems),
    ...openApiEndpoints((url) => documentOf(front, modules, { ...FRONT, url }), shared.publicUrl),
  ]);
  staff.mount([
    healthEndpoint(),
    readyEndpoint({
      ...{ db, databaseHealth, changeFeed },
      loaded: () => isLoaded(parts),
      isDraining: () => drain.isBegun(),
    }),
    metricsEndpoint(shared.metrics, changeFeed),
    ...parts.flatMap((part) => part.staff ?? []),
    ...openApiEndpoints((url) => documentOf(staff, modules, { ...STAFF, url })),
  ]);
  const demo = modules.find((module) => module.demo)?.demo;
  await mountReference(front, FRONT.title, demo?.partnerKey ?? null);
  await mountReference(staff, STAFF.title, demo?.operatorKey ?? null);
  await mountMedia(
    front,
    parts.flatMap(({ media }) => media ?? []),
  );

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
    async start() {
      await requireFreePorts([
        { setting: 'PORT', host: config.host, port: config.port },
        { setting: 'STAFF_PORT', host: config.staffHost, port: config.staffPort },
        ...parts.flatMap(({ ports }) => ports ?? []),
      ]);
      const frontUrl = await listen(front, config.host, config.port);
      if (!config.publicUrl) publicUrl = frontUrl;
      const staffUrl = await listen(staff, config.staffHost, config.staffPort);
      await changeFeed.start();
      await Promise.all(parts.map(async (part) => part.start?.({ frontUrl })));
      const tasks = Object.assign({}, ...parts.map((part) => part.tasks));
      jobs = await startJobs({ databaseUrl, tasks, cron: parts.flatMap(({ cron }) => cron ?? []), log });
      const card = parts.flatMap((part) => part.card?.({ frontUrl, staffUrl }) ?? []);
      return { frontUrl, staffUrl, card };
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

/** One guard after the other. Those that can decide at once do not make the others wait. */
function allOf(guards: ReadonlyArray<DoorOptions['guard']>): DoorOptions['guard'] {
  return (request, reply, access) => {
    let waiting: Promise<void> | undefined;
    for (const guard of guards)
      waiting = waiting ? waiting.then(() => guard(request, reply, access)) : guard(request, reply, access);
    return waiting;
  };
}

function isLoaded(parts: readonly Part[]): boolean {
  return parts.every(({ ready = {} }) => Object.values(ready).every((isReady) => isReady()));
}

/** What is behind a door, as OpenAPI. */
function documentOf(
  { endpoints }: Door,
  modules: readonly Module[],
  { door, ...about }: { door: 'front' | 'staff'; title: string; description: string; url: string },
) {
  return openApi({
    ...{ ...about, endpoints },
    tags: modules.flatMap(({ tags }): readonly Tag[] => tags?.[door] ?? []),
    keyProblems: guardProblems('key'),
    tokenProblems: guardProblems('customer'),
  });
}

async function listen(door: Door, host: string, port: number): Promise<string> {
  await door.server.listen({ host, port });
  const { port: taken } = door.server.server.address() as { port: number };
  const named = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  return `http://${named.includes(':') ? `[${named}]` : named}:${taken}`;
}
