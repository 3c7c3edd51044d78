import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { visitorAddress } from './security.ts';

/** A second click comes within this time. */
const SAME_CLICK_MS = 20_000;

/** Outcomes of forms, deduplicated by click. */
export class Clicks<Outcome> {
  readonly #kept = new LRUCache<string, Promise<Outcome>>({ max: 10_000, ttl: SAME_CLICK_MS });

  /** A failure is not kept. */
  runOnce(
    path: string,
    request: FastifyRequest,
    fields: URLSearchParams,
    run: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const click = clickOf(path, request, fields);
    const known = this.#kept.get(click);
    if (known) return known;
    const outcome = run();
    this.#kept.set(click, outcome);
    outcome.catch(() => this.#kept.delete(click));
    return outcome;
  }
}

/** The same bytes with the same cookies from the same address are the same click, and may get the same answer. */
function clickOf(path: string, request: FastifyRequest, fields: URLSearchParams): string {
  if (!fields.has('chave')) return randomUUID();
  return hashOf(path, request.url, String(fields), request.headers.cookie ?? '', visitorAddress(request));
}

export const fieldsIn = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** Not cached, and links to other sites send no referrer. */
export const keepPrivate = (reply: FastifyReply) =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });

export const pathOf = ({ url }: FastifyRequest) => url.split('?')[0]!.replace(/\/$/, '');

export const hashOf = (...parts: string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
