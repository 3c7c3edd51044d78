import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unpooled } from '../unpooled.ts';
import { headersOf } from './default-headers.ts';
import type { Access } from './endpoint.ts';

/** An answer as it goes over the wire, headers and all, made once and sent many times. */
export type CachedResponse = {
  etag: string;
  body: Buffer;
  /** Names and values in turn, as Node writes them without looking at each. */
  headers: string[];
  headersUnchanged: string[];
  /** On the clock that decides it: e.g. the instant the next post is published. */
  validUntilMs?: number;
  /** Whose answer it is, known once it was sent the long way. */
  of?: { route: string; access: Access };
};

/**
 * Any copy must be checked before it is used again: content changes the moment it is changed. A shared cache may not
 * keep it, since it was given to the holder of a key.
 */
const CACHE_CONTROL = 'private, no-cache';

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
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedResponse,
): FastifyReply {
  const { url, config } = request.routeOptions;
  answer.of ??= { route: url!, access: (config as unknown as { access: Access }).access };
  const unchanged = isUnchanged(answer, request.headers['if-none-match']);
  const headers = [...(unchanged ? answer.headersUnchanged : answer.headers), ...headersOf(request, reply)];
  reply.hijack();
  reply.raw.writeHead(unchanged ? 304 : 200, headers);
  reply.raw.end(unchanged ? undefined : answer.body);
  return reply;
}

export function isUnchanged({ etag }: CachedResponse, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/**
 * Answers by raw address, the least recently made thrown out first when they outgrow their share of memory. Whoever owns
 * the content empties it when the content changes, and says whether it may be trusted at all.
 */
export class ResponseCache {
  readonly #answers = new Map<string, CachedResponse>();
  readonly #maxBytes: number;
  readonly #usable: () => boolean;
  readonly #nowMs: () => number;
  #bytes = 0;
  /** Grows when the answers are emptied: an answer begun before that is of old content and is not kept. */
  epoch = 0;

  constructor(options: { maxBytes: number; usable: () => boolean; nowMs: () => number }) {
    this.#maxBytes = options.maxBytes;
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
    if (begunAt !== this.epoch) return;
    this.#forget(address);
    this.#answers.set(address, answer);
    this.#bytes += weight(address, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#forget(oldest);
    }
  }

  clear(): void {
    this.epoch++;
    this.#answers.clear();
    this.#bytes = 0;
  }

  #forget(address: string): void {
    const answer = this.#answers.get(address);
    if (answer && this.#answers.delete(address)) this.#bytes -= weight(address, answer);
  }
}

function weight(address: string, answer: CachedResponse): number {
  return answer.body.length + address.length * 2 + 200;
}
