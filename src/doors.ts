import cluster from 'node:cluster';
import type { Module, Part, Tag } from '#module';
import type { Config } from '#platform/config.ts';
import type { DatabaseHealth } from '#platform/database/database-health.ts';
import { errorPages } from '#platform/docs/error-pages.ts';
import { mountReference, openApiEndpoints } from '#platform/docs/reference.ts';
import { type Door, type DoorOptions, openDoor } from '#platform/http/door.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { mountMedia } from '#platform/http/media.ts';
import { openApi } from '#platform/http/openapi.ts';
import { Drain } from '#platform/nodes/drain.ts';
import { healthEndpoint, metricsEndpoint, readyEndpoint } from '#platform/observability/health.ts';
import { platformProblems } from '#platform/problem.ts';
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

/** Opens both doors and puts behind them what every module adds. */
export async function openDoors(
  modules: readonly Module[],
  parts: readonly Part[],
  deps: Pick<DoorOptions, 'log' | 'metrics' | 'publicUrl'> &
    Omit<Parameters<typeof readyEndpoint>[0], 'loaded' | 'isDraining'> & {
      config: Config;
      databaseHealth: DatabaseHealth;
    },
): Promise<{ front: Door; staff: Door; drain: Drain }> {
  const { log, metrics, publicUrl, config, db, databaseHealth, changeFeed } = deps;
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
  const staff = openDoor({ name: 'staff', https: false, ...staffOptions });
  // Whoever changed something may rely on it at this node: a new key is accepted, an old text is gone.
  staff.server.addHook('onSend', async ({ method }, { statusCode }) => {
    if (method !== 'GET' && statusCode < 300) await changeFeed.whenHeard();
  });
  const drain = new Drain([front.server.server, staff.server.server]);
  front.mount([
    ...parts.flatMap((part) => part.front ?? []),
    healthEndpoint(),
    ...errorPages([
      ...platformProblems,
      ...idempotency.problems,
      ...modules.flatMap(({ problems = [] }) => problems),
    ]),
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
  await mountMedia(
    front,
    parts.flatMap(({ media }) => media ?? []),
  );
  return { front, staff, drain };
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
    ...about,
    endpoints,
    tags: modules.flatMap(({ tags }): readonly Tag[] => tags?.[door] ?? []),
    webhooks: door === 'front' ? modules.flatMap(({ webhooks }) => webhooks ?? []) : [],
    ...guardProblems(),
  });
}

/**
 * Where a node has several processes, each listens by itself, and the kernel hands out connections: so a process that dies takes
 * along its own and no others. Where it cannot (macOS), the first process hands them out.
 */
const SHARED = cluster.isWorker && process.platform === 'linux';

/** Answers the address it is reached by. */
export async function listen(door: Door, host: string, port: number): Promise<string> {
  const at = { host, port, reusePort: SHARED };
  await door.server.listen(at);
  const { port: taken } = door.server.server.address() as { port: number };
  const named = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  return `http://${named.includes(':') ? `[${named}]` : named}:${taken}`;
}
