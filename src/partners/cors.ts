import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from './api-key.ts';
import { originNotAllowed } from './problems.ts';

const EXPOSED = [
  'api-version',
  'etag',
  'idempotency-replayed',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
].join(', ');
const ALLOWED_HEADERS =
  'accept-language, content-type, idempotency-key, if-none-match, last-event-id, x-api-key, x-device, x-request-id, x-token';
const PREFLIGHT_SECONDS = '600';

/**
 * A page of another origin may read the answer only if the key allows that origin. A key with a list of origins is refused
 * from any other; the page may read that refusal, which reveals nothing else.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, key: ApiKey): void {
  const { origin } = request.headers;
  if (key.allowedOrigins.length > 0) reply.header('vary', 'origin');
  if (origin === undefined || key.allowedOrigins.length === 0 || isOwnPage(request, origin)) return;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED);
  if (!key.allowedOrigins.includes(origin) && !key.allowedOrigins.includes('*')) throw originNotAllowed();
}

/** The reference page tries requests out from our own origin. */
function isOwnPage(request: FastifyRequest, origin: string): boolean {
  return origin === `http://${request.headers.host}` || origin === `https://${request.headers.host}`;
}

/** A preflight carries no key, so it is answered for every origin; the key of the request itself decides. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (origin === undefined || request.headers['access-control-request-method'] === undefined) return;
  reply
    .header('vary', 'origin, access-control-request-method, access-control-request-headers')
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-methods', String(reply.getHeader('allow')))
    .header('access-control-allow-headers', ALLOWED_HEADERS)
    .header('access-control-max-age', PREFLIGHT_SECONDS);
}
