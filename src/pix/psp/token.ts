import { PspUnavailable } from './failures.ts';
import { NoReply, type Transport } from './transport.ts';

export type TokenOptions = {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** How the PSP authenticates: Basic credentials and a JSON body (Efí), or a form with everything. */
  tokenStyle: 'basic-json' | 'form';
  scopes?: readonly string[];
  timeoutMs: number;
};

type Token = { value: string; goodUntilMs: number };

/** A token is renewed this long before it expires, or a tenth of its lifetime before if that is less. */
const MARGIN_MS = 60_000;
const DEFAULT_LIFE_SECONDS = 300;

/** Caches the access token; concurrent requests share one renewal. */
export class AccessTokens {
  readonly #options: TokenOptions;
  readonly #transport: Transport;
  readonly #nowMs: () => number;
  #token: Token | undefined;
  #asking: Promise<Token> | undefined;

  constructor(options: TokenOptions, transport: Transport, nowMs: () => number) {
    this.#options = options;
    this.#transport = transport;
    this.#nowMs = nowMs;
  }

  async current(): Promise<string> {
    if (this.#token && this.#nowMs() < this.#token.goodUntilMs) return this.#token.value;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    this.#token = await this.#asking;
    return this.#token.value;
  }

  /** The PSP rejected this token. A newer one stays. */
  discard(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  async #ask(): Promise<Token> {
    const askedAtMs = this.#nowMs();
    const reply = await this.#transport
      .send({ ...this.#request(), timeoutMs: this.#options.timeoutMs })
      .catch((error: unknown) => {
        if (!(error instanceof NoReply)) throw error;
        throw new PspUnavailable(error.reason, 'none', { note: `token, ${error.message}`, cause: error });
      });
    const note = `token, status ${reply.status}`;
    if (reply.status >= 400 && reply.status < 500 && reply.status !== 429 && reply.status !== 408)
      throw new PspUnavailable('credentials', 'none', { note });
    if (reply.status !== 200 && reply.status !== 201)
      throw new PspUnavailable('server_error', 'none', { note });
    const token = readToken(reply.text);
    if (!token) throw new PspUnavailable('garbled', 'none', { note });
    const lifeMs = token.lifeSeconds * 1000;
    return { value: token.value, goodUntilMs: askedAtMs + Math.max(lifeMs - MARGIN_MS, lifeMs * 0.9) };
  }

  #request() {
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

function readToken(text: string): { value: string; lifeSeconds: number } | null {
  let body: { access_token?: unknown; expires_in?: unknown };
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof body?.access_token !== 'string' || body.access_token === '') return null;
  const life = Number(body.expires_in ?? DEFAULT_LIFE_SECONDS);
  return {
    value: body.access_token,
    lifeSeconds: Number.isFinite(life) && life > 0 ? life : DEFAULT_LIFE_SECONDS,
  };
}
