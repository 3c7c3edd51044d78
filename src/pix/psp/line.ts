import type { Log } from '#platform/log.ts';
import { type PspRefused, PspUnavailable, readRefusal } from './failures.ts';
import type { TokenKeeper } from './token.ts';
import { NoReply, type Transport, type WireReply } from './transport.ts';

export type Question = {
  method: 'GET' | 'PUT' | 'PATCH' | 'DELETE';
  /** The address with names for what varies, for logs and measurements: '/cob/:txid'. */
  route: string;
  params: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** What the question holds that no message may repeat. */
  secrets?: readonly string[];
  /** Where this question is known to take longer than others. */
  timeoutMs?: number;
};

/** How one attempt ended. */
export type Verdict =
  | { kind: 'done'; body: unknown }
  | { kind: 'refused'; refusal: PspRefused }
  | { kind: 'unavailable'; failure: PspUnavailable };

export type Exchange = { method: string; route: string; outcome: string; elapsedMs: number };

export type LineOptions = {
  baseUrl: string;
  timeoutMs: number;
  /** All attempts of one call together, waits included. */
  patienceMs: number;
  attempts: number;
  log: Log;
  onExchange?: (exchange: Exchange) => void;
  secrets: readonly string[];
};

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 2_000;
const SHORTEST_ATTEMPT_MS = 100;

/** The way to the PSP: one attempt at a time, authorised, timed, and judged. Who may try again is decided by the caller. */
export class Line {
  readonly #options: LineOptions;
  readonly #tokens: TokenKeeper;
  readonly #transport: Transport;

  constructor(options: LineOptions, tokens: TokenKeeper, transport: Transport) {
    this.#options = options;
    this.#tokens = tokens;
    this.#transport = transport;
  }

  /** When a call that begins now gives up, on the monotonic clock. */
  deadline(): number {
    return performance.now() + this.#options.patienceMs;
  }

  /** Asks once. A token the PSP no longer takes is renewed and the question asked a second time: it was not carried out. */
  async ask(question: Question, deadlineMs: number): Promise<Verdict> {
    const startedAtMs = performance.now();
    const verdict = await this.#attempt(question, deadlineMs, true);
    this.#report(question, verdict, performance.now() - startedAtMs);
    return verdict;
  }

  /** Waits before attempt number `next`; false when there is no attempt or no time left. */
  async mayTryAgain(next: number, failure: PspUnavailable, deadlineMs: number): Promise<boolean> {
    if (next > this.#options.attempts || failure.reason === 'credentials') return false;
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (next - 2));
    // Half of it by chance, so that callers who failed together do not come back together.
    const waitMs = Math.max(longest * (0.5 + Math.random() / 2), failure.retryAfterMs ?? 0);
    if (performance.now() + waitMs + SHORTEST_ATTEMPT_MS > deadlineMs) return false;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return true;
  }

  /** Asks something that can be asked again without harm, until there is an answer. */
  async askSafely(question: Question, deadlineMs: number): Promise<Verdict> {
    for (let attempt = 1; ; attempt++) {
      const verdict = await this.ask(question, deadlineMs);
      if (verdict.kind !== 'unavailable') return verdict;
      if (!(await this.mayTryAgain(attempt + 1, verdict.failure, deadlineMs))) return verdict;
    }
  }

  close(): void {
    this.#transport.close();
  }

  async #attempt(question: Question, deadlineMs: number, renew: boolean): Promise<Verdict> {
    let reply: WireReply;
    let token: string;
    try {
      token = await this.#tokens.current();
      const leftMs = Math.max(SHORTEST_ATTEMPT_MS, deadlineMs - performance.now());
      reply = await this.#transport.send({
        method: question.method,
        url: this.#options.baseUrl + address(question),
        headers: {
          authorization: `Bearer ${token}`,
          ...(question.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(question.body !== undefined && { body: JSON.stringify(question.body) }),
        timeoutMs: Math.min(question.timeoutMs ?? this.#options.timeoutMs, leftMs),
      });
    } catch (error) {
      return { kind: 'unavailable', failure: toUnavailable(error) };
    }
    if (reply.status !== 401) return judge(reply, [...this.#options.secrets, ...(question.secrets ?? [])]);
    this.#tokens.discard(token);
    if (renew) return this.#attempt(question, deadlineMs, false);
    return {
      kind: 'unavailable',
      failure: new PspUnavailable('credentials', 'none', { note: 'status 401' }),
    };
  }

  #report({ method, route, params }: Question, verdict: Verdict, elapsedMs: number): void {
    const outcome =
      verdict.kind === 'unavailable'
        ? verdict.failure.reason
        : verdict.kind === 'refused'
          ? String(verdict.refusal.status)
          : 'done';
    this.#options.onExchange?.({ method, route, outcome, elapsedMs });
    // That it does not have what was asked for is an answer like any other.
    const wentWell =
      verdict.kind === 'done' ||
      (verdict.kind === 'refused' && method === 'GET' && [404, 410].includes(verdict.refusal.status));
    const level = wentWell ? 'debug' : 'warn';
    // The Pix key and the webhook's address stay out: one may be a CPF or phone, the other is a secret.
    const { txid, endToEndId, refundId } = params;
    this.#options.log[level](
      {
        method,
        route,
        outcome,
        ms: Math.round(elapsedMs),
        txid,
        end_to_end_id: endToEndId,
        refund_id: refundId,
        ...(verdict.kind === 'refused' && { refusal: verdict.refusal.message }),
        ...(verdict.kind === 'unavailable' && { failure: verdict.failure.message }),
      },
      'asked the PSP',
    );
  }
}

function address({ route, params, query }: Question): string {
  const path = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return query ? `${path}?${new URLSearchParams(query)}` : path;
}

function judge(reply: WireReply, secrets: readonly string[]): Verdict {
  const { status } = reply;
  const unavailable = (failure: PspUnavailable): Verdict => ({ kind: 'unavailable', failure });
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

/** undefined when it is not JSON; an empty body (204, some PSPs' PUT /webhook) says as much as null. */
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
