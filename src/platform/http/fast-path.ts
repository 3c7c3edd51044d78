import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { requestId } from './default-headers.ts';
import type { Access } from './endpoint.ts';
import { report } from './report.ts';
import { type CachedResponse, isUnchanged, type ResponseCache } from './response-cache.ts';

type Admitted = { partnerId: string; keyId: string /** To add to the answer. */; headers: string[] };

/** Admits a caller whom memory alone can judge. Undefined: the long way decides. */
export type SyncGuard = (headers: IncomingHttpHeaders, access: Access) => Admitted | undefined;

/**
 * The short way for what is asked most: a GET whose answer lies ready, from a caller who is known, has no limit to count and is
 * no page of another origin. It gets the very answer of the long way, without routing, hooks and the objects they need. Whatever
 * is not so plain takes the long way.
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
    if (method !== 'GET' || headers.origin !== undefined || headers.host === undefined) return false;
    if (closing) return false;
    const startedAtMs = performance.now();
    const answer = find(request.url!);
    if (answer?.of === undefined) return false;
    const caller = guardSync(headers, answer.of.access);
    if (caller === undefined) return false;

    const unchanged = isUnchanged(answer, headers['if-none-match']);
    const status = unchanged ? 304 : 200;
    const id = requestId(headers['x-request-id']);
    response.writeHead(status, [
      ...(unchanged ? answer.headersUnchanged : answer.headers),
      'x-request-id',
      id,
      ...server.defaultHeaders,
      ...caller.headers,
    ]);
    response.end(unchanged ? undefined : answer.body);
    const elapsedMs = performance.now() - startedAtMs;
    report(parts, { id, method, route: answer.of.route, status, elapsedMs, caller });
    return true;
  }

  function find(address: string): CachedResponse | undefined {
    for (const cache of caches) {
      const answer = cache.get(address);
      if (answer) return answer;
    }
    return undefined;
  }
}
