import { endpoint } from '#platform/http/endpoint.ts';
import type { CustomersDeps } from '../customers.ts';
import { Jwks } from '../tokens/jwks-schema.ts';
import { JWKS_MAX_AGE_SECONDS } from '../tokens/rotate-keys.ts';

export const getWellKnownJwksJson = ({ signingKeys }: CustomersDeps) =>
  endpoint('GET /.well-known/jwks.json', {
    access: 'open',
    id: 'getSigningKeys',
    summary: 'Get the token signing keys',
    description:
      'Public keys for partners that verify tokens themselves (RFC 7517). A new key is listed a minute before it signs. A token does ' +
      'not show that its session has ended: call the API where that matters.',
    responses: { 200: { description: 'The keys that are valid now.', schema: Jwks } },
    async handler(_request, reply) {
      if (!signingKeys.isCurrent()) await signingKeys.waitUntilCurrent();
      return reply
        .header('cache-control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
        .header('access-control-allow-origin', '*')
        .send({ keys: signingKeys.listPublishedKeys() });
    },
  });
