import cluster from 'node:cluster';
import type { Module, ModulePart } from '#module';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Db } from '#platform/database/db.ts';
import { errorPages } from '#platform/docs/error-pages.ts';
import { mountReference, openApiEndpoints } from '#platform/docs/reference.ts';
import { type Door, type DoorOptions, openDoor } from '#platform/http/door.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { healthEndpoint, metricsEndpoint, readyEndpoint } from '#platform/http/health.ts';
import { mountMedia } from '#platform/http/media.ts';
import { openApi, problemsOf } from '#platform/http/openapi.ts';
import type { DatabaseHealth } from '#platform/nodes/database-health.ts';
import { Drain } from '#platform/nodes/drain.ts';
import { recordExport } from '#platform/privacy/trail.ts';
import { methodNotAllowed, type ProblemMaker } from '#platform/problem.ts';
import { guardProblems } from './modules.ts';

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

/** Opens both doors with the endpoints and guards of every module. */
export async function openDoors(
  modules: readonly Module[],
  parts: readonly ModulePart[],
  deps: Pick<DoorOptions, 'log' | 'metrics' | 'publicUrl'> &
    Omit<Parameters<typeof readyEndpoint>[0], 'loaded' | 'isDraining'> & {
      config: Config;
      clock: Clock;
      db: Db;
      databaseHealth: DatabaseHealth;
    },
): Promise<{ front: Door; staff: Door; drain: Drain }> {
  const { log, metrics, publicUrl, config, clock, db, databaseHealth, changeFeed } = deps;
  const options: Omit<DoorOptions, 'name' | 'https'> = {
    log,
    metrics,
    publicUrl,
    trustProxy: config.trustProxy,
    guard: allOf(parts.flatMap(({ guard }) => guard ?? [])),
    ...Object.assign({}, ...parts.map(({ door }) => door)),
  };
  const front = openDoor({ name: 'front', https: publicUrl().startsWith('https:'), ...options });
  const { guardSync: _, preflight: __, ...staffOptions } = options;
  const staff = openDoor({
    name: 'staff',
    https: false,
    ...staffOptions,
    recordExport: (request) => db.transaction((tx) => recordExport(tx, request, clock.now())),
  });
  // Read your writes: a change is answered only when this node's caches have it, so a new key works at once.
  staff.server.addHook('onSend', async ({ method }, { statusCode }) => {
    if (method !== 'GET' && statusCode < 300) await changeFeed.whenHeard();
  });
  const drain = new Drain([front.server.server, staff.server.server]);
  front.mount([
    ...parts.flatMap((part) => part.front ?? []),
    healthEndpoint(),
    ...errorPages(problemsOfAll(parts.flatMap(({ front = [], staff = [] }) => [...front, ...staff]))),
    ...openApiEndpoints((url) => documentOf(front, modules, { ...FRONT, url }), publicUrl),
  ]);
  staff.mount([
    healthEndpoint(),
    readyEndpoint({
      db,
      databaseHealth,
      changeFeed,
      loaded: () => isLoaded(parts),
      isDraining: () => drain.isBegun(),
    }),
    metricsEndpoint(metrics, { changeFeed, databaseHealth }),
    ...parts.flatMap((part) => part.staff ?? []),
    ...openApiEndpoints((url) => documentOf(staff, modules, { ...STAFF, url })),
  ]);
  const demo = modules.find((module) => module.demo)?.demo;
  await mountReference(front, FRONT.title, demo?.partnerKey ?? null);
  await mountReference(staff, STAFF.title, demo?.operatorKey ?? null);
  const media = parts.flatMap((part) => part.media ?? []);
  // At the staff door for the back office.
  for (const door of [front, staff]) await mountMedia(door, media);
  return { front, staff, drain };
}

/** Runs guards in order. A promise is returned only if a guard returns one. */
function allOf(guards: ReadonlyArray<DoorOptions['guard']>): DoorOptions['guard'] {
  return (request, reply, access) => {
    let waiting: Promise<void> | undefined;
    for (const guard of guards)
      waiting = waiting ? waiting.then(() => guard(request, reply, access)) : guard(request, reply, access);
    return waiting;
  };
}

/** Every problem that an endpoint may answer: each has a page. */
export const problemsOfAll = (endpoints: readonly Endpoint[]): ProblemMaker[] => [
  methodNotAllowed,
  ...endpoints.flatMap((spec) => problemsOf(spec, guardProblems())),
];

function isLoaded(parts: readonly ModulePart[]): boolean {
  return parts.every(({ ready = {} }) => Object.values(ready).every((isReady) => isReady()));
}

function documentOf(
  { endpoints }: Door,
  modules: readonly Module[],
  { door, ...about }: { door: 'front' | 'staff'; title: string; description: string; url: string },
) {
  return openApi({
    ...about,
    endpoints,
    tags: modules.flatMap(({ tags }) => tags?.[door] ?? []),
    webhooks: door === 'front' ? modules.flatMap(({ webhooks }) => webhooks ?? []) : [],
    ...guardProblems(),
  });
}

/**
 * With several processes each listens on the port itself (SO_REUSEPORT) and the kernel distributes connections, so a process
 * that dies loses only its own. On macOS, which cannot, the primary distributes them.
 */
const SHARED = cluster.isWorker && process.platform === 'linux';

/** Returns the address it listens on. */
export async function listen(door: Door, host: string, port: number): Promise<string> {
  const at = { host, port, reusePort: SHARED };
  await door.server.listen(at);
  const { port: taken } = door.server.server.address() as { port: number };
  const named = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  return `http://${named.includes(':') ? `[${named}]` : named}:${taken}`;
}
