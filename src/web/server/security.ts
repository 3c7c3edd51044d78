import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `frames`: the page has frames. `framed`: pages of our own may frame it, as in the sandbox. */
export const policyOf = ({ frames, framed }: { frames: boolean; framed: boolean }) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    ...(frames ? ["frame-src 'self'"] : []),
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
  ].join('; ');

/** `camera`: who may use it. */
export const permissionsPolicy = (camera: '' | 'self') =>
  `camera=(${camera}), microphone=(), geolocation=(), payment=()`;

/** Headers of every answer: no inline code, no foreign host, no framing by others. */
export function securityHeaders(siteUrl: string, framed: boolean): Record<string, string> {
  return {
    'content-security-policy': policyOf({ frames: false, framed }),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': permissionsPolicy(''),
    'cross-origin-opener-policy': 'same-origin',
    ...(siteUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  };
}

/**
 * The visitor's address, for the service's limits per address. When a trusted proxy forwards something that is not an IP
 * address, the proxy's own address counts.
 */
export function visitorAddress({ ip, ips }: FastifyRequest): string {
  const address = isIP(ip) === 0 ? (ips?.findLast((hop) => isIP(hop) !== 0) ?? ip) : ip;
  return address.replace(/%.*/, '');
}

/** CSRF check: whether a form was sent from one of our own pages. Browsers send these headers; clients without them have no cookie to abuse. */
function isFromHere(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.host;
}

export function refuseForeign(request: FastifyRequest, reply: FastifyReply): boolean {
  if (isFromHere(request)) return false;
  void reply
    .code(403)
    .type('text/plain; charset=utf-8')
    .send('Este formulário não foi enviado por uma página da Semana.');
  return true;
}
