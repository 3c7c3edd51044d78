import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuseForeign } from './security.ts';

/** `automatico` follows the device. */
export const THEMES = ['claro', 'escuro', 'automatico'] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE = 'tema';
const A_YEAR_SECONDS = 365 * 24 * 3600;

const isTheme = (text: string | null | undefined): text is Theme => THEMES.some((theme) => theme === text);

export function themeOf({ headers }: FastifyRequest): Theme {
  const start = `${COOKIE}=`;
  const found = headers.cookie?.split('; ').find((cookie) => cookie.startsWith(start));
  const text = found?.slice(start.length);
  return isTheme(text) ? text : 'automatico';
}

/** Stores the chosen theme in a cookie, and redirects back. */
export function addThemeForm(server: FastifyInstance, siteUrl: () => string): void {
  server.post('/tema', async (request, reply) => {
    if (refuseForeign(request, reply)) return reply;
    const sent = request.body instanceof URLSearchParams ? request.body.get('tema') : null;
    const theme = isTheme(sent) ? sent : 'automatico';
    const seconds = theme === 'automatico' ? 0 : A_YEAR_SECONDS;
    const secure = siteUrl().startsWith('https:') ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${COOKIE}=${theme}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`,
    );
    return reply.redirect(backFrom(request), 303);
  });
}

/** The page that has the form; never an address of another site. */
function backFrom({ headers: { referer = '', host } }: FastifyRequest): string {
  if (!URL.canParse(referer)) return '/';
  const { host: from, pathname, search } = new URL(referer);
  return from === host ? pathname.replace(/^\/+/, '/') + search : '/';
}
