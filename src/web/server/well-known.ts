import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '#core/duration.ts';
import type { Lender } from './lender.ts';

const VALID_MS = 180 * DAY_MS;

/** /.well-known/: the security contact (RFC 9116) and the page to change a password. */
export function addWellKnown(server: FastifyInstance, lender: Lender, siteUrl: () => string): void {
  server.get('/.well-known/security.txt', (_request, reply) => {
    const creditor = lender.current();
    reply.type('text/plain; charset=utf-8');
    if (!creditor)
      return reply.code(503).headers({ 'retry-after': '5', 'cache-control': 'no-store' }).send('');
    // Rounded to the day, so that the text is the same all day.
    const expires = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + VALID_MS);
    const lines = [
      `Contact: mailto:${creditor.email}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: pt, en',
      `Canonical: ${siteUrl()}/.well-known/security.txt`,
    ];
    return reply.header('cache-control', 'public, max-age=86400').send(`${lines.join('\n')}\n`);
  });
  server.get('/.well-known/change-password', (_request, reply) => reply.redirect('/carteira/senha', 302));
}
