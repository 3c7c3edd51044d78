import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { unpooled } from '../database/unpooled.ts';
import type { Access } from './access.ts';
import { headersOf } from './default-headers.ts';
import type { Sent } from './sent.ts';

/** A complete answer as bytes, built once and sent many times. */
export type CachedResponse = {
  etag: string;
  body: Buffer;
  /** Alternating names and values, which Node writes without checking each. */
  headers: string[];
  headersUnchanged: string[];
  /** When it expires, on the clock of its content: e.g. when the next post is published. */
  validUntilMs?: number;
  /** The head that Node wrote after the request id in this second: see fast-path.ts. */
  head?: { second: number; more: string[]; rest: string };
  /** Its route, known after it was first sent on the normal path. */
  of?: { route: string; access: Access };
};

/**
 * Copies must be revalidated before reuse, because content may change at any time. A shared cache may not store it, because it
 * was sent to the holder of a key.
 */
const CACHE_CONTROL = 'private, no-cache';
/** Approximate size of an answer's headers. */
const HEADERS_BYTES = 1_000;

export function cachedResponse(
  body: Buffer | string,
  extras: { link?: string; validUntilMs?: number } = {},
): CachedResponse {
  const { link, ...validity } = extras;
  const bytes = unpooled(body);
  const etag = `"${hash('sha1', bytes, 'base64url')}"`;
  const headersUnchanged = ['etag', etag, 'cache-control', CACHE_CONTROL, ...(link ? ['link', link] : [])];
  const headers = [
    ...headersUnchanged,
    ...['content-type', 'application/json; charset=utf-8', 'content-length', String(bytes.length)],
  ];
  return { etag, body: bytes, headers, headersUnchanged, ...validity };
}

/** Sends it, or 304 when the caller has it already. Bypasses Fastify: there is nothing left to do but write. */
export function sendCached(
  request: Pick<FastifyRequest, 'id' | 'server' | 'headers' | 'routeOptions'>,
  reply: Pick<FastifyReply, 'hijack' | 'raw' | 'getHeaders'>,
  answer: CachedResponse,
): Sent {
  const { url, config } = request.routeOptions;
  answer.of ??= { route: url!, access: config.access! };
  const unchanged = isUnchanged(answer, request.headers['if-none-match']);
  const headers = [...(unchanged ? answer.headersUnchanged : answer.headers), ...headersOf(request, reply)];
  reply.hijack();
  reply.raw.writeHead(unchanged ? 304 : 200, headers);
  reply.raw.end(unchanged ? undefined : answer.body);
  return reply as unknown as Sent;
}

export function isUnchanged({ etag }: CachedResponse, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/**
 * Answers by raw address, an LRU cache with a limit of memory. The owner of the content clears it when the content changes, and
 * decides whether it may be used.
 */
export class ResponseCache {
  readonly #answers: LRUCache<string, CachedResponse>;
  readonly #usable: () => boolean;
  readonly #nowMs: () => number;
  /** Increments when the cache is cleared: an answer that was begun before that is outdated and is not stored. */
  epoch = 0;

  constructor(options: { maxBytes: number; usable: () => boolean; nowMs: () => number }) {
    this.#answers = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: ({ body }, address) => body.length + address.length * 2 + HEADERS_BYTES,
    });
    this.#usable = options.usable;
    this.#nowMs = options.nowMs;
  }

  get(address: string): CachedResponse | undefined {
    const answer = this.#answers.get(address);
    if (answer === undefined || !this.#usable()) return undefined;
    if (answer.validUntilMs !== undefined && answer.validUntilMs <= this.#nowMs()) return undefined;
    return answer;
  }

  put(address: string, answer: CachedResponse, begunAt: number): void {
    if (begunAt === this.epoch) this.#answers.set(address, answer);
  }

  clear(): void {
    this.epoch++;
    this.#answers.clear();
  }
}
