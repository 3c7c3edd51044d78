import type { Log } from '#platform/observability/log.ts';
import { type PspRefused, PspUnavailable, parseRefusal } from './failures.ts';
import type { AccessTokens } from './token.ts';
import { NoResponse, type Transport, type WireResponse } from './transport.ts';

export type PspRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The route pattern, for logs and metrics: '/cob/:txid'. */
  route: string;
  params: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Values of the request that no error message may contain. */
  secrets?: readonly string[];
  /** Overrides the default timeout, for a request that is known to be slow. */
  timeoutMs?: number;
};

type PspResult =
  | { kind: 'done'; body: unknown }
  | { kind: 'refused'; refusal: PspRefused }
  | { kind: 'unavailable'; failure: PspUnavailable };

export type Exchange = { method: string; route: string; outcome: string; elapsedMs: number };

type PspHttpOptions = {
  baseUrl: string;
  /** The timeout of one attempt. */
  timeoutMs: number;
  /** The timeout of a call with all its attempts and waits. */
  callTimeoutMs: number;
  attempts: number;
  log: Log;
  onExchange?: (exchange: Exchange) => void;
  secrets: readonly string[];
};

/** The wait before the second attempt. It doubles with each further attempt. */
const FIRST_BACKOFF_MS = 150;
const MAX_BACKOFF_MS = 2_000;
/** No attempt is made with less time left. */
const MIN_ATTEMPT_MS = 100;

/** Sends authorized requests to the PSP, with timeouts, metrics and logs without secrets. Callers decide what may be retried. */
export class PspHttp {
  readonly #options: PspHttpOptions;
  readonly #tokens: AccessTokens;
  readonly #transport: Transport;

  constructor(options: PspHttpOptions, tokens: AccessTokens, transport: Transport) {
    this.#options = options;
    this.#tokens = tokens;
    this.#transport = transport;
  }

  computeDeadlineMs(): number {
    return performance.now() + this.#options.callTimeoutMs;
  }

  /** Makes one attempt. If the PSP rejects the token, nothing was done: the token is renewed, and the request is sent again. */
  async send(request: PspRequest, deadlineMs: number): Promise<PspResult> {
    const startedAtMs = performance.now();
    const result = await this.#attempt(request, deadlineMs, { mayRenewToken: true });
    this.#report(request, result, performance.now() - startedAtMs);
    return result;
  }

  /** Waits before an attempt, from the second on. Returns false if no attempt or no time is left. */
  async waitToRetry(attemptNumber: number, failure: PspUnavailable, deadlineMs: number): Promise<boolean> {
    if (attemptNumber > this.#options.attempts || failure.reason === 'credentials') return false;
    const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attemptNumber - 2));
    // With 50 % jitter, so that callers that failed together do not retry together.
    const waitMs = Math.max(backoffMs * (0.5 + Math.random() / 2), failure.retryAfterMs ?? 0);
    if (performance.now() + waitMs + MIN_ATTEMPT_MS > deadlineMs) return false;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return true;
  }

  async sendWithRetries(request: PspRequest, deadlineMs: number): Promise<PspResult> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.send(request, deadlineMs);
      if (result.kind !== 'unavailable') return result;
      if (!(await this.waitToRetry(attempt + 1, result.failure, deadlineMs))) return result;
    }
  }

  close(): void {
    this.#transport.close();
  }

  async #attempt(
    request: PspRequest,
    deadlineMs: number,
    { mayRenewToken }: { mayRenewToken: boolean },
  ): Promise<PspResult> {
    let response: WireResponse;
    let token: string;
    try {
      token = await this.#tokens.getToken();
      const remainingMs = Math.max(MIN_ATTEMPT_MS, deadlineMs - performance.now());
      response = await this.#transport.send({
        method: request.method,
        url: this.#options.baseUrl + buildPath(request),
        headers: {
          authorization: `Bearer ${token}`,
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        timeoutMs: Math.min(request.timeoutMs ?? this.#options.timeoutMs, remainingMs),
      });
    } catch (error) {
      return { kind: 'unavailable', failure: toUnavailable(error) };
    }
    if (response.status !== 401)
      return toResult(response, [...this.#options.secrets, ...(request.secrets ?? [])]);
    this.#tokens.discard(token);
    if (mayRenewToken) return this.#attempt(request, deadlineMs, { mayRenewToken: false });
    return {
      kind: 'unavailable',
      failure: new PspUnavailable('credentials', { effect: 'none', note: 'status 401' }),
    };
  }

  #report({ method, route, params }: PspRequest, result: PspResult, elapsedMs: number): void {
    let outcome = 'done';
    if (result.kind === 'unavailable') outcome = result.failure.reason;
    else if (result.kind === 'refused') outcome = String(result.refusal.status);
    this.#options.onExchange?.({ method, route, outcome, elapsedMs });
    // A GET also serves to find out whether something exists (404) or has been removed (410).
    const isExpected =
      result.kind === 'done' ||
      (result.kind === 'refused' && method === 'GET' && [404, 410].includes(result.refusal.status));
    const level = isExpected ? 'debug' : 'warn';
    // The Pix key is not logged, because it may be a CPF or phone number, nor the URL of the webhook, which is secret.
    const { txid, endToEndId, refundId, recId } = params;
    this.#options.log[level](
      {
        method,
        route,
        outcome,
        ms: Math.round(elapsedMs),
        txid,
        end_to_end_id: endToEndId,
        refund_id: refundId,
        rec_id: recId,
        ...(result.kind === 'refused' && { refusal: result.refusal.message }),
        ...(result.kind === 'unavailable' && { failure: result.failure.message }),
      },
      'called the PSP',
    );
  }
}

function buildPath({ route, params, query }: PspRequest): string {
  const path = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return query ? `${path}?${new URLSearchParams(query)}` : path;
}

function toResult(response: WireResponse, secrets: readonly string[]): PspResult {
  const { status } = response;
  const toUnavailableResult = (failure: PspUnavailable): PspResult => ({ kind: 'unavailable', failure });
  const body = parseJson(response.text);
  const note = `status ${status}`;
  if (status >= 200 && status < 300) {
    return body === undefined
      ? toUnavailableResult(new PspUnavailable('garbled', { effect: 'unknown', note }))
      : { kind: 'done', body };
  }
  if (status === 429) {
    const retryAfterMs = parseRetryAfterMs(response.headers['retry-after']);
    return toUnavailableResult(new PspUnavailable('overloaded', { effect: 'none', note, retryAfterMs }));
  }
  if (status === 408 || status === 425)
    return toUnavailableResult(new PspUnavailable('timeout', { effect: 'unknown', note }));
  if (status >= 400 && status < 500) return { kind: 'refused', refusal: parseRefusal(status, body, secrets) };
  const retryAfterMs = parseRetryAfterMs(response.headers['retry-after']);
  return toUnavailableResult(new PspUnavailable('server_error', { effect: 'unknown', note, retryAfterMs }));
}

/** Returns undefined if the text is not JSON. An empty body (204, PUT /webhook of some PSPs) is null. */
function parseJson(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const parseRetryAfterMs = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : null;

function toUnavailable(error: unknown): PspUnavailable {
  if (error instanceof PspUnavailable) return error;
  if (!(error instanceof NoResponse)) throw error;
  return new PspUnavailable(error.reason, {
    effect: error.wasSent ? 'unknown' : 'none',
    note: error.message,
    cause: error,
  });
}
