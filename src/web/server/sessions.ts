import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { TokenStore, Tokens } from '#client';
import type { Cookies } from './cookies.ts';
import { type AnyLogin, personOf } from './people.ts';

/** The content of the cookie. A session is kept nowhere else, so it survives a restart. */
type SessionCookie = Tokens & { name: string; phone: string };

/** A session as one request sees it. */
export type Session = {
  who: { name: string; phone: string };
  tokens: TokenStore;
  refreshToken(): string;
  /** Whether the service has ended it. */
  isOver(): boolean;
};

/** The lifetime of a refresh token, and of the cookie, which each refresh renews. */
const SECONDS = 30 * 24 * 3600;
/** Requests with the cookie from before a refresh are still accepted for this long. */
const LATELY_MS = 120_000;
const MOST_RENEWED = 20_000;

/**
 * Tokens of people of one kind, encrypted in a cookie. A refresh token works once, but a browser sends many requests with the same cookie.
 * Within this process a refresh is done under a lock, and later requests reuse its result. Another process, or this one after a
 * restart, repeats the refresh with the same idempotency key (an HMAC with the secret) and gets the same answer.
 */
export class Sessions {
  readonly #cookies: Cookies;
  readonly #secret: Buffer;
  readonly #name: string;
  readonly #renewed = new LRUCache<string, SessionCookie>({ max: MOST_RENEWED, ttl: LATELY_MS });
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(cookies: Cookies, secret: Buffer, name: string) {
    this.#cookies = cookies;
    this.#secret = secret;
    this.#name = name;
  }

  /** Undefined when nobody is signed in. */
  of(request: FastifyRequest, reply: FastifyReply): Session | undefined {
    const sent = this.#cookies.read(request.headers.cookie, this.#name) as SessionCookie | undefined;
    if (!sent) return undefined;
    let kept: SessionCookie | undefined = this.#newest(sent);
    if (kept !== sent) this.#set(reply, kept);
    return {
      who: { name: sent.name, phone: sent.phone },
      refreshToken: () => (kept ?? sent).refresh_token,
      isOver: () => kept === undefined,
      tokens: {
        read: () => {
          const newest = kept && this.#newest(kept);
          if (newest && newest !== kept) this.#set(reply, newest);
          kept = newest;
          return kept;
        },
        write: (tokens) => {
          if (tokens && kept) this.#renewed.set(kept.refresh_token, keptOf(tokens, sent));
          kept = tokens && keptOf(tokens, sent);
          if (kept) this.#set(reply, kept);
          else this.end(reply);
        },
        lock: (work) => this.#inTurn(sent.refresh_token, work),
        refreshKey: (refreshToken) =>
          createHmac('sha256', this.#secret).update(`refresh ${refreshToken}`).digest('base64url'),
      },
    };
  }

  /** A pseudonym of the person (an HMAC with the secret), for forms and drafts. */
  ownerOf(phone: string): string {
    return createHmac('sha256', this.#secret).update(`owner ${phone}`).digest('base64url').slice(0, 22);
  }

  begin(reply: FastifyReply, login: AnyLogin): void {
    this.#set(reply, keptOf(login, personOf(login)));
  }

  end(reply: FastifyReply): void {
    reply.header('set-cookie', this.#cookies.clear(this.#name));
  }

  #set(reply: FastifyReply, kept: SessionCookie): void {
    // A stream has already sent its headers; the next request sets the cookie.
    if (!reply.raw.headersSent) reply.header('set-cookie', this.#cookies.set(this.#name, kept, SECONDS));
  }

  #newest(kept: SessionCookie): SessionCookie {
    const next = this.#renewed.get(kept.refresh_token);
    return next ? this.#newest(next) : kept;
  }

  async #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#turns.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(name) === mine) this.#turns.delete(name);
    }
  }
}

const keptOf = (tokens: Tokens, { name, phone }: { name: string; phone: string }): SessionCookie => {
  const { token, expires_at, refresh_token, refresh_expires_at } = tokens;
  return { token, expires_at, refresh_token, refresh_expires_at, name: name.split(' ')[0]!, phone };
};
