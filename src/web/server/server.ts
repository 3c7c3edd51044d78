import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Client, createClient, isProblem } from '#client';
import { assets, icon } from './assets.ts';
import { Cookies } from './cookies.ts';
import type { ErrorPages, Face, Host, Log } from './face.ts';
import { Lender } from './lender.ts';
import { mediaFrom } from './media.ts';
import { A_DAY, FOREVER, type Page, Pages, packOnce, packPage, sendKept, sendPacked } from './page.ts';
import { CUSTOMERS, type Kind, MEMBERS, type People } from './people.ts';
import { Reader } from './reader.ts';
import { Sandbox } from './sandbox.ts';
import { securityHeaders, visitorAddress } from './security.ts';
import { Sessions } from './sessions.ts';
import { addThemeForm } from './theme.ts';
import { isUnreachable, timedTransport } from './transport.ts';
import { addWellKnown } from './well-known.ts';

type Options = {
  port: number;
  host: string;
  url: string | null;
  apiUrl: string;
  key: string;
  tillKey: string | null;
  secret: Buffer;
  trustProxy: string | false;
  requestTimeoutMs?: number;
  timeoutMs?: number;
  sandbox: { staffUrl: string; staffKey: string; merchantKey: string } | null;
  log: Log;
};

const MOST_FORM_BYTES = 64 * 1024;
/** Timeout for receiving a whole request, as at the doors. */
const REQUEST_TIMEOUT_MS = 15_000;

export async function serve(
  options: Options,
  { faces, notFoundPage }: { faces: readonly Face[]; notFoundPage(siteUrl: string): Page },
): Promise<{ url: string; close(): Promise<void> }> {
  const { apiUrl, key, log } = options;
  const transport = timedTransport(options.timeoutMs);
  const door = { url: apiUrl, headers: { 'accept-language': 'pt-BR' }, transport };
  const api = createClient({ ...door, key });
  const lender = new Lender(api);
  const reader = new Reader(api);
  const pages = new Pages(reader, lender);
  /** Sends a personal page, which is never cached. */
  const sendPage = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply => {
    reply.code(page.status ?? 200).headers({ ...page.headers, 'cache-control': 'no-store' });
    return sendPacked(request, reply, packOnce(page, request, lender.current()));
  };
  const media = mediaFrom(apiUrl);
  let siteUrl = options.url ?? '';
  let headers: Record<string, string> = {};

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
        const around = { theme: 'automatico', creditor: lender.current() } as const;
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
  addWellKnown(server, lender, () => siteUrl);
  server.get('/healthz', (_request, reply) => reply.type('text/plain').send('semana web'));
  server.get('/media/*', async (request, reply) => {
    const picture = await media(request, reply);
    if (picture) return sendPacked(request, reply, picture);
    return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('');
  });

  const cookies = lazily(() => new Cookies(options.secret, siteUrl));
  const meet = (kind: Kind, client: Client): People => ({
    ...kind,
    callerOf: (request) => client.with({ headers: { 'x-client-ip': visitorAddress(request) } }),
    sessions: lazily(() => new Sessions(cookies(), options.secret, `${kind.prefix}sessao`)),
  });
  const host: Host = {
    server,
    api,
    customers: meet(CUSTOMERS, api),
    members:
      options.tillKey === null
        ? undefined
        : meet(MEMBERS, createClient({ ...door, key: options.tillKey, refreshBy: 'refreshMember' })),
    lender,
    reader,
    pages,
    siteUrl: () => siteUrl,
    cookies,
    sandbox: options.sandbox ? new Sandbox({ ...options.sandbox, apiUrl }) : undefined,
    log,
    sendPage,
  };
  const added = faces.flatMap(({ prefixes, add }) => {
    const errors = add(host);
    return errors ? [{ prefixes, errors }] : [];
  });
  const errorsOf = ({ url }: FastifyRequest): ErrorPages => {
    const path = url.split('?')[0]!;
    const isIn = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
    return (added.find(({ prefixes }) => prefixes.some(isIn)) ?? added.at(-1)!).errors;
  };
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

  await lender.read();
  await server.listen({ host: options.host, port: options.port });
  const { port } = server.server.address() as { port: number };
  const named = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(options.host) ? 'localhost' : options.host;
  const url = `http://${named.includes(':') ? `[${named}]` : named}:${port}`;
  siteUrl = options.url ?? url;
  headers = securityHeaders(siteUrl, options.sandbox !== null);
  return { url, close: () => server.close() };
}

/** Cookies depend on the site's address, which is known once the server listens. */
function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
