import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `cameraOrigins`: the origins that may use the camera; '' for none. */
export const buildPermissionsPolicy = (cameraOrigins: '' | 'self') =>
  `camera=(${cameraOrigins}), microphone=(), geolocation=(), payment=()`;

/** The headers of every response: no inline code, no foreign host, no framing. */
export function buildSecurityHeaders(siteUrl: string): Record<string, string> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': buildPermissionsPolicy(''),
    'cross-origin-opener-policy': 'same-origin',
    ...(siteUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  };
}

/** Stands for the IP address of a visitor who has disconnected. */
const UNKNOWN_ADDRESS = '0.0.0.0';

/** `ips`: the addresses from the nearest proxy to the visitor, if proxies are trusted. */
type ClientAddresses = { ip: string | undefined; ips?: readonly string[] | undefined };

/**
 * Reads the visitor's IP address for the service's rate limits. If a trusted proxy forwards a value that is not an IP address, the
 * proxy's own address is used.
 */
export function readClientIp({ ip, ips }: ClientAddresses): string {
  const isAddress = (text: string | undefined) => text !== undefined && isIP(text) !== 0;
  const address = isAddress(ip) ? ip : ips?.findLast(isAddress);
  const zonePattern = /%.*/; // the network interface in an IPv6 address, such as fe80::1%eth0
  return (address ?? UNKNOWN_ADDRESS).replace(zonePattern, '');
}

/** Protects from CSRF. Browsers send these headers; a client that does not send them has no cookie that could be abused. */
function isSameOrigin(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.host;
}

/** Responds with 403 and returns true if the form was not sent from one of our own pages. */
export function rejectCrossOriginRequest(request: FastifyRequest, reply: FastifyReply): boolean {
  if (isSameOrigin(request)) return false;
  void reply
    .code(403)
    .type('text/plain; charset=utf-8')
    .send('Este formulário não foi enviado por uma página da Semana.');
  return true;
}
