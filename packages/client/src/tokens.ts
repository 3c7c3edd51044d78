import type { Schemas } from './openapi-schemas.ts';
import { isProblem } from './problem.ts';

export type Tokens = Pick<Schemas['Login'], 'token' | 'expires_at' | 'refresh_token' | 'refresh_expires_at'> &
  Partial<Pick<Schemas['Login'], 'expires_in'>>;

/**
 * Stores a customer's tokens. A refresh token works once, so tabs, processes or concurrent requests that share tokens
 * refresh them under `lock`.
 */
export type TokenStore = {
  read(): Promise<Tokens | undefined> | Tokens | undefined;
  /** Stores the tokens, or deletes them (undefined) if the session has ended. */
  write(tokens: Tokens | undefined): Promise<void> | void;
  lock?<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Returns the idempotency key for refreshing with this token. The key must be the same in every process, so that any process can
   * repeat the request.
   */
  refreshKey?(refreshToken: string): string;
};

export function memoryTokens(tokens?: Tokens): TokenStore {
  let currentTokens = tokens;
  return {
    read: () => currentTokens,
    write(newTokens) {
      currentTokens = newTokens;
    },
  };
}

/** A token is refreshed this long before it expires, so that it does not expire during a request. */
const EXPIRY_MARGIN_MS = 20_000;

/** Provides a valid token of a customer or a member. Concurrent callers share one refresh. */
export class Session {
  readonly #store: TokenStore;
  readonly #refresh: (refreshToken: string) => Promise<Tokens>;
  #pendingRefresh: Promise<string | undefined> | undefined;

  constructor(store: TokenStore, refresh: (refreshToken: string) => Promise<Tokens>) {
    this.#store = store;
    this.#refresh = refresh;
  }

  /** Returns a valid token, or undefined if no session is stored. Never returns `rejectedToken`, which the service has rejected with 401. */
  async getToken({ rejectedToken }: { rejectedToken?: string } = {}): Promise<string | undefined> {
    if (this.#pendingRefresh) return this.#pendingRefresh;
    const tokens = await this.#store.read();
    if (!tokens || isUsable(tokens, rejectedToken)) return tokens?.token;
    this.#pendingRefresh ??= this.#refreshUnderLock(rejectedToken).finally(() => {
      this.#pendingRefresh = undefined;
    });
    return this.#pendingRefresh;
  }

  #refreshUnderLock(rejectedToken: string | undefined): Promise<string | undefined> {
    const lock = this.#store.lock ?? ((work) => work());
    return lock(async () => {
      // Another holder of the lock may have refreshed the tokens.
      const tokens = await this.#store.read();
      if (!tokens || isUsable(tokens, rejectedToken)) return tokens?.token;
      try {
        const newTokens = withLocalExpiry(await this.#refresh(tokens.refresh_token));
        await this.#store.write(newTokens);
        return newTokens.token;
      } catch (error) {
        if (isProblem(error, 'token_invalid', 'token_expired')) await this.#store.write(undefined);
        throw error;
      }
    });
  }
}

/** Computes `expires_at` again from `expires_in` and the clock of the device, which may be wrong. */
const withLocalExpiry = (tokens: Tokens): Tokens =>
  tokens.expires_in === undefined
    ? tokens
    : { ...tokens, expires_at: new Date(Date.now() + tokens.expires_in * 1000).toISOString() };

const isUsable = ({ token, expires_at }: Tokens, rejectedToken: string | undefined) =>
  token !== rejectedToken && Date.parse(expires_at) - EXPIRY_MARGIN_MS > Date.now();
