import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../observability/log.ts';
import { type Metrics, recordRequest } from '../observability/metrics.ts';
import type { Access } from './access.ts';
import { chooseRequestId, countHosts } from './default-headers.ts';
import { type CachedResponse, isNotModified, type ResponseCache } from './response-cache.ts';

type AdmittedCaller = {
  partnerId: string;
  keyId: string;
  /** Headers of the response to this caller, as alternating names and values. */
  headers: string[];
};

/** Admits a caller whose key is cached in memory. Returns undefined if the normal path must decide. */
export type SyncGuard = (headers: IncomingHttpHeaders, access: Access) => AdmittedCaller | undefined;

/** Responds to GET requests whose response is cached, from known callers without rate limit and Origin, before Fastify is entered. */
export function installFastPath(
  fastify: FastifyInstance,
  caches: Set<ResponseCache>,
  deps: { name: string; guardSync: SyncGuard; metrics: Metrics; log: Log },
): void {
  const { guardSync } = deps;
  const [handleNormally] = fastify.server.listeners('request') as [RequestListener];
  fastify.server.removeListener('request', handleNormally);
  fastify.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!tryRespond(request, response)) handleNormally(request, response);
  });

  let isClosing = false;
  fastify.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });

  function tryRespond(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, headers } = request;
    if (method !== 'GET' || headers.origin !== undefined || countHosts(request) !== 1) return false;
    if (isClosing) return false; // Fastify closes the connection after the response
    const startedAtMs = performance.now();
    const cachedResponse = findCached(request.url!);
    if (cachedResponse?.endpoint === undefined) return false;
    const caller = guardSync(headers, cachedResponse.endpoint.access);
    if (caller === undefined) return false;

    const isUnchanged = isNotModified(cachedResponse, headers['if-none-match']);
    const status = isUnchanged ? 304 : 200;
    const id = chooseRequestId(headers['x-request-id']);
    const writeHead = (responseHeaders: string[]) =>
      response.writeHead(status, [
        'x-request-id',
        id,
        ...responseHeaders,
        ...fastify.defaultHeaders,
        ...caller.headers,
      ]);
    if (isUnchanged) writeHead(cachedResponse.notModifiedHeaders);
    else if (!writeCachedHead(response, cachedResponse, id, caller.headers)) {
      writeHead(cachedResponse.headers);
      cacheHead(response, cachedResponse, id, caller.headers);
    }
    response.end(isUnchanged ? undefined : cachedResponse.body);
    const elapsedMs = performance.now() - startedAtMs;
    recordRequest(deps, { id, method, route: cachedResponse.endpoint.route, status, elapsedMs, caller });
    return true;
  }

  function findCached(url: string): CachedResponse | undefined {
    for (const cache of caches) {
      const cachedResponse = cache.get(url);
      if (cachedResponse) return cachedResponse;
    }
    return undefined;
  }
}

const HEAD_PREFIX = 'HTTP/1.1 200 OK\r\nx-request-id: ';
const getSecond = () => Math.floor(Date.now() / 1000);

/** Node stores the head of a response in `_header` before sending it. */
type HeadResponse = ServerResponse & { _header?: string };

/**
 * Caches the head that Node wrote, because writing it is a seventh of the work of a response. Only the request id in it differs within the
 * same second.
 */
function cacheHead(
  response: HeadResponse,
  cachedResponse: CachedResponse,
  id: string,
  callerHeaders: string[],
): void {
  const prefix = HEAD_PREFIX + id;
  if (response.shouldKeepAlive && response._header?.startsWith(prefix))
    cachedResponse.head = {
      second: getSecond(),
      callerHeaders,
      textAfterId: response._header.slice(prefix.length),
    };
}

function writeCachedHead(
  response: HeadResponse,
  { head }: CachedResponse,
  id: string,
  callerHeaders: string[],
): boolean {
  if (head?.second !== getSecond() || head.callerHeaders !== callerHeaders || !response.shouldKeepAlive)
    return false;
  response._header = HEAD_PREFIX + id + head.textAfterId;
  return true;
}
