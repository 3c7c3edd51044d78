import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from './api-key.ts';
import type { Keyring } from './keyring.ts';
import { originNotAllowed } from './problems.ts';

const EXPOSED = [
  'api-version',
  'etag',
  'idempotency-replayed',
  'link',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
].join(', ');
const ALLOWED_HEADERS = 'content-type, idempotency-key, if-none-match, x-api-key, x-request-id, x-token';
const PREFLIGHT_SECONDS = '600';

/** A page of another origin may read the answer only when the key says so; a key with a list is refused elsewhere. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, key: ApiKey): void {
  const { origin } = request.headers;
  if (key.allowedOrigins.length > 0) reply.header('vary', 'origin');
  if (origin === undefined || key.allowedOrigins.length === 0 || isOwnPage(request, origin)) return;
  if (!key.allowedOrigins.includes(origin) && !key.allowedOrigins.includes('*')) {
    throw originNotAllowed('This key may not be used by pages of this origin.');
  }
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED);
}

/** The reference page tries requests out from our own origin. */
function isOwnPage(request: FastifyRequest, origin: string): boolean {
  return origin === `http://${request.headers.host}` || origin === `https://${request.headers.host}`;
}

/** A preflight carries no key, so it is granted when some key allows the origin; the request itself is checked again. */
export function answerPreflight(keyring: Keyring) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const { origin } = request.headers;
    if (origin === undefined || request.headers['access-control-request-method'] === undefined) return;
    reply.header('vary', 'origin, access-control-request-method, access-control-request-headers');
    if (!keyring.allowsOrigin(origin)) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-allow-methods', String(reply.getHeader('allow')))
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS);
  };
}
