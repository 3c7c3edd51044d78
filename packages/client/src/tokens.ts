import type { components } from './openapi.ts';
import { isProblem } from './problem.ts';

export type Tokens = Pick<
  components['schemas']['Login'],
  'token' | 'expires_at' | 'refresh_token' | 'refresh_expires_at'
>;

/**
 * Where a customer's tokens are kept. A refresh token works once, so whoever shares tokens refreshes them under `lock`: tabs,
 * processes, requests at the same time.
 */
export type TokenStore = {
  read(): Promise<Tokens | undefined> | Tokens | undefined;
  /** Undefined: the session is over. */
  write(tokens: Tokens | undefined): Promise<void> | void;
  lock?<T>(work: () => Promise<T>): Promise<T>;
  /** A name for the exchange of this refresh token that only the store can make: repeated under it, by whichever process, it is no second use. */
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

/** So long before its end a token is not used any more: it would end on its way. */
const MARGIN_MS = 20_000;

/** Hands out a token that works; refreshes it once, however many ask at the same time. */
export class Session {
  readonly #store: TokenStore;
  readonly #refresh: (refreshToken: string) => Promise<Tokens>;
  #refreshing: Promise<string | undefined> | undefined;

  constructor(store: TokenStore, refresh: (refreshToken: string) => Promise<Tokens>) {
    this.#store = store;
    this.#refresh = refresh;
  }

  /** `refused`: the token that the service did not take. */
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
      const tokens = await this.#store.read(); // somebody else may have been here
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
