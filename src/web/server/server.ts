import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Client, createClient, isProblem } from '#client';
import { sendLead } from '../site/lead.tsx';
import { faultPage, notFoundPage } from '../site/notices.tsx';
import { ROUTES } from '../site/routes.ts';
import type { MakePage, Visit } from '../site/visit.ts';
import { brokenPage, missingPage } from '../wallet/notices.tsx';
import { offlinePage } from '../wallet/offline.tsx';
import { assets, icon, OFFLINE, type Packed, worker } from './assets.ts';
import { drawIcon, manifest } from './install.ts';
import { Lender } from './lender.ts';
import { mediaFrom } from './media.ts';
import { type Elsewhere, type Page, Pages, packOnce, packPage, queryOf, sendPacked } from './page.ts';
import { type PageReader, Reader } from './reader.ts';
import { refuseForeign, securityHeaders, visitorAddress } from './security.ts';
import { addThemeForm } from './theme.ts';
import { isUnreachable, timedTransport } from './transport.ts';
import { addWallet } from './wallet.ts';
import { addWellKnown } from './well-known.ts';

type Options = {
  port: number;
  host: string;
  url: string | null;
  apiUrl: string;
  key: string;
  secret: Buffer;
  trustProxy: string | false;
  requestTimeoutMs?: number;
  timeoutMs?: number;
  sandbox: { staffUrl: string; staffKey: string; merchantKey: string } | null;
  // The part of the service's log that is used.
  log: { error(context: object, text: string): void; warn(context: object, text: string): void };
};

const MOST_FORM_BYTES = 64 * 1024;
/** Timeout for receiving a whole request, as at the doors. */
const REQUEST_TIMEOUT_MS = 15_000;
const A_DAY = 'public, max-age=86400';
const FOREVER = 'public, max-age=31536000, immutable';

export async function serve(options: Options): Promise<{ url: string; close(): Promise<void> }> {
  const { apiUrl, key, log, host } = options;
  const transport = timedTransport(options.timeoutMs);
  const api = createClient({ url: apiUrl, key, headers: { 'accept-language': 'pt-BR' }, transport });
  const lender = new Lender(api);
  const pages = new Pages(new Reader(api), lender);
  /** Sends a personal page, which is never cached. */
  const sendPage = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply => {
    reply.code(page.status ?? 200).header('cache-control', 'no-store');
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
        const { type, raw } = packPage(notFoundPage(siteUrl), {
          theme: 'automatico',
          creditor: lender.current(),
        });
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

  const visitOf = (request: FastifyRequest, reader: PageReader): Visit => ({
    reader,
    siteUrl,
    params: request.params as Record<string, string>,
    ...queryOf(request),
  });

  /** A 404 is a page, too, and is cached like any other. */
  const made = async (make: MakePage, visit: Visit): Promise<Page | Elsewhere> => {
    try {
      return await make(visit);
    } catch (error) {
      if (isProblem(error) && [400, 404].includes(error.status)) return notFoundPage(siteUrl);
      throw error;
    }
  };

  for (const [path, make] of Object.entries(ROUTES)) {
    server.get(path, (request, reply) =>
      pages.send(request, reply, (reader) => made(make, visitOf(request, reader))),
    );
  }
  for (const form of ['seja-parceiro', 'contato'] as const) {
    server.post(`/${form}`, async (request, reply) => {
      if (refuseForeign(request, reply)) return reply;
      const page = await sendLead(callerOf(api, request), form, siteUrl, request.body as URLSearchParams);
      return page ? sendPage(request, reply, page) : reply.redirect(`/${form}/obrigado`, 303);
    });
  }
  const kept = (packed: Packed, cacheControl: string) => (request: FastifyRequest, reply: FastifyReply) =>
    sendPacked(request, reply.header('cache-control', cacheControl), packed);
  for (const [path, file] of assets.files) server.get(path, kept(file, FOREVER));
  server.get('/icon.svg', kept(icon, A_DAY));
  server.get('/manifest.webmanifest', kept(manifest, A_DAY));
  server.get('/icon-:size.png', async (request, reply) => {
    const drawn = await drawIcon((request.params as { size: string }).size);
    return drawn ? kept(drawn, A_DAY)(request, reply) : sendPage(request, reply, notFoundPage(siteUrl));
  });
  server.get('/worker.js', kept(worker, 'no-cache'));
  server.get(OFFLINE, (request, reply) => sendPage(request, reply, offlinePage()));
  addThemeForm(server, () => siteUrl);
  addWellKnown(server, lender, () => siteUrl);
  const walletFrame = addWallet(server, () => ({
    api,
    siteUrl,
    log,
    sendPage,
    secret: options.secret,
    sandbox: options.sandbox && { ...options.sandbox, apiUrl },
  }));
  server.get('/healthz', (_request, reply) => reply.type('text/plain').send('semana web'));
  server.get('/media/*', async (request, reply) => {
    const picture = await media(request, reply);
    if (picture) return sendPacked(request, reply, picture);
    return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('');
  });

  server.setNotFoundHandler((request, reply) => {
    const page = isWallet(request) ? missingPage(walletFrame(request, reply)) : notFoundPage(siteUrl);
    return sendPage(request, reply, page);
  });
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    // A 429 is about the pages' own key: the visitor can only try again later.
    const isAway = isUnreachable(error) || (isProblem(error) && [429, 503].includes(error.status));
    const isCallers = !isProblem(error) && error.statusCode !== undefined && error.statusCode < 500;
    // The route's pattern is logged, not the address, which may contain personal data.
    const context = { err: error, route: request.routeOptions.url };
    if (isAway) log.warn(context, 'the service does not answer the pages');
    else if (!isCallers) log.error(context, 'a page failed');
    if (isAway) reply.header('retry-after', '5');
    const again = { away: isAway, address: request.url.replace(/^\/+/, '/') };
    const page = isWallet(request)
      ? brokenPage(walletFrame(request, reply), again)
      : faultPage(siteUrl, again);
    return sendPage(request, reply, isCallers ? { ...page, status: error.statusCode! } : page);
  });

  await lender.read();
  await server.listen({ host, port: options.port });
  const { port } = server.server.address() as { port: number };
  const named = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host;
  const url = `http://${named.includes(':') ? `[${named}]` : named}:${port}`;
  siteUrl = options.url ?? url;
  headers = securityHeaders(siteUrl);
  return { url, close: () => server.close() };
}

const isWallet = ({ url }: FastifyRequest) => /^\/carteira(?:[/?]|$)/.test(url);

const callerOf = (api: Client, request: FastifyRequest): Client =>
  api.with({ headers: { 'x-client-ip': visitorAddress(request) } });
