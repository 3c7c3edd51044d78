import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { copyUnpooled } from '../database/unpooled.ts';
import type { Access } from './access.ts';
import { collectHeaders } from './default-headers.ts';

declare const SENT: unique symbol;
/** Returned by a handler that has sent the response itself. */
export type Sent = { readonly [SENT]: true };

/** A complete serialized response, built once and sent many times. */
export type CachedResponse = {
  etag: string;
  body: Buffer;
  /** Alternating names and values, which Node writes without checking each one. */
  headers: string[];
  notModifiedHeaders: string[];
  /** When the response expires, for example because the next post is published then. */
  validUntilMs?: number;
  /** The head that Node wrote after the request id, valid for one second: see fast-path.ts. */
  head?: { second: number; callerHeaders: string[]; textAfterId: string };
  /** The endpoint of the response, which is set when it is first sent on the normal path. */
  endpoint?: { route: string; access: Access };
};

/** Clients must revalidate their copies. Shared caches may not store a response to the owner of an API key. */
const CACHE_CONTROL = 'private, no-cache';
const ESTIMATED_HEADERS_BYTES = 1_000;

export function createCachedResponse(
  content: Buffer | string,
  options: { link?: string; validUntilMs?: number } = {},
): CachedResponse {
  const { link, ...expiry } = options;
  const body = copyUnpooled(content);
  const etag = `"${hash('sha1', body, 'base64url')}"`;
  const notModifiedHeaders = ['etag', etag, 'cache-control', CACHE_CONTROL, ...(link ? ['link', link] : [])];
  const headers = [
    ...notModifiedHeaders,
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(body.length),
  ];
  return { etag, body, headers, notModifiedHeaders, ...expiry };
}

type CachedRequest = Pick<FastifyRequest, 'id' | 'server' | 'raw' | 'headers' | 'routeOptions'>;
type SentReply = Pick<FastifyReply, 'hijack' | 'raw' | 'getHeaders'>;

/** Sends the response, or 304 if the caller already has it. Bypasses Fastify, because the response only has to be written. */
export function sendCached(request: CachedRequest, reply: SentReply, response: CachedResponse): Sent {
  const { url, config } = request.routeOptions;
  response.endpoint ??= { route: url!, access: config.access! };
  const isUnchanged = isNotModified(response, request.headers['if-none-match']);
  const headers = [
    ...(isUnchanged ? response.notModifiedHeaders : response.headers),
    ...collectHeaders(request, reply),
  ];
  reply.hijack();
  reply.raw.writeHead(isUnchanged ? 304 : 200, headers);
  reply.raw.end(isUnchanged ? undefined : response.body);
  return reply as unknown as Sent;
}

export function isNotModified(
  { etag }: Pick<CachedResponse, 'etag'>,
  ifNoneMatch: string | undefined,
): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

type ResponseCacheOptions = { maxBytes: number; isUsable: () => boolean; nowMs: () => number };

/** Caches responses by raw URL, up to a size. The owner of the content clears the cache, and decides whether it may be used. */
export class ResponseCache {
  readonly #responses: LRUCache<string, CachedResponse>;
  readonly #options: ResponseCacheOptions;
  /** Increments when the cache is cleared. A response that was started in an earlier epoch is outdated and is not stored. */
  epoch = 0;

  constructor(options: ResponseCacheOptions) {
    this.#options = options;
    this.#responses = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: ({ body }, url) => body.length + url.length * 2 + ESTIMATED_HEADERS_BYTES,
    });
  }

  get(url: string): CachedResponse | undefined {
    const response = this.#responses.get(url);
    if (response === undefined || !this.#options.isUsable()) return undefined;
    if (response.validUntilMs !== undefined && response.validUntilMs <= this.#options.nowMs())
      return undefined;
    return response;
  }

  put(url: string, response: CachedResponse, startedInEpoch: number): void {
    if (startedInEpoch === this.epoch) this.#responses.set(url, response);
  }

  /** Builds a response, stores it unless the content has changed meanwhile, and sends it. */
  async respond(
    { request, reply }: { request: CachedRequest; reply: SentReply },
    build: () => CachedResponse | Promise<CachedResponse>,
  ): Promise<Sent> {
    const startedInEpoch = this.epoch;
    const response = await build();
    this.put(request.raw.url!, response, startedInEpoch);
    return sendCached(request, reply, response);
  }

  clear(): void {
    this.epoch++;
    this.#responses.clear();
  }
}
