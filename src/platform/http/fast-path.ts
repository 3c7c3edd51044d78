import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Access } from './access.ts';
import { chooseRequestId, countHosts } from './default-headers.ts';
import { recordRequest } from './record-request.ts';
import { type CachedResponse, isNotModified, type ResponseCache } from './response-cache.ts';

type AdmittedCaller = {
  partnerId: string;
  keyId: string;
  headers: string[];
};

/** Admits a caller that is cached in memory. Undefined: the normal path decides. */
export type SyncGuard = (headers: IncomingHttpHeaders, access: Access) => AdmittedCaller | undefined;

/** Responds to GET requests whose response is cached, from known callers without rate limit and Origin, before Fastify is entered. */
export function installFastPath(
  server: FastifyInstance,
  caches: Set<ResponseCache>,
  deps: { name: string; guardSync: SyncGuard; metrics: Metrics; log: Log },
): void {
  const { guardSync } = deps;
  const [handleNormally] = server.server.listeners('request') as [RequestListener];
  server.server.removeListener('request', handleNormally);
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!tryRespond(request, response)) handleNormally(request, response);
  });

  let isClosing = false;
  server.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });

  function tryRespond(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, headers } = request;
    if (method !== 'GET' || headers.origin !== undefined || countHosts(request) !== 1) return false;
    if (isClosing) return false;
    const startedAtMs = performance.now();
    const cached = findCached(request.url!);
    if (cached?.endpoint === undefined) return false;
    const caller = guardSync(headers, cached.endpoint.access);
    if (caller === undefined) return false;

    const notModified = isNotModified(cached, headers['if-none-match']);
    const status = notModified ? 304 : 200;
    const id = chooseRequestId(headers['x-request-id']);
    const writeHead = (own: string[]) =>
      response.writeHead(status, ['x-request-id', id, ...own, ...server.defaultHeaders, ...caller.headers]);
    if (notModified) writeHead(cached.notModifiedHeaders);
    else if (!writeCachedHead(response, cached, id, caller.headers)) {
      writeHead(cached.headers);
      cacheHead(response, cached, id, caller.headers);
    }
    response.end(notModified ? undefined : cached.body);
    const elapsedMs = performance.now() - startedAtMs;
    recordRequest(deps, { id, method, route: cached.endpoint.route, status, elapsedMs, caller });
    return true;
  }

  function findCached(url: string): CachedResponse | undefined {
    for (const cache of caches) {
      const cached = cache.get(url);
      if (cached) return cached;
    }
    return undefined;
  }
}

const HEAD_PREFIX = 'HTTP/1.1 200 OK\r\nx-request-id: ';
const currentSecond = () => Math.floor(Date.now() / 1000);

/** Node stores the head of a response in `_header` before sending it. */
type HeadResponse = ServerResponse & { _header?: string };

/** Caches the head that Node wrote: it is the same for a second but for the request id, and a seventh of the work of a response. */
function cacheHead(
  response: HeadResponse,
  cached: CachedResponse,
  id: string,
  callerHeaders: string[],
): void {
  const prefix = HEAD_PREFIX + id;
  if (response.shouldKeepAlive && response._header?.startsWith(prefix))
    cached.head = { second: currentSecond(), callerHeaders, rest: response._header.slice(prefix.length) };
}

function writeCachedHead(
  response: HeadResponse,
  { head }: CachedResponse,
  id: string,
  callerHeaders: string[],
): boolean {
  if (head?.second !== currentSecond() || head.callerHeaders !== callerHeaders || !response.shouldKeepAlive)
    return false;
  response._header = HEAD_PREFIX + id + head.rest;
  return true;
}
