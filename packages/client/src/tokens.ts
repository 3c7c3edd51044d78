import type { Schemas } from './openapi-schemas.ts';
import { isProblem } from './problem.ts';

export type Tokens = Pick<Schemas['Login'], 'token' | 'expires_at' | 'refresh_token' | 'refresh_expires_at'>;

/**
 * Where a customer's tokens are kept. A refresh token works once, so tabs, processes or concurrent requests that share tokens
 * refresh them under `lock`.
 */
export type TokenStore = {
  read(): Promise<Tokens | undefined> | Tokens | undefined;
  /** Undefined: the session is over. */
  write(tokens: Tokens | undefined): Promise<void> | void;
  lock?<T>(work: () => Promise<T>): Promise<T>;
  /** The idempotency key for exchanging this refresh token; only the store can make it. With the same key any process may repeat the exchange. */
  refreshKey?(refreshToken: string): string;
};

export function memoryTokens(tokens?: Tokens): TokenStore {
  let kept = tokens;
  return {
    read: () => kept,
    write(next) {
      kept = next;
    },
  };
}

/** A token is renewed this long before it expires, so that it does not expire on its way. */
const MARGIN_MS = 20_000;

/** Provides a valid token; concurrent callers share one refresh. */
export class Session {
  readonly #store: TokenStore;
  readonly #refresh: (refreshToken: string) => Promise<Tokens>;
  #refreshing: Promise<string | undefined> | undefined;

  constructor(store: TokenStore, refresh: (refreshToken: string) => Promise<Tokens>) {
    this.#store = store;
    this.#refresh = refresh;
  }

  /** `refused`: a token that the service answered with 401. */
  async token(refused?: string): Promise<string | undefined> {
    if (this.#refreshing) return this.#refreshing;
    const tokens = await this.#store.read();
    if (!tokens || isGood(tokens, refused)) return tokens?.token;
    this.#refreshing ??= this.#renew(refused).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  #renew(refused: string | undefined): Promise<string | undefined> {
    const lock = this.#store.lock ?? ((work) => work());
    return lock(async () => {
      const tokens = await this.#store.read(); // another holder of the lock may have refreshed them
      if (!tokens || isGood(tokens, refused)) return tokens?.token;
      try {
        const next = await this.#refresh(tokens.refresh_token);
        await this.#store.write(next);
        return next.token;
      } catch (error) {
        if (isProblem(error, 'token_invalid', 'token_expired')) await this.#store.write(undefined);
        throw error;
      }
    });
  }
}

const isGood = ({ token, expires_at }: Tokens, refused: string | undefined) =>
  token !== refused && Date.parse(expires_at) - MARGIN_MS > Date.now();
