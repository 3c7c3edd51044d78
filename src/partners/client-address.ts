import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { validationFailed } from '#platform/problem.ts';
import type { ApiKey } from './api-key.ts';

const HEADER = 'x-client-ip';

/** For endpoints with a limit per address. */
export const clientIpHeader = Type.Object({
  [HEADER]: Type.Optional(
    Type.String({
      description:
        'Address of the consumer a server calls for, which limits per address then count. Only from a key that is marked as a ' +
        "backend's; from any other it is ignored.",
      examples: ['203.0.113.7'],
    }),
  ),
});

/** When a trusted proxy forwards something that is not an IP address, the nearest proxy's own address counts. */
const callerAddress = ({ ip, ips }: FastifyRequest): string =>
  isIP(ip) === 0 ? (ips?.findLast((hop) => isIP(hop) !== 0) ?? ip) : ip;

/** The address that rate limits count: x-client-ip when the key belongs to a backend, else the caller's own. */
export function clientAddress(request: FastifyRequest, key: ApiKey): string {
  const named = key.backend ? request.headers[HEADER] : undefined;
  if (named === undefined) return callerAddress(request);
  if (typeof named === 'string' && isIP(named) !== 0 && !named.includes('%')) return named;
  const message = { en: 'must be one IPv4 or IPv6 address', pt: 'deve ser um endereço IPv4 ou IPv6' };
  throw validationFailed([{ pointer: `/${HEADER}`, message }], {
    en: 'The header x-client-ip is wrong.',
    pt: 'O cabeçalho x-client-ip está errado.',
  });
}
