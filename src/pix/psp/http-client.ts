import type { Log } from '#platform/observability/log.ts';
import { type PspRefused, PspUnavailable, readRefusal } from './failures.ts';
import type { AccessTokens } from './token.ts';
import { NoReply, type Transport, type WireReply } from './transport.ts';

export type PspRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The route pattern, for logs and metrics: '/cob/:txid'. */
  route: string;
  params: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Parts of the request that no message may repeat. */
  secrets?: readonly string[];
  /** A longer timeout, where this request is known to be slow. */
  timeoutMs?: number;
};

/** The outcome of one attempt. */
type PspResult =
  | { kind: 'done'; body: unknown }
  | { kind: 'refused'; refusal: PspRefused }
  | { kind: 'unavailable'; failure: PspUnavailable };

export type Exchange = { method: string; route: string; outcome: string; elapsedMs: number };

type PspHttpOptions = {
  baseUrl: string;
  timeoutMs: number;
  /** The deadline of a call: all attempts and waits. */
  callTimeoutMs: number;
  attempts: number;
  log: Log;
  onExchange?: (exchange: Exchange) => void;
  secrets: readonly string[];
};

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 2_000;
const SHORTEST_ATTEMPT_MS = 100;

/** HTTP to the PSP: authorized, with timeouts and metrics, logged without secrets. Callers decide what may be retried. */
export class PspHttp {
  readonly #options: PspHttpOptions;
  readonly #tokens: AccessTokens;
  readonly #transport: Transport;

  constructor(options: PspHttpOptions, tokens: AccessTokens, transport: Transport) {
    this.#options = options;
    this.#tokens = tokens;
    this.#transport = transport;
  }

  /** The deadline of a call that begins now, on the monotonic clock. */
  deadline(): number {
    return performance.now() + this.#options.callTimeoutMs;
  }

  /** One attempt. If the PSP rejects the token, it is renewed and the request is sent again: it was not carried out. */
  async send(request: PspRequest, deadlineMs: number): Promise<PspResult> {
    const startedAtMs = performance.now();
    const result = await this.#attempt(request, deadlineMs, true);
    this.#report(request, result, performance.now() - startedAtMs);
    return result;
  }

  /** Waits before attempt number `next`; false when the attempts or the time are used up. */
  async waitToRetry(next: number, failure: PspUnavailable, deadlineMs: number): Promise<boolean> {
    if (next > this.#options.attempts || failure.reason === 'credentials') return false;
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (next - 2));
    // With 50 % jitter, so that callers that failed together do not retry together.
    const waitMs = Math.max(longest * (0.5 + Math.random() / 2), failure.retryAfterMs ?? 0);
    if (performance.now() + waitMs + SHORTEST_ATTEMPT_MS > deadlineMs) return false;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return true;
  }

  /** For idempotent requests. */
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

  async #attempt(request: PspRequest, deadlineMs: number, renew: boolean): Promise<PspResult> {
    let reply: WireReply;
    let token: string;
    try {
      token = await this.#tokens.current();
      const leftMs = Math.max(SHORTEST_ATTEMPT_MS, deadlineMs - performance.now());
      reply = await this.#transport.send({
        method: request.method,
        url: this.#options.baseUrl + address(request),
        headers: {
          authorization: `Bearer ${token}`,
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        timeoutMs: Math.min(request.timeoutMs ?? this.#options.timeoutMs, leftMs),
      });
    } catch (error) {
      return { kind: 'unavailable', failure: toUnavailable(error) };
    }
    if (reply.status !== 401)
      return readResult(reply, [...this.#options.secrets, ...(request.secrets ?? [])]);
    this.#tokens.discard(token);
    if (renew) return this.#attempt(request, deadlineMs, false);
    return {
      kind: 'unavailable',
      failure: new PspUnavailable('credentials', 'none', { note: 'status 401' }),
    };
  }

  #report({ method, route, params }: PspRequest, result: PspResult, elapsedMs: number): void {
    const outcome =
      result.kind === 'unavailable'
        ? result.failure.reason
        : result.kind === 'refused'
          ? String(result.refusal.status)
          : 'done';
    this.#options.onExchange?.({ method, route, outcome, elapsedMs });
    // 404 is an answer like any other.
    const wentWell =
      result.kind === 'done' ||
      (result.kind === 'refused' && method === 'GET' && [404, 410].includes(result.refusal.status));
    const level = wentWell ? 'debug' : 'warn';
    // Not logged: the Pix key, which may be a CPF or phone, and the webhook's address, which is secret.
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
      'asked the PSP',
    );
  }
}

function address({ route, params, query }: PspRequest): string {
  const path = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return query ? `${path}?${new URLSearchParams(query)}` : path;
}

function readResult(reply: WireReply, secrets: readonly string[]): PspResult {
  const { status } = reply;
  const unavailable = (failure: PspUnavailable): PspResult => ({ kind: 'unavailable', failure });
  const body = parse(reply.text);
  const note = `status ${status}`;
  if (status >= 200 && status < 300) {
    return body === undefined
      ? unavailable(new PspUnavailable('garbled', 'unknown', { note }))
      : { kind: 'done', body };
  }
  if (status === 429) {
    const retryAfterMs = retryAfter(reply.headers['retry-after']);
    return unavailable(new PspUnavailable('overloaded', 'none', { note, retryAfterMs }));
  }
  if (status === 408 || status === 425)
    return unavailable(new PspUnavailable('timeout', 'unknown', { note }));
  if (status >= 400 && status < 500) return { kind: 'refused', refusal: readRefusal(status, body, secrets) };
  const retryAfterMs = retryAfter(reply.headers['retry-after']);
  return unavailable(new PspUnavailable('server_error', 'unknown', { note, retryAfterMs }));
}

/** undefined when it is not JSON; an empty body (204, some PSPs' PUT /webhook) is null. */
function parse(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function retryAfter(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : null;
}

function toUnavailable(error: unknown): PspUnavailable {
  if (error instanceof PspUnavailable) return error;
  if (!(error instanceof NoReply)) throw error;
  return new PspUnavailable(error.reason, error.sent ? 'unknown' : 'none', {
    note: error.message,
    cause: error,
  });
}
