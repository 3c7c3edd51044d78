import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isProblem } from '#client';
import type { RunningWeb, WebOptions } from '../open.ts';
import { assets, icon } from './assets.ts';
import type { ErrorPages } from './face.ts';
import type { Creditor } from './lender.ts';
import { A_DAY, FOREVER, type Page, packOnce, packPage, sendKept, sendPacked } from './page.ts';
import { securityHeaders } from './security.ts';
import { addThemeForm } from './theme.ts';
import { isUnreachable } from './transport.ts';

export type ListenOptions = Pick<
  WebOptions,
  'port' | 'host' | 'url' | 'trustProxy' | 'requestTimeoutMs' | 'log'
>;

export type Listener = {
  server: FastifyInstance;
  /** The address people type, without a slash at the end. Known once the server listens. */
  siteUrl(): string;
  /** A page for one person: never cached. */
  sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply;
  /** Opens the port, when all routes are there. */
  listen(): Promise<RunningWeb>;
};

const MOST_FORM_BYTES = 64 * 1024;
/** Timeout for receiving a whole request, as at the doors. */
const REQUEST_TIMEOUT_MS = 15_000;

/** A server of pages: styles and scripts, security headers, forms, error pages. It knows no face and no door. */
export function openListener(
  options: ListenOptions,
  {
    name,
    isFramed = false,
    creditor = () => undefined,
    notFoundPage,
    errorsOf,
  }: {
    /** What /healthz answers. */
    name: string;
    /** Pages of our own may frame others. */
    isFramed?: boolean;
    creditor?: () => Creditor | undefined;
    /** For an address that cannot be decoded. */
    notFoundPage(siteUrl: string): Page;
    errorsOf(request: FastifyRequest): ErrorPages;
  },
): Listener {
  const { log } = options;
  let siteUrl = options.url ?? '';
  let headers: Record<string, string> = {};
  const sendPage = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply => {
    reply.code(page.status ?? 200).headers({ ...page.headers, 'cache-control': 'no-store' });
    return sendPacked(request, reply, packOnce(page, request, creditor()));
  };

  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const server = Fastify({
    trustProxy: options.trustProxy,
    requestTimeout,
    http: { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval: 1_000 },
    bodyLimit: MOST_FORM_BYTES,
    forceCloseConnections: true,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 200,
      // An address that cannot be decoded skips all routes and hooks.
      onBadUrl: (_path, _request, response) => {
        const around = { theme: 'automatico', creditor: creditor() } as const;
        const { type, raw } = packPage(notFoundPage(siteUrl), around);
        response.writeHead(400, { ...headers, 'content-type': type }).end(raw);
      },
    },
  });
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    // Node keeps only the first Host header; a proxy may have used another one.
    if ((request.raw.headersDistinct.host?.length ?? 0) > 1)
      throw Object.assign(new Error('The header Host is there more than once.'), { statusCode: 400 });
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );

  for (const [path, file] of assets.files) server.get(path, sendKept(file, FOREVER));
  server.get('/icon.svg', sendKept(icon, A_DAY));
  addThemeForm(server, () => siteUrl);
  server.get('/healthz', (_request, reply) => reply.type('text/plain').send(name));

  server.setNotFoundHandler((request, reply) =>
    sendPage(request, reply, errorsOf(request).missing(request, reply)),
  );
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    // A 429 is about the pages' own key: the visitor can only try again later.
    const isAway = isUnreachable(error) || (isProblem(error) && [429, 503].includes(error.status));
    const isCallers = !isProblem(error) && error.statusCode !== undefined && error.statusCode < 500;
    // The route's pattern is logged, not the address, which may contain personal data.
    const context = { err: error, route: request.routeOptions.url };
    if (isAway) log.warn(context, 'the service does not answer the pages');
    else if (!isCallers) log.error(context, 'a page failed');
    if (isAway) reply.header('retry-after', '5');
    const address = request.url.replace(/^\/+/, '/');
    const page = errorsOf(request).broken(request, reply, { away: isAway, address });
    return sendPage(request, reply, isCallers ? { ...page, status: error.statusCode! } : page);
  });

  return {
    server,
    siteUrl: () => siteUrl,
    sendPage,
    async listen() {
      await server.listen({ host: options.host, port: options.port });
      const { port } = server.server.address() as { port: number };
      const named = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(options.host) ? 'localhost' : options.host;
      const url = `http://${named.includes(':') ? `[${named}]` : named}:${port}`;
      siteUrl = options.url ?? url;
      headers = securityHeaders(siteUrl, isFramed);
      return { url, close: () => server.close() };
    },
  };
}

/** For what depends on the site's address, which is known once the server listens. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
