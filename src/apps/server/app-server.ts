import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Client, createClient } from '#client';
import { DAY_MS } from '#core/values/duration.ts';
import type { RunningServer, WebOptions } from '../start.ts';
import { type AccountKind, CUSTOMER_ACCOUNTS, MEMBER_ACCOUNTS } from './accounts.ts';
import type { AccountAccess, App, AppHost, ErrorPages } from './app.ts';
import { CatalogCache, CreditorCache } from './catalog-cache.ts';
import { Cookies } from './cookies.ts';
import { addMediaProxy } from './media.ts';
import { type Page, SharedPages } from './page.ts';
import { createPageServer, memoize } from './page-server.ts';
import { SandboxClient } from './sandbox.ts';
import { readClientIp } from './security.ts';
import { Sessions } from './sessions.ts';
import { createTransportWithTimeout } from './transport.ts';

export async function startAppServer(
  options: WebOptions,
  { apps, renderBadUrlPage }: { apps: readonly App[]; renderBadUrlPage(siteUrl: string): Page },
): Promise<RunningServer> {
  const { apiUrl, key, log } = options;
  const transport = createTransportWithTimeout(options.apiTimeoutMs);
  const clientOptions = { url: apiUrl, headers: { 'accept-language': 'pt-BR' }, transport };
  const api = createClient({ ...clientOptions, key });
  const creditorCache = new CreditorCache(api);
  const catalog = new CatalogCache(api);
  const findErrorPages = ({ url }: FastifyRequest): ErrorPages => {
    const path = url.split('?')[0]!;
    const isWithin = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
    // `addedApps` is filled below, before the server listens. The last app is the public site, which has no prefixes.
    return (addedApps.find(({ pathPrefixes }) => pathPrefixes.some(isWithin)) ?? addedApps.at(-1)!)
      .errorPages;
  };
  const { server, getSiteUrl, sendPage, listen } = createPageServer(options, {
    name: 'semana web',
    getCreditor: () => creditorCache.getCreditor(),
    renderBadUrlPage,
    findErrorPages,
  });
  addWellKnownRoutes(server, creditorCache, getSiteUrl);
  addMediaProxy(server, apiUrl);

  const getCookies = memoize(() => new Cookies(options.secret, getSiteUrl()));
  const createAccess = (kind: AccountKind, client: Client): AccountAccess => ({
    ...kind,
    createClientFor: (request) => client.with({ headers: { 'x-client-ip': readClientIp(request) } }),
    getSessions: memoize(() => new Sessions(getCookies(), options.secret, `${kind.cookiePrefix}sessao`)),
  });
  const { tillKey } = options;
  const host: AppHost = {
    server,
    api,
    customers: createAccess(CUSTOMER_ACCOUNTS, api),
    members:
      tillKey === null
        ? undefined
        : createAccess(
            MEMBER_ACCOUNTS,
            createClient({ ...clientOptions, key: tillKey, refreshBy: 'refreshMember' }),
          ),
    creditorCache,
    catalog,
    sharedPages: new SharedPages(catalog, creditorCache),
    getSiteUrl,
    getCookies,
    sandbox: options.sandbox ? new SandboxClient({ ...options.sandbox, apiUrl }) : undefined,
    log,
    sendPage,
  };
  const addedApps = apps.flatMap(({ pathPrefixes, addRoutes }) => {
    const errorPages = addRoutes(host);
    return errorPages ? [{ pathPrefixes, errorPages }] : [];
  });
  await creditorCache.refresh();
  return listen();
}

const SECURITY_TXT_VALID_MS = 180 * DAY_MS;

/** /.well-known/: the security contact (RFC 9116) and the page to change a password. */
export function addWellKnownRoutes(
  server: FastifyInstance,
  creditorCache: CreditorCache,
  getSiteUrl: () => string,
): void {
  server.get('/.well-known/security.txt', (_request, reply) => {
    const creditor = creditorCache.getCreditor();
    reply.type('text/plain; charset=utf-8');
    if (!creditor)
      return reply.code(503).headers({ 'retry-after': '5', 'cache-control': 'no-store' }).send('');
    // Rounded to the day, so that the text is the same all day.
    const expires = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + SECURITY_TXT_VALID_MS);
    const lines = [
      `Contact: mailto:${creditor.email}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: pt, en',
      `Canonical: ${getSiteUrl()}/.well-known/security.txt`,
    ];
    return reply.header('cache-control', 'public, max-age=86400').send(`${lines.join('\n')}\n`);
  });
  server.get('/.well-known/change-password', (_request, reply) => reply.redirect('/carteira/senha', 302));
}
