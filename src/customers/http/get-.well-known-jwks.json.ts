import { endpoint } from '#platform/http/endpoint.ts';
import type { Customers } from '../customers.ts';
import { Jwks } from '../schemas.ts';
import { JWKS_MAX_AGE_SECONDS } from '../tokens/rotate-keys.ts';

export const getWellKnownJwksJson = ({ keys }: Customers) =>
  endpoint('GET /.well-known/jwks.json', {
    access: 'open',
    id: 'getSigningKeys',
    summary: 'The public keys that tokens are signed with',
    description:
      'For partners that check tokens themselves (RFC 7517). A new key is listed a minute before it signs. That a session has ' +
      'ended cannot be seen from a token: ask us for what matters.',
    answers: { 200: { description: 'The keys that count now.', schema: Jwks } },
    async handler(_request, reply) {
      if (!keys.current()) await keys.whenCurrent();
      return reply
        .header('cache-control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
        .header('access-control-allow-origin', '*')
        .send({ keys: keys.published() });
    },
  });
