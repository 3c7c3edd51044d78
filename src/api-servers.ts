import cluster from 'node:cluster';
import type { Deps, Module, ModuleRuntime } from '#module';
import { createErrorPageEndpoints } from '#platform/docs/error-pages.ts';
import { createGuideEndpoints } from '#platform/docs/guides.ts';
import { createOpenApiEndpoints, mountReference } from '#platform/docs/reference.ts';
import { type ApiServer, type ApiServerOptions, createApiServer } from '#platform/http/api-server.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { createHealthEndpoint, createMetricsEndpoint, createReadyEndpoint } from '#platform/http/health.ts';
import { mountMedia } from '#platform/http/media.ts';
import { buildOpenApi, findTag, listProblems } from '#platform/http/openapi.ts';
import type { DatabaseHealth } from '#platform/nodes/database-health.ts';
import { Drain } from '#platform/nodes/drain.ts';
import { omit } from '#platform/omit.ts';
import { methodNotAllowed, type ProblemFactory } from '#platform/problem.ts';
import { GUIDES } from './guides.ts';
import { collectGuardProblems } from './modules.ts';

const PARTNER_API = {
  api: 'partner',
  title: 'Semana API',
  description: `Partners call Semana over HTTP with an API key in the header \`x-api-key\`.

The [guides](/docs) start from a key: [website](/docs/website), [wallet app](/docs/wallet), [shop](/docs/shop), [webhooks](/docs/webhooks), [retries](/docs/retries), [testing](/docs/testing), [money and dates](/docs/money-and-dates), [errors](/docs/errors), [changelog](/docs/changelog).

Lists are \`{"data": [...]}\`, with \`pagination\` and a \`Link\` header if they have pages. Errors are problem details (RFC 9457): check \`code\`. Every response has an \`x-request-id\`; if you send your own, it appears in our logs. Changes are additive: ignore unknown fields. \`api-version\` is the version of this document.`,
} as const;

const STAFF_API = {
  api: 'staff',
  title: 'Semana operator API',
  description: `The API for staff users of the operator. It requires an API key with the scope \`operator\` in the header \`x-api-key\`.`,
} as const;

export async function createApiServers(
  modules: readonly Module[],
  runtimes: readonly ModuleRuntime[],
  deps: Omit<Deps, 'settings'> & { databaseHealth: DatabaseHealth },
) {
  const { log, metrics, publicUrl, config, db, databaseHealth, changeFeed } = deps;
  const options: Omit<ApiServerOptions, 'name' | 'https'> = {
    log,
    metrics,
    publicUrl,
    trustProxy: config.trustProxy,
    guard: combineGuards(runtimes.flatMap(({ guard }) => guard ?? [])),
    // Options that modules provide, such as CORS, the fast path and the record of exports.
    ...Object.assign({}, ...runtimes.map(({ apiServer }) => apiServer)),
  };
  const partnerApi = createApiServer({
    name: 'front',
    https: publicUrl().startsWith('https:'),
    ...omit(options, 'recordExport'),
  });
  const staffApi = createApiServer({
    name: 'staff',
    https: false,
    // The staff API has no fast path and no CORS.
    ...omit(options, 'guardSync', 'preflight', 'allowAnyOrigin'),
    // The back office sends its visitor's address in X-Forwarded-For. By default it runs on the same machine.
    trustProxy: [config.trustProxy, 'loopback'].filter(Boolean).join(','),
  });
  // Read your writes: a change is confirmed only after this node's caches have applied it, so a new API key works immediately.
  staffApi.fastify.addHook('onSend', async ({ method }, { statusCode }) => {
    if (method !== 'GET' && statusCode < 300) await changeFeed.waitForEarlierCommits();
  });
  const drain = new Drain([partnerApi.fastify.server, staffApi.fastify.server]);
  const problems = listAllProblems(
    runtimes.flatMap(({ partner = [], staff = [] }) => [...partner, ...staff]),
  );
  const problemCodes = new Set(problems.map(({ kind }) => kind.code));
  const demoKeys = modules.find((module) => module.demoKeys)?.demoKeys;
  partnerApi.mount([
    ...runtimes.flatMap((runtime) => runtime.partner ?? []),
    createHealthEndpoint(),
    ...createErrorPageEndpoints(problems),
    ...createGuideEndpoints({
      guides: GUIDES,
      adaptToServer: (text) =>
        adaptGuideToServer(text, { url: publicUrl(), hasDemoKeys: demoKeys !== undefined }),
      findLink: (inlineCode) =>
        problemCodes.has(inlineCode)
          ? `/errors/${inlineCode}`
          : findReferenceLink(partnerApi, modules, inlineCode),
    }),
    ...createOpenApiEndpoints(
      (url) => buildDocument(partnerApi, modules, { ...PARTNER_API, url }),
      publicUrl,
    ),
  ]);
  staffApi.mount([
    createHealthEndpoint(),
    createReadyEndpoint({
      db,
      databaseHealth,
      changeFeed,
      areModulesReady: () =>
        runtimes.every(({ readinessChecks = {} }) =>
          Object.values(readinessChecks).every((isReady) => isReady()),
        ),
      isDraining: () => drain.hasStarted(),
    }),
    createMetricsEndpoint(metrics, { changeFeed, databaseHealth }),
    ...runtimes.flatMap((runtime) => runtime.staff ?? []),
    ...createOpenApiEndpoints((url) => buildDocument(staffApi, modules, { ...STAFF_API, url })),
  ]);
  await mountReference(partnerApi, '/docs/reference', PARTNER_API.title, demoKeys?.partner ?? null);
  await mountReference(staffApi, '/docs', STAFF_API.title, demoKeys?.operator ?? null);
  const mediaDirectories = runtimes.flatMap((runtime) => runtime.mediaDirectories ?? []);
  // The back office uses the media of the staff API.
  for (const apiServer of [partnerApi, staffApi]) await mountMedia(apiServer, mediaDirectories);
  return { partnerApi, staffApi, drain };
}

/** Combines guards into one that runs them in order. It returns a promise only if one of them does. */
function combineGuards(guards: ReadonlyArray<ApiServerOptions['guard']>): ApiServerOptions['guard'] {
  return (request, reply, access) => {
    let previousGuards: Promise<void> | undefined;
    for (const guard of guards)
      previousGuards = previousGuards
        ? previousGuards.then(() => guard(request, reply, access))
        : guard(request, reply, access);
    return previousGuards;
  };
}

export const listAllProblems = (endpoints: readonly Endpoint[]): ProblemFactory[] => [
  methodNotAllowed,
  ...endpoints.flatMap((spec) => listProblems(spec, collectGuardProblems())),
];

/**
 * Replaces the URL and the demo keys of a local sandbox, which the guides contain. In live mode the keys in code blocks become placeholders.
 * Inline code (after a backtick) describes the sandbox, so its keys stay.
 */
function adaptGuideToServer(
  text: string,
  { url, hasDemoKeys }: { url: string; hasDemoKeys: boolean },
): string {
  const textWithUrl = text.replaceAll('http://localhost:3000', url);
  if (hasDemoKeys) return textWithUrl;
  return textWithUrl
    .replace(/(?<!`)sandbox-demo-key/g, 'YOUR-KEY')
    .replace(/(?<!`)sandbox-merchant-key/g, 'YOUR-MERCHANT-KEY');
}

/** Finds the link to an operation in the reference. `inlineCode` is the operation's method and path, and maybe input: `POST /webhooks {url}`. */
function findReferenceLink(
  { endpoints }: ApiServer,
  modules: readonly Module[],
  inlineCode: string,
): string | undefined {
  const [method, url = ''] = inlineCode.split(/[ ?{]/);
  const operation = endpoints.find(
    (spec) => spec.method === method && spec.url === url && !spec.undocumented,
  );
  if (!operation) return undefined;
  const { name } = findTag(operation, listTags(modules, 'partner'));
  const tag = name.toLowerCase().replaceAll(' ', '-');
  return `/docs/reference/#tag/${tag}/${method}${url.replace(/:(\w+)/g, '{$1}')}`;
}

const listTags = (modules: readonly Module[], api: 'partner' | 'staff') =>
  modules.flatMap(({ tags }) => tags?.[api] ?? []);

function buildDocument(
  { endpoints }: ApiServer,
  modules: readonly Module[],
  { api, ...info }: { api: 'partner' | 'staff'; title: string; description: string; url: string },
) {
  return buildOpenApi({
    ...info,
    endpoints,
    tags: listTags(modules, api),
    webhooks: api === 'partner' ? modules.flatMap(({ webhooks }) => webhooks ?? []) : [],
    callerProblems: collectGuardProblems(),
  });
}

/** On Linux each process listens on the port itself (SO_REUSEPORT), so a process that dies loses only its own connections. */
const REUSES_PORT = cluster.isWorker && process.platform === 'linux';

export async function listen(apiServer: ApiServer, host: string, port: number): Promise<string> {
  const listenOptions = { host, port, reusePort: REUSES_PORT };
  await apiServer.fastify.listen(listenOptions);
  const { port: actualPort } = apiServer.fastify.server.address() as { port: number };
  const hostName = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  return `http://${hostName.includes(':') ? `[${hostName}]` : hostName}:${actualPort}`;
}
