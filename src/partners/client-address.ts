import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { TextField } from '#platform/http/schemas.ts';
import { invalidField } from '#platform/problem.ts';
import type { ApiKey } from './store.ts';

const CLIENT_IP_HEADER = 'x-client-ip';

export const clientIpHeader = Type.Object({
  [CLIENT_IP_HEADER]: Type.Optional(
    TextField(
      'IP address of the consumer on whose behalf a server calls; limits per IP address count this address. Ignored unless the ' +
        'key is marked as `backend`.',
      '203.0.113.7',
    ),
  ),
});

const DEVICE_HEADER = 'x-device';
const DEVICE_PATTERN = '^[A-Za-z0-9_-]{8,128}$';
const DEVICE_REGEXP = new RegExp(DEVICE_PATTERN);

export const deviceHeader = Type.Object({
  [DEVICE_HEADER]: Type.Optional(
    Type.String({
      pattern: DEVICE_PATTERN,
      description:
        'An opaque id of the consumer’s device, for example from a cookie. Limits that others exhaust do not apply to a device on which ' +
        'the consumer logged in before. Many sign-ups on one device are detected.',
    }),
  ),
});

/** Returns the id of the consumer's device; null if it is missing or malformed. */
export function readDeviceId({ headers }: FastifyRequest): string | null {
  const deviceId = headers[DEVICE_HEADER];
  return typeof deviceId === 'string' && DEVICE_REGEXP.test(deviceId) ? deviceId : null;
}

/** A caller who has disconnected has no address any more, although the type of `ip` is string. */
const UNKNOWN_ADDRESS = '0.0.0.0';

/** Returns the caller's address, or the nearest proxy's address if a trusted proxy forwards a value that is not an IP address. */
export function readConnectionAddress({ ip, ips }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  if (isIP(ip) !== 0) return ip;
  const proxyAddress = ips?.findLast((hop) => isIP(hop) !== 0);
  return proxyAddress ?? ip ?? UNKNOWN_ADDRESS;
}

/** Returns the address that rate limits count: x-client-ip if the key belongs to a backend, else the caller's own. */
export function resolveClientAddress(request: FastifyRequest, key: ApiKey): string {
  const forwardedAddress = key.backend ? request.headers[CLIENT_IP_HEADER] : undefined;
  if (forwardedAddress === undefined) return readConnectionAddress(request);
  if (typeof forwardedAddress === 'string' && isIP(forwardedAddress) !== 0 && !forwardedAddress.includes('%'))
    return forwardedAddress;
  const message = { en: 'must be one IPv4 or IPv6 address', pt: 'deve ser um endereço IPv4 ou IPv6' };
  throw invalidField(`/${CLIENT_IP_HEADER}`, message, {
    en: 'The header x-client-ip is invalid.',
    pt: 'O cabeçalho x-client-ip está errado.',
  });
}
