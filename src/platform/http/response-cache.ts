import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { unpooled } from '../database/unpooled.ts';
import type { Access } from './access.ts';
import { headersOf } from './default-headers.ts';
import type { Sent } from './sent.ts';

/** An answer as it goes over the wire, headers and all, made once and sent many times. */
export type CachedResponse = {
  etag: string;
  body: Buffer;
  /** Names and values in turn, as Node writes them without looking at each. */
  headers: string[];
  headersUnchanged: string[];
  /** On the clock that decides it: e.g. the instant the next post is published. */
  validUntilMs?: number;
  /** All that Node wrote above the body after the id of the request, in this second: see fast-path.ts. */
  head?: { second: number; more: string[]; rest: string };
  /** Whose answer it is, known once it was sent the long way. */
  of?: { route: string; access: Access };
};

/**
 * Any copy must be checked before it is used again: content changes the moment it is changed. A shared cache may not
 * keep it, since it was given to the holder of a key.
 */
const CACHE_CONTROL = 'private, no-cache';
/** What the headers of an answer take beside its body, about. */
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

/**
 * Sends it whole, or 304 when the caller has it already. Past the framework, straight to Node: all that is left to do for
 * such an answer is to write it.
 */
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
 * Answers by raw address, those not asked for lately thrown out first when they outgrow their share of memory. Whoever owns
 * the content clears it when the content changes, and says whether it may be trusted at all.
 */
export class ResponseCache {
  readonly #answers: LRUCache<string, CachedResponse>;
  readonly #usable: () => boolean;
  readonly #nowMs: () => number;
  /** Grows when the answers are cleared: an answer begun before that is of old content and is not kept. */
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
