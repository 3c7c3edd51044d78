import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createContext, h, isValidElement, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { brotli, type Packed, pack } from './assets.ts';
import type { Creditor, Lender } from './lender.ts';
import { isFresh, PageReader, type Reader, refresh } from './reader.ts';
import { type Theme, themeOf } from './theme.ts';

/** A page's body, with its status and content type, and headers that are not those of every page. */
export type Page = {
  status?: number;
  body: VNode | string | Buffer;
  type?: string;
  headers?: Record<string, string>;
};
/** A redirect instead of a page. */
export type Elsewhere = { to: string };
/** What is made for an address: a page, or its body where nothing else is to be said of it, or a redirect. */
export type Made = Page | VNode | Elsewhere;
/** What the frame of every page shows. */
export type Around = { theme: Theme; creditor: Creditor | undefined };

export const ThemeContext = createContext<Theme>('automatico');
/** Undefined until the service has answered. */
export const CreditorContext = createContext<Creditor | undefined>(undefined);

type CachedPage = Packed & { status: number; etag: string; sources: PageReader['sources'] };

const MOST_BYTES = 64 * 1024 * 1024;
const HTML = 'text/html; charset=utf-8';
/** Brotli quality of shared pages: 5 is a fifth smaller than 1 and costs half a millisecond. */
const QUALITY = 5;
/** Brotli quality of personal pages: 1 takes a third of the time of 3 for a twelfth more bytes. */
const QUALITY_ONCE = 1;

/** Pages that are the same for everybody: rendered and compressed once, until their data changes. */
export class Pages {
  readonly #reader: Reader;
  readonly #lender: Lender;
  readonly #kept = new LRUCache<string, CachedPage>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ raw, br, gzip }) => raw.length + (br?.length ?? 0) + (gzip?.length ?? 0) + 1_000,
  });

  constructor(reader: Reader, lender: Lender) {
    this.#reader = reader;
    this.#lender = lender;
  }

  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    make: (reader: PageReader) => Promise<Made>,
  ): Promise<FastifyReply> {
    const around = { theme: themeOf(request), creditor: this.#lender.current() };
    const address = `${JSON.stringify(around)} ${request.url}`;
    reply.header('vary', 'cookie');
    const known = this.#kept.get(address);
    if (known) {
      const old = known.sources.filter(({ source }) => !isFresh(source));
      if (old.length > 0) await Promise.all(old.map(({ source }) => refresh(source)));
      if (known.sources.every(({ source, version }) => source.version === version))
        return sendPacked(request, reply.code(known.status), known);
    }
    const reader = new PageReader(this.#reader);
    const made = await make(reader);
    if ('to' in made) return reply.redirect(made.to, 302);
    const page = pageOf(made);
    const kept: CachedPage = {
      ...packPage(page, around),
      status: page.status ?? 200,
      sources: reader.sources,
    };
    this.#kept.set(address, kept);
    return sendPacked(request, reply.code(kept.status), kept);
  }
}

export const pageOf = (made: Page | VNode): Page => (isValidElement(made) ? { body: made } : made);

export function packPage({ body, type = HTML }: Page, around: Around): Packed & { etag: string } {
  const raw = bytesOf(body, around);
  return { ...pack(type, raw, QUALITY), etag: `"${hash('sha1', raw, 'base64url')}"` };
}

/** For a personal page: only in the one encoding that the browser accepts. */
export function packOnce(
  { body, type = HTML }: Page,
  request: FastifyRequest,
  creditor: Creditor | undefined,
): Packed {
  const accepted = request.headers['accept-encoding'] ?? '';
  const raw = bytesOf(body, { theme: themeOf(request), creditor });
  if (/\bbr\b/.test(accepted)) return { type, raw, br: brotli(raw, QUALITY_ONCE) };
  return /\bgzip\b/.test(accepted) ? { type, raw, gzip: gzipSync(raw) } : { type, raw };
}

/** Reads the query: values are trimmed, and undefined if empty or repeated. `page` is a whole number of at least 1. */
export function queryOf({ query: sent }: FastifyRequest) {
  const query = (name: string) => {
    const value = (sent as Record<string, unknown>)[name];
    return typeof value === 'string' ? value.trim() || undefined : undefined;
  };
  const page = () => {
    const text = query('pagina') ?? query('page') ?? '';
    return /^\d+$/.test(text) ? Math.min(Math.max(Number(text), 1), MOST_PAGE) : 1;
  };
  return { query, page };
}

/** Larger than any list, and within what the service accepts. */
const MOST_PAGE = 1_000_000;

const bytesOf = (body: Page['body'], around: Around): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : render(body, around));

function render(node: VNode, { theme, creditor }: Around): string {
  const themed = h(ThemeContext.Provider, { value: theme }, node);
  return `<!doctype html>${renderToString(h(CreditorContext.Provider, { value: creditor }, themed))}`;
}

export function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  packed: Packed & { etag?: string },
): FastifyReply {
  const { type, raw, br, gzip, etag } = packed;
  if (etag !== undefined) {
    reply.header('etag', etag);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
    if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
  }
  reply.type(type);
  if (!br && !gzip) return reply.send(raw);
  const accepted = request.headers['accept-encoding'] ?? '';
  const vary = reply.getHeader('vary');
  reply.header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
  if (br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(br);
  if (gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(gzip);
  return reply.send(raw);
}

export const A_DAY = 'public, max-age=86400';
export const FOREVER = 'public, max-age=31536000, immutable';

/** The same bytes for everybody. */
export const sendKept =
  (packed: Packed, cacheControl: string) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPacked(request, reply.header('cache-control', cacheControl), packed);
