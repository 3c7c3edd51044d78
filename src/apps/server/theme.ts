import type { FastifyInstance, FastifyRequest } from 'fastify';
import { rejectCrossOriginRequest } from './security.ts';

/** `automatico` uses the theme of the device. */
export const THEMES = ['claro', 'escuro', 'automatico'] as const;
export type Theme = (typeof THEMES)[number];

const THEME_COOKIE = 'tema';
const YEAR_SECONDS = 365 * 24 * 3600;

const isTheme = (text: string | null | undefined): text is Theme => THEMES.some((theme) => theme === text);

export function readTheme({ headers }: FastifyRequest): Theme {
  const cookiePrefix = `${THEME_COOKIE}=`;
  const cookie = headers.cookie?.split('; ').find((part) => part.startsWith(cookiePrefix));
  const theme = cookie?.slice(cookiePrefix.length);
  return isTheme(theme) ? theme : 'automatico';
}

/** Stores the chosen theme in a cookie, and redirects back. */
export function addThemeRoute(server: FastifyInstance, getSiteUrl: () => string): void {
  server.post('/tema', async (request, reply) => {
    if (rejectCrossOriginRequest(request, reply)) return reply;
    const chosenTheme = request.body instanceof URLSearchParams ? request.body.get('tema') : null;
    const theme = isTheme(chosenTheme) ? chosenTheme : 'automatico';
    const maxAge = theme === 'automatico' ? 0 : YEAR_SECONDS;
    const secure = getSiteUrl().startsWith('https:') ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${THEME_COOKIE}=${theme}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure}`,
    );
    return reply.redirect(readSameOriginReferrer(request), 303);
  });
}

/** Returns the home page if the referrer is missing or of another origin. */
function readSameOriginReferrer({ headers: { referer = '', host } }: FastifyRequest): string {
  if (!URL.canParse(referer)) return '/';
  const { host: refererHost, pathname, search } = new URL(referer);
  return refererHost === host ? pathname.replace(/^\/+/, '/') + search : '/';
}
