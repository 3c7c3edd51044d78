import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Access } from './access.ts';
import { requestId } from './default-headers.ts';
import { countHosts } from './host-header.ts';
import { report } from './report.ts';
import { type CachedResponse, isUnchanged, type ResponseCache } from './response-cache.ts';

type Admitted = { partnerId: string; keyId: string /** To add to the answer. */; headers: string[] };

/** Admits a caller by memory alone. Undefined: the normal path decides. */
export type SyncGuard = (headers: IncomingHttpHeaders, access: Access) => Admitted | undefined;

/**
 * The fast path for the most frequent requests: a GET whose answer is cached, from a known caller who has no rate limit to count
 * and sends no Origin. It gets the same answer as on the normal path, without routing, hooks and their objects. All other
 * requests take the normal path.
 */
export function installFastPath(
  server: FastifyInstance,
  caches: Set<ResponseCache>,
  parts: { name: string; guardSync: SyncGuard; metrics: Metrics; log: Log },
): void {
  const { guardSync } = parts;
  const [longWay] = server.server.listeners('request') as [RequestListener];
  server.server.removeListener('request', longWay);
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!answerAtOnce(request, response)) longWay(request, response);
  });

  let closing = false;
  server.addHook('preClose', (done) => {
    closing = true;
    done();
  });

  function answerAtOnce(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, headers } = request;
    if (method !== 'GET' || headers.origin !== undefined || countHosts(request) !== 1) return false;
    if (closing) return false;
    const startedAtMs = performance.now();
    const answer = find(request.url!);
    if (answer?.of === undefined) return false;
    const caller = guardSync(headers, answer.of.access);
    if (caller === undefined) return false;

    const unchanged = isUnchanged(answer, headers['if-none-match']);
    const status = unchanged ? 304 : 200;
    const id = requestId(headers['x-request-id']);
    if (unchanged) writeHead(response, status, id, answer.headersUnchanged, caller.headers);
    else if (!repeatHead(response, answer, id, caller.headers)) {
      writeHead(response, status, id, answer.headers, caller.headers);
      keepHead(response, answer, id, caller.headers);
    }
    response.end(unchanged ? undefined : answer.body);
    const elapsedMs = performance.now() - startedAtMs;
    report(parts, { id, method, route: answer.of.route, status, elapsedMs, caller });
    return true;
  }

  function writeHead(
    response: ServerResponse,
    status: number,
    id: string,
    headers: string[],
    more: string[],
  ): void {
    response.writeHead(status, ['x-request-id', id, ...headers, ...server.defaultHeaders, ...more]);
  }

  function find(address: string): CachedResponse | undefined {
    for (const cache of caches) {
      const answer = cache.get(address);
      if (answer) return answer;
    }
    return undefined;
  }
}

const HEAD_BEGINS = 'HTTP/1.1 200 OK\r\nx-request-id: ';
const thisSecond = () => Math.floor(Date.now() / 1000);

/** Where Node stores the head of an answer before sending it. */
type HeadResponse = ServerResponse & { _header?: string };

/**
 * The head of an answer is the same for a second, except for the request id, and writing it is a seventh of the work. So it is
 * cached from the first answer of that second.
 */
function keepHead(response: HeadResponse, answer: CachedResponse, id: string, more: string[]): void {
  const begins = HEAD_BEGINS + id;
  if (response.shouldKeepAlive && response._header?.startsWith(begins))
    answer.head = { second: thisSecond(), more, rest: response._header.slice(begins.length) };
}

/** Writes the cached head; false when it is from another second, or for another caller. */
function repeatHead(response: HeadResponse, { head }: CachedResponse, id: string, more: string[]): boolean {
  if (head?.second !== thisSecond() || head.more !== more || !response.shouldKeepAlive) return false;
  response._header = HEAD_BEGINS + id + head.rest;
  return true;
}
