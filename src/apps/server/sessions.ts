import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { TokenStore, Tokens } from '#client';
import { type AnyLogin, getPerson } from './accounts.ts';
import type { Cookies } from './cookies.ts';

/** The content of the cookie. A session is stored nowhere else, so it survives a restart. */
type SessionCookie = Tokens & { name: string; phone: string };

/** A session within one request. */
export type Session = {
  user: { name: string; phone: string };
  tokens: TokenStore;
  refreshToken(): string;
  isEnded(): boolean;
};

/** The lifetime of a refresh token, and of the cookie, which each refresh renews. */
const SESSION_SECONDS = 30 * 24 * 3600;
/** Requests with the cookie from before a refresh are still accepted for this long. */
const REFRESH_GRACE_MS = 120_000;
const MAX_REFRESHED_SESSIONS = 20_000;

/**
 * Tokens of one kind of account, encrypted in a cookie. A refresh token works once, but a browser sends many requests with the same
 * cookie. Within this process a refresh is done under a lock, and later requests reuse its result. Another process, or this one
 * after a restart, repeats the refresh with the same idempotency key (an HMAC with the secret) and gets the same response.
 */
export class Sessions {
  readonly #cookies: Cookies;
  readonly #secret: KeyObject;
  readonly #cookieName: string;
  /** The refreshed cookie, by the refresh token that it replaced. */
  readonly #refreshedCookies = new LRUCache<string, SessionCookie>({
    max: MAX_REFRESHED_SESSIONS,
    ttl: REFRESH_GRACE_MS,
  });
  readonly #locks = new Map<string, Promise<unknown>>();

  constructor(cookies: Cookies, secret: Buffer, cookieName: string) {
    this.#cookies = cookies;
    this.#secret = createSecretKey(secret);
    this.#cookieName = cookieName;
  }

  /** Returns undefined if no user is signed in. */
  find(request: FastifyRequest, reply: FastifyReply): Session | undefined {
    const sentCookie = this.#cookies.read(request.headers.cookie, this.#cookieName) as
      | SessionCookie
      | undefined;
    if (!sentCookie) return undefined;
    // Undefined once the session has ended. Concurrent requests with the same cookie may refresh the session at any time.
    let currentCookie: SessionCookie | undefined = this.#findNewest(sentCookie);
    if (currentCookie !== sentCookie) this.#setCookie(reply, currentCookie);
    return {
      user: { name: sentCookie.name, phone: sentCookie.phone },
      refreshToken: () => (currentCookie ?? sentCookie).refresh_token,
      isEnded: () => currentCookie === undefined,
      tokens: {
        read: () => {
          const newestCookie = currentCookie && this.#findNewest(currentCookie);
          if (newestCookie && newestCookie !== currentCookie) this.#setCookie(reply, newestCookie);
          currentCookie = newestCookie;
          return currentCookie;
        },
        write: (tokens) => {
          const refreshedCookie = tokens && toSessionCookie(tokens, sentCookie);
          if (refreshedCookie && currentCookie)
            this.#refreshedCookies.set(currentCookie.refresh_token, refreshedCookie);
          currentCookie = refreshedCookie;
          if (currentCookie) this.#setCookie(reply, currentCookie);
          else this.end(reply);
        },
        lock: (work) => this.#runLocked(sentCookie.refresh_token, work),
        refreshKey: (refreshToken) =>
          createHmac('sha256', this.#secret).update(`refresh ${refreshToken}`).digest('base64url'),
      },
    };
  }

  /** Computes a pseudonym of the user (132 bits of an HMAC with the secret), for forms and drafts. */
  computeOwnerId(phone: string): string {
    return createHmac('sha256', this.#secret).update(`owner ${phone}`).digest('base64url').slice(0, 22);
  }

  start(reply: FastifyReply, login: AnyLogin): void {
    this.#setCookie(reply, toSessionCookie(login, getPerson(login)));
  }

  end(reply: FastifyReply): void {
    this.#cookies.clear(reply, this.#cookieName);
  }

  #setCookie(reply: FastifyReply, content: SessionCookie): void {
    // A stream has already sent its headers; the next request sets the cookie.
    if (!reply.raw.headersSent) this.#cookies.set(reply, this.#cookieName, content, SESSION_SECONDS);
  }

  #findNewest(cookie: SessionCookie): SessionCookie {
    const refreshedCookie = this.#refreshedCookies.get(cookie.refresh_token);
    return refreshedCookie ? this.#findNewest(refreshedCookie) : cookie;
  }

  async #runLocked<T>(name: string, work: () => Promise<T>): Promise<T> {
    const previousWork = this.#locks.get(name) ?? Promise.resolve();
    const thisWork = previousWork.then(work, work); // also after a failure
    this.#locks.set(name, thisWork);
    try {
      return await thisWork;
    } finally {
      if (this.#locks.get(name) === thisWork) this.#locks.delete(name);
    }
  }
}

const toSessionCookie = (
  { token, expires_at, refresh_token, refresh_expires_at }: Tokens,
  { name, phone }: { name: string; phone: string },
): SessionCookie => ({
  token,
  expires_at,
  refresh_token,
  refresh_expires_at,
  name: name.split(' ')[0]!,
  phone,
});
