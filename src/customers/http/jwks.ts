import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import type { CustomersDeps } from '../customers.ts';
import { JWKS_MAX_AGE_SECONDS } from '../tokens/signing-keys.ts';

const ExampleText = (example: string) => Type.String({ examples: [example] });

const Jwks = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: ExampleText('OKP'),
        crv: ExampleText('Ed25519'),
        x: ExampleText('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
        kid: ExampleText('tk_01kfx3c8gq5v0m7d2h9ynwztb4'),
        alg: ExampleText('EdDSA'),
        use: ExampleText('sig'),
      }),
    ),
  },
  { $id: 'Jwks' },
);

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
