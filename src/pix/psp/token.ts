import { PspUnavailable } from './failures.ts';
import { NoResponse, type Transport } from './transport.ts';

export type TokenOptions = {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** How the PSP authenticates: Basic credentials and a JSON body (Efí), or a form with everything. */
  tokenStyle: 'basic-json' | 'form';
  scopes?: readonly string[];
  timeoutMs: number;
};

type Token = { value: string; validUntilMs: number };

/** A token is renewed this long before it expires, or a tenth of its lifetime before if that is less. */
const RENEWAL_MARGIN_MS = 60_000;
const DEFAULT_TTL_SECONDS = 300;

/** Caches the access token; concurrent requests share one renewal. */
export class AccessTokens {
  readonly #options: TokenOptions;
  readonly #transport: Transport;
  readonly #nowMs: () => number;
  #token: Token | undefined;
  #renewal: Promise<Token> | undefined;

  constructor(options: TokenOptions, transport: Transport, nowMs: () => number) {
    this.#options = options;
    this.#transport = transport;
    this.#nowMs = nowMs;
  }

  async getToken(): Promise<string> {
    if (this.#token && this.#nowMs() < this.#token.validUntilMs) return this.#token.value;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    this.#token = await this.#renewal;
    return this.#token.value;
  }

  /** Discards a token that the PSP rejected. A newer token stays cached. */
  discard(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  async #renew(): Promise<Token> {
    const requestedAtMs = this.#nowMs();
    const response = await this.#transport
      .send({ ...this.#buildRequest(), timeoutMs: this.#options.timeoutMs })
      .catch((error: unknown) => {
        if (!(error instanceof NoResponse)) throw error;
        throw new PspUnavailable(error.reason, {
          effect: 'none',
          note: `token, ${error.message}`,
          cause: error,
        });
      });
    const note = `token, status ${response.status}`;
    if (response.status >= 400 && response.status < 500 && response.status !== 429 && response.status !== 408)
      throw new PspUnavailable('credentials', { effect: 'none', note });
    if (response.status !== 200 && response.status !== 201)
      throw new PspUnavailable('server_error', { effect: 'none', note });
    const token = parseToken(response.text);
    if (!token) throw new PspUnavailable('garbled', { effect: 'none', note });
    const ttlMs = token.ttlSeconds * 1000;
    return {
      value: token.value,
      validUntilMs: requestedAtMs + Math.max(ttlMs - RENEWAL_MARGIN_MS, ttlMs * 0.9),
    };
  }

  #buildRequest() {
    const { tokenUrl: url, clientId, clientSecret, tokenStyle, scopes } = this.#options;
    const grant = {
      grant_type: 'client_credentials',
      ...(scopes && scopes.length > 0 && { scope: scopes.join(' ') }),
    };
    if (tokenStyle === 'form') {
      const form = new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return { method: 'POST', url, headers, body: form.toString() };
    }
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const headers = { 'content-type': 'application/json', authorization: `Basic ${credentials}` };
    return { method: 'POST', url, headers, body: JSON.stringify(grant) };
  }
}

function parseToken(text: string): { value: string; ttlSeconds: number } | null {
  let body: { access_token?: unknown; expires_in?: unknown };
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof body?.access_token !== 'string' || body.access_token === '') return null;
  const ttl = Number(body.expires_in ?? DEFAULT_TTL_SECONDS);
  return {
    value: body.access_token,
    ttlSeconds: Number.isFinite(ttl) && ttl > 0 ? ttl : DEFAULT_TTL_SECONDS,
  };
}
