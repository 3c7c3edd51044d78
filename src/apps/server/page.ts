import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createContext, h, isValidElement, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { compress, compressWithBrotli, type EncodedBody } from './assets.ts';
import { type CatalogCache, type Creditor, type CreditorCache, PageReader } from './catalog-cache.ts';
import { readTheme, type Theme } from './theme.ts';

/** `type`: the content type, HTML by default. `headers`: additional headers of this page. */
export type Page = {
  status?: number;
  body: VNode | string | Buffer;
  type?: string;
  headers?: Record<string, string>;
};
export type Redirect = { redirectTo: string };
/** An element alone is a page with the status 200. */
export type PageResult = Page | VNode | Redirect;
export type PageContext = { theme: Theme; creditor: Creditor | undefined };

export const ThemeContext = createContext<Theme>('automatico');
/** Undefined until the service has responded once. */
export const CreditorContext = createContext<Creditor | undefined>(undefined);

type CachedPage = EncodedBody & { status: number; etag: string; resources: PageReader['resources'] };

const MAX_CACHE_BYTES = 64 * 1024 * 1024;
/** An estimate of the memory for the key and the fields of a cached page. */
const CACHE_ENTRY_OVERHEAD_BYTES = 1_000;
const HTML_TYPE = 'text/html; charset=utf-8';
/** Brotli quality 5 produces a fifth fewer bytes than quality 1 and takes half a millisecond. */
const SHARED_BROTLI_QUALITY = 5;
/** Brotli quality 1 takes a third of the time of quality 3 and produces a twelfth more bytes. */
const PERSONAL_BROTLI_QUALITY = 1;

/** Caches the pages that are the same for all visitors: each is rendered and compressed once, until its data changes. */
export class SharedPages {
  readonly #catalog: CatalogCache;
  readonly #creditorCache: CreditorCache;
  readonly #pages = new LRUCache<string, CachedPage>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ raw, br, gzip }) =>
      raw.length + (br?.length ?? 0) + (gzip?.length ?? 0) + CACHE_ENTRY_OVERHEAD_BYTES,
  });

  constructor(catalog: CatalogCache, creditorCache: CreditorCache) {
    this.#catalog = catalog;
    this.#creditorCache = creditorCache;
  }

  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    handlePage: (reader: PageReader) => Promise<PageResult>,
  ): Promise<FastifyReply> {
    const context = { theme: readTheme(request), creditor: this.#creditorCache.getCreditor() };
    const cacheKey = `${JSON.stringify(context)} ${request.url}`;
    reply.header('vary', 'cookie');
    const cachedPage = this.#pages.get(cacheKey);
    if (cachedPage) {
      const staleResources = cachedPage.resources.filter(({ resource }) => !resource.isFresh());
      if (staleResources.length > 0)
        await Promise.all(staleResources.map(({ resource }) => resource.revalidate()));
      if (cachedPage.resources.every(({ resource, version }) => resource.version === version))
        return sendCompressed(request, reply.code(cachedPage.status), cachedPage);
    }
    const reader = new PageReader(this.#catalog);
    const result = await handlePage(reader);
    if ('redirectTo' in result) return reply.redirect(result.redirectTo, 302);
    const page = toPage(result);
    const newPage: CachedPage = {
      ...encodeSharedPage(page, context),
      status: page.status ?? 200,
      resources: reader.resources,
    };
    this.#pages.set(cacheKey, newPage);
    return sendCompressed(request, reply.code(newPage.status), newPage);
  }
}

export const toPage = (result: Page | VNode): Page => (isValidElement(result) ? { body: result } : result);

export function wrapElement(result: PageResult, wrap: (element: VNode) => VNode): PageResult {
  if ('redirectTo' in result) return result;
  const page = toPage(result);
  return isValidElement(page.body) ? { ...page, body: wrap(page.body) } : page;
}

export function encodeSharedPage({ body, type = HTML_TYPE }: Page, context: PageContext) {
  const raw = renderBody(body, context);
  return { ...compress(type, raw, SHARED_BROTLI_QUALITY), etag: `"${hash('sha1', raw, 'base64url')}"` };
}

/** Compresses the page only in an encoding that the browser accepts. */
export function encodePersonalPage(
  { body, type = HTML_TYPE }: Page,
  request: FastifyRequest,
  creditor: Creditor | undefined,
): EncodedBody {
  const acceptedEncodings = request.headers['accept-encoding'] ?? '';
  const raw = renderBody(body, { theme: readTheme(request), creditor });
  if (/\bbr\b/.test(acceptedEncodings))
    return { type, raw, br: compressWithBrotli(raw, PERSONAL_BROTLI_QUALITY) };
  return /\bgzip\b/.test(acceptedEncodings) ? { type, raw, gzip: gzipSync(raw) } : { type, raw };
}

/** More than the pages of any list, and within the limit that the service sets for `page`. */
const MAX_PAGE_NUMBER = 1_000_000;

/** `readQuery` returns the trimmed value of a query parameter, or undefined if it is empty or repeated. `pageNumber` is at least 1. */
export function createQueryReader(request: FastifyRequest) {
  const readQuery = (name: string) => {
    const value = (request.query as Record<string, unknown>)[name];
    return typeof value === 'string' ? value.trim() || undefined : undefined;
  };
  const pageText = readQuery('pagina') ?? readQuery('page') ?? '';
  const pageNumber = /^\d+$/.test(pageText) ? Math.min(Math.max(Number(pageText), 1), MAX_PAGE_NUMBER) : 1;
  return { readQuery, pageNumber };
}

const renderBody = (body: Page['body'], context: PageContext): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : renderHtml(body, context));

function renderHtml(node: VNode, { theme, creditor }: PageContext): string {
  const themedNode = h(ThemeContext.Provider, { value: theme }, node);
  return `<!doctype html>${renderToString(h(CreditorContext.Provider, { value: creditor }, themedNode))}`;
}

/** Sends the body in an encoding that the browser accepts, or 304 if the browser has the version with this ETag. */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, raw, br, gzip, etag }: EncodedBody & { etag?: string },
): FastifyReply {
  if (etag !== undefined) {
    reply.header('etag', etag);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
    if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
  }
  reply.type(type);
  if (!br && !gzip) return reply.send(raw);
  const acceptedEncodings = request.headers['accept-encoding'] ?? '';
  const vary = reply.getHeader('vary');
  reply.header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
  if (br && /\bbr\b/.test(acceptedEncodings)) return reply.header('content-encoding', 'br').send(br);
  if (gzip && /\bgzip\b/.test(acceptedEncodings)) return reply.header('content-encoding', 'gzip').send(gzip);
  return reply.send(raw);
}

export const CACHE_ONE_DAY = 'public, max-age=86400';
export const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable';

/** Creates the handler of a route whose response is the same for all visitors. */
export const createStaticHandler =
  (content: EncodedBody, cacheControl: string) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendCompressed(request, reply.header('cache-control', cacheControl), content);
