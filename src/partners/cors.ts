import type { FastifyReply, FastifyRequest } from 'fastify';
import { originNotAllowed } from './problems.ts';
import type { ApiKey } from './store.ts';

const EXPOSED_HEADERS =
  'api-version, etag, idempotency-replayed, link, location, ratelimit, ratelimit-policy, retry-after, x-request-id';
const ALLOWED_HEADERS =
  'accept-language, content-type, idempotency-key, if-none-match, last-event-id, x-api-key, x-device, x-request-id, x-token, ' +
  // Tracing libraries add these to every request of a page.
  'traceparent, tracestate, baggage, sentry-trace';
const PREFLIGHT_SECONDS = '600';

/** Refuses a page whose origin is not in the list of the key, if there is one. Sets the headers first, so that the page can read the refusal. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, key: ApiKey): void {
  const { origin } = request.headers;
  if (key.allowed_origins.length > 0) reply.header('vary', 'origin');
  if (origin === undefined || key.allowed_origins.length === 0 || isOwnOrigin(request, origin)) return;
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', EXPOSED_HEADERS);
  if (!key.allowed_origins.includes(origin) && !key.allowed_origins.includes('*')) throw originNotAllowed();
}

/** Our own pages, such as the API reference, send requests from the origin of the service. */
function isOwnOrigin(request: FastifyRequest, origin: string): boolean {
  return origin === `http://${request.headers.host}` || origin === `https://${request.headers.host}`;
}

/** Lets a page of any origin read why its request was refused: a response without a valid key contains no data of a partner. */
export function allowAnyOrigin(request: FastifyRequest, reply: FastifyReply): void {
  if (request.method === 'OPTIONS' || request.headers.origin === undefined) return;
  if (reply.hasHeader('access-control-allow-origin')) return;
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED_HEADERS);
}

/** Allows a preflight request of any origin, because it has no key. The key of the actual request decides. The reply already has its Allow header. */
export function respondToPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (origin === undefined || request.headers['access-control-request-method'] === undefined) return;
  reply
    .header('vary', 'origin, access-control-request-method, access-control-request-headers')
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-methods', String(reply.getHeader('allow')))
    .header('access-control-allow-headers', ALLOWED_HEADERS)
    .header('access-control-max-age', PREFLIGHT_SECONDS);
}
