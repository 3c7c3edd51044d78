import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

const POLICY = [
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

/** On every answer. Nothing inline, no foreign host, no frame around it. */
export function securityHeaders(siteUrl: string): Record<string, string> {
  return {
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'cross-origin-opener-policy': 'same-origin',
    ...(siteUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  };
}

/** Limits per address count the visitor's, not this server's. What a trusted proxy hands on and is no address: the proxy's own. */
export function visitorAddress({ ip, ips }: FastifyRequest): string {
  const address = isIP(ip) === 0 ? (ips?.findLast((hop) => isIP(hop) !== 0) ?? ip) : ip;
  return address.replace(/%.*/, '');
}

/** Whether a form was sent from one of our own pages. Browsers say so; who says nothing has no cookie to abuse either. */
export function isFromHere(request: FastifyRequest): boolean {
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
