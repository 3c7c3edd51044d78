import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isProblem } from '#client';
import type { RunningServer, WebOptions } from '../start.ts';
import type { ErrorPages } from './app.ts';
import { assets, icon } from './assets.ts';
import type { Creditor } from './catalog-cache.ts';
import {
  CACHE_IMMUTABLE,
  CACHE_ONE_DAY,
  createStaticHandler,
  encodePersonalPage,
  encodeSharedPage,
  type Page,
  sendCompressed,
} from './page.ts';
import { buildSecurityHeaders } from './security.ts';
import { addThemeRoute } from './theme.ts';
import { isUnreachable } from './transport.ts';

export type PageServerOptions = Pick<
  WebOptions,
  'port' | 'host' | 'url' | 'trustProxy' | 'requestTimeoutMs' | 'log'
>;

export type PageServer = {
  server: FastifyInstance;
  /** The public URL, without a trailing slash. It is known once the server listens. */
  getSiteUrl(): string;
  sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply;
  /** Opens the port. All routes must have been added before. */
  listen(): Promise<RunningServer>;
};

const MAX_FORM_BYTES = 64 * 1024;
/** Timeout for receiving a whole request; the API servers use the same. */
const REQUEST_TIMEOUT_MS = 15_000;

/** Creates a server of pages with styles and scripts, security headers, forms and error pages. It does not depend on the apps or the API. */
export function createPageServer(
  options: PageServerOptions,
  {
    name,
    getCreditor = () => undefined,
    renderBadUrlPage,
    findErrorPages,
  }: {
    name: string;
    getCreditor?: () => Creditor | undefined;
    /** Rendered for a URL that cannot be decoded. */
    renderBadUrlPage(siteUrl: string): Page;
    findErrorPages(request: FastifyRequest): ErrorPages;
  },
): PageServer {
  const { log } = options;
  let siteUrl = options.url ?? '';
  let securityHeaders: Record<string, string> = {};
  const sendPage = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply => {
    reply.code(page.status ?? 200).headers({ ...page.headers, 'cache-control': 'no-store' });
    return sendCompressed(request, reply, encodePersonalPage(page, request, getCreditor()));
  };

  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const server = Fastify({
    trustProxy: options.trustProxy,
    requestTimeout,
    http: { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval: 1_000 },
    bodyLimit: MAX_FORM_BYTES,
    forceCloseConnections: true,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 200,
      // A URL that cannot be decoded skips all routes and hooks.
      onBadUrl: (_path, _request, response) => {
        const context = { theme: 'automatico', creditor: getCreditor() } as const;
        const { type, raw } = encodeSharedPage(renderBadUrlPage(siteUrl), context);
        response.writeHead(400, { ...securityHeaders, 'content-type': type }).end(raw);
      },
    },
  });
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders);
    // Node uses only the first Host header; a proxy may have used another one.
    if ((request.raw.headersDistinct.host?.length ?? 0) > 1)
      throw Object.assign(new Error('The request has more than one Host header.'), { statusCode: 400 });
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );

  for (const [path, file] of assets.files) server.get(path, createStaticHandler(file, CACHE_IMMUTABLE));
  server.get('/icon.svg', createStaticHandler(icon, CACHE_ONE_DAY));
  addThemeRoute(server, () => siteUrl);
  server.get('/healthz', (_request, reply) => reply.type('text/plain').send(name));

  server.setNotFoundHandler((request, reply) =>
    sendPage(request, reply, findErrorPages(request).renderNotFound(request, reply)),
  );
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    // A 429 is about the API key of the pages: the visitor can only try again later.
    const isUnavailable = isUnreachable(error) || (isProblem(error) && [429, 503].includes(error.status));
    const isClientError = !isProblem(error) && error.statusCode !== undefined && error.statusCode < 500;
    // The route's pattern is logged, not the URL, which may contain personal data.
    const logContext = { err: error, route: request.routeOptions.url };
    if (isUnavailable) log.warn(logContext, 'the API is unavailable');
    else if (!isClientError) log.error(logContext, 'a page failed');
    if (isUnavailable) reply.header('retry-after', '5');
    // As a link, a URL that starts with two slashes would lead to another host.
    const url = request.url.replace(/^\/+/, '/');
    const page = findErrorPages(request).renderFailure(request, reply, { isUnavailable, url });
    return sendPage(request, reply, isClientError ? { ...page, status: error.statusCode! } : page);
  });

  return {
    server,
    getSiteUrl: () => siteUrl,
    sendPage,
    async listen() {
      await server.listen({ host: options.host, port: options.port });
      const { port } = server.server.address() as { port: number };
      const listensOnLocalhost = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(options.host);
      const host = listensOnLocalhost ? 'localhost' : options.host;
      const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      siteUrl = options.url ?? url;
      securityHeaders = buildSecurityHeaders(siteUrl);
      return { url, close: () => server.close() };
    },
  };
}

/** Delays `create` until the first call, for values that depend on the site's URL, which is known once the server listens. */
export function memoize<T extends object>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
