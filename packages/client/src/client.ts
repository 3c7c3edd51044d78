import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents } from './events.ts';
import type { components, operations as Operations } from './openapi.ts';
import { operations } from './operations.ts';
import { ConnectionError, isProblem, ProblemError } from './problem.ts';
import { Session, type TokenStore } from './tokens.ts';
import { nodeTransport, readBytes, type Transport, type TransportResponse } from './transport.ts';

export type OperationId = keyof Operations & keyof typeof operations;

type Content<B> = { content: { 'application/json': B } };
type BodyOf<O extends OperationId> = Operations[O] extends { requestBody: Content<infer B> }
  ? { body: B }
  : [NonNullable<Operations[O]['requestBody']>] extends [never]
    ? { body?: never }
    : NonNullable<Operations[O]['requestBody']> extends Content<infer B>
      ? { body?: B }
      : { body?: never };

export type Input<O extends OperationId> = Pick<Operations[O]['parameters'], 'path' | 'query'> &
  BodyOf<O> & {
    headers?: Record<string, string>;
    signal?: AbortSignal;
    /** Generated if not given; retries of a call use the same one. */
    idempotencyKey?: string;
  };

type Responses<O extends OperationId> = Operations[O]['responses'];
type Received<R> = R extends { content: { 'application/json': infer D } }
  ? D
  : R extends { content: { 'image/*': unknown } }
    ? Uint8Array
    : undefined;
export type Output<O extends OperationId> = Received<Responses<O>[keyof Responses<O>]>;

type Arguments<O extends OperationId> =
  Record<never, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>];

/** The type of a stream's events. */
type Streamed<O extends OperationId> =
  Responses<O> extends { 200: { content: { 'text/event-stream': infer E } } } ? E : never;
/** The type of a list's items: a paged list, or the feed, which has a cursor. */
type Listed<O extends OperationId> =
  Output<O> extends { data: Array<infer T> } & ({ pagination: unknown } | { has_more: boolean }) ? T : never;

/** Operations that answer with a stream of events. */
export type StreamId = { [O in OperationId]: [Streamed<O>] extends [never] ? never : O }[OperationId];
/** Operations that answer a list in pages. */
export type ListId = { [O in OperationId]: [Listed<O>] extends [never] ? never : O }[OperationId];
/** Operations that answer once. */
export type CallId = Exclude<OperationId, StreamId>;

/** The whole answer. A 304 has no data: the caller's copy is current. */
export type Answer<O extends CallId> = {
  status: number;
  headers: TransportResponse['headers'];
  data: Output<O>;
};

/** An event of a customer's stream, or `reset`: events may have been missed. */
export type WalletEvent = Streamed<'streamEvents'>;
/** An event of the feed and of webhooks. */
export type PartnerEvent = components['schemas']['PartnerEvent'];

/** A function for every operation of openapi.json, by its `operationId`, and helpers for lists and streams. */
export type Client = {
  [O in CallId]: (...given: Arguments<O>) => Promise<Output<O>>;
} & {
  /** Events from now on, or after `lastEventId`, until `signal` aborts it. Reconnects by itself. */
  [O in StreamId]: (options?: StreamOptions) => AsyncGenerator<Streamed<O>, void, undefined>;
} & {
  /** The whole answer, with headers (`if-none-match`, `etag`) and status. */
  call<O extends CallId>(operation: O, ...given: Arguments<O>): Promise<Answer<O>>;
  /** Iterates over a whole list, or the feed of events; pages are read on demand. */
  each<O extends ListId>(operation: O, ...given: Arguments<O>): AsyncGenerator<Listed<O>, void, undefined>;
  /** The same service for another customer, or with further headers. */
  with(changes: Pick<ClientOptions, 'headers' | 'tokens'>): Client;
};

export type StreamOptions = {
  lastEventId?: string;
  signal?: AbortSignal;
  /** Called when the stream is open. State read from now on, together with the events, misses nothing. */
  onOpen?: () => void;
};

export type ClientOptions = {
  /** The address of the front door. */
  url: string;
  key: string;
  /** Sent with every call: `accept-language`, or `x-client-ip` with the key of a backend. */
  headers?: Record<string, string>;
  /** The tokens of the customer, or of the merchant's member, for whom calls are made. */
  tokens?: TokenStore;
  /** Which operation exchanges them: `refreshMember` for a member's. */
  refreshBy?: 'refresh' | 'refreshMember';
  transport?: Transport;
  /** The number of attempts of a call that may be retried. */
  tries?: number;
};

/** If the service asks to wait longer than this, the call fails instead of being retried. */
const MOST_WAIT_MS = 5_000;

export function createClient(options: ClientOptions): Client {
  const { url, key, headers = {}, tokens, refreshBy = 'refresh', tries = 3 } = options;
  const transport = options.transport ?? nodeTransport();
  const base = url.replace(/\/+$/, '');
  const session =
    tokens &&
    new Session(tokens, async (refresh_token) => {
      const idempotencyKey = tokens.refreshKey?.(refresh_token) ?? crypto.randomUUID();
      return (await call(refreshBy, { body: { refresh_token }, idempotencyKey })).data;
    });

  const send = async <O extends OperationId>(
    operation: O,
    input: Partial<Input<O>>,
    more: Record<string, string>,
  ) => {
    const { method, path } = operations[operation];
    const { body, signal } = input;
    const response = await transport({
      method,
      url: base + address(path, input),
      headers: {
        'x-api-key': key,
        accept: 'application/json, application/problem+json, text/event-stream',
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
        ...input.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (response.status < 400) return response;
    throw problemOf(response, new TextDecoder().decode(await readBytes(response.body)));
  };

  /** Sends the token if the operation needs one; after a 401 it is refreshed once. */
  const sendAs = async <O extends OperationId>(
    operation: O,
    input: Partial<Input<O>>,
    more: Record<string, string>,
  ) => {
    if (!session || !('customer' in operations[operation])) return send(operation, input, more);
    const token = await session.token();
    const withToken = (value: string | undefined) =>
      send(operation, input, { ...more, ...(value && { 'x-token': value }) });
    try {
      return await withToken(token);
    } catch (error) {
      if (!token || !isProblem(error, 'token_expired')) throw error;
      return withToken(await session.token(token));
    }
  };

  const call = async <O extends CallId>(
    operation: O,
    ...[input = {}]: [input?: Partial<Input<O>>]
  ): Promise<Answer<O>> => {
    const declared = operations[operation];
    const idempotent = 'idempotent' in declared;
    const more: Record<string, string> = idempotent
      ? { 'idempotency-key': input.idempotencyKey ?? crypto.randomUUID() }
      : {};
    const triesLeft = idempotent || declared.method === 'GET' ? tries : 1;
    const { response, bytes } = await repeat(triesLeft, input.signal, async () => {
      const response = await sendAs(operation, input, more);
      return { response, bytes: await readBytes(response.body) };
    });
    return {
      status: response.status,
      headers: response.headers,
      data: dataOf(response, bytes) as Output<O>,
    };
  };

  async function* stream(operation: StreamId, { lastEventId, signal, onOpen }: StreamOptions = {}) {
    let last = lastEventId;
    let waitMs = 2_000;
    while (!signal?.aborted) {
      try {
        const more: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
        const { body } = await sendAs(operation, { ...(signal && { signal }) }, more);
        onOpen?.();
        const setWait = (ms: number) => {
          waitMs = ms;
        };
        for await (const { id, data } of readEvents(body, setWait)) {
          last = id ?? last;
          yield JSON.parse(data);
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (isProblem(error) && error.status < 500 && error.status !== 429) throw error;
        if (isProblem(error)) waitMs = Math.max(waitMs, error.retryAfterMs ?? 0);
      }
      await sleep(waitMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
    }
  }

  const client = {
    call,
    async *each<O extends ListId>(operation: O, input: Partial<Input<O>> = {}) {
      let query: Record<string, unknown> = { ...input.query };
      for (;;) {
        const { data: items, ...place } = (await call(operation, { ...input, query } as Partial<Input<O>>))
          .data as unknown as ListAnswer;
        yield* items;
        const next = nextPage(place);
        if (!next) return;
        query = { ...query, ...next };
      }
    },
    with: (changes: Pick<ClientOptions, 'headers' | 'tokens'>) =>
      createClient({ ...options, transport, ...changes, headers: { ...headers, ...changes.headers } }),
  };
  const functions = Object.entries(operations).map(([operation, declared]) => [
    operation,
    'stream' in declared
      ? (options?: StreamOptions) => stream(operation as StreamId, options)
      : (input?: Partial<Input<CallId>>) => call(operation as CallId, input).then(({ data }) => data),
  ]);
  return { ...Object.fromEntries(functions), ...client } as unknown as Client;
}

type Place = { pagination: { page: number; pages: number } } | { after: string; has_more: boolean };
type ListAnswer = { data: unknown[] } & Place;

/** The query for the next page; undefined at the end of the list. */
function nextPage(place: Place): { page: number } | { after: string } | undefined {
  if ('has_more' in place) return place.has_more ? { after: place.after } : undefined;
  const { page, pages } = place.pagination;
  return page < pages ? { page: page + 1 } : undefined;
}

/** Parsed JSON, the bytes of a picture, or undefined for an empty body. */
function dataOf({ headers }: TransportResponse, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  return headers['content-type']?.includes('json') ? JSON.parse(new TextDecoder().decode(bytes)) : bytes;
}

function address(
  path: string,
  { path: names = {}, query = {} }: { path?: object | undefined; query?: object | undefined },
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((names as Record<string, unknown>)[name])),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = String(
    new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string])),
  );
  return search ? `${filled}?${search}` : filled;
}

/** Retries when the service could not be reached, is unavailable, or asks to wait. Callers give only safe calls more than one try. */
async function repeat<T>(tries: number, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await work();
    } catch (error) {
      const waitMs = waitBefore(error, n);
      if (n >= tries || waitMs === undefined || waitMs > MOST_WAIT_MS) throw error;
      await sleep(waitMs, undefined, { ...(signal && { signal }) });
    }
  }
}

function waitBefore(error: unknown, n: number): number | undefined {
  const backOffMs = 100 * 2 ** (n - 1) * (0.5 + Math.random());
  if (error instanceof ConnectionError) return backOffMs;
  if (!isProblem(error)) return undefined;
  const mayRepeat =
    error.status === 503 || error.status === 429 || error.code === 'idempotency_key_in_flight';
  return mayRepeat ? (error.retryAfterMs ?? backOffMs) : undefined;
}

function problemOf({ status, headers }: TransportResponse, text: string): ProblemError {
  const seconds = headers['retry-after'];
  const retryAfterMs = seconds && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
  const isProblemJson = headers['content-type']?.includes('json');
  try {
    return new ProblemError(status, isProblemJson ? JSON.parse(text) : {}, retryAfterMs);
  } catch {
    return new ProblemError(status, {}, retryAfterMs); // a proxy answered
  }
}
