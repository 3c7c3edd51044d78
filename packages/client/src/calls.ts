import { readEvents } from './events.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { ConnectionError, isProblem, ProblemError } from './problem.ts';
import { readBytes, type Transport, type TransportResponse } from './transport.ts';

/** The generated type of an operation. */
export type Operation = {
  path?: unknown;
  query?: unknown;
  body?: unknown;
  /** The body of the response. */
  answer: unknown;
  /** The events of a stream. */
  stream?: unknown;
};
/** The entry of an operation in the generated table. */
export type OperationEntry = {
  readonly method: string;
  readonly path: string;
  /** Whether the operation accepts an Idempotency-Key. */
  readonly idempotent?: true;
  /** Whether the operation requires the token of a customer or a member. */
  readonly customer?: true;
  readonly stream?: true;
  /** The roles that may call an operation of the staff API. `viewer` stands for all roles. */
  readonly role?: string | readonly string[];
};

/** One of the path parameters, the query and the body of an operation. It is forbidden if the operation does not have it. */
type InputPart<Op, Name extends string> = Name extends keyof Op ? Pick<Op, Name> : { [N in Name]?: never };

export type InputOf<Op extends Operation> = InputPart<Op, 'path'> &
  InputPart<Op, 'query'> &
  InputPart<Op, 'body'> & {
    headers?: Record<string, string>;
    signal?: AbortSignal;
    /** The body of an operation that does not accept JSON, such as a picture. */
    bytes?: { type: string; content: Uint8Array<ArrayBuffer> };
    /** The key of a creation, by default a random one. All attempts of a call use the same key. */
    idempotencyKey?: string;
  };

export type OutputOf<Op extends Operation> = Op['answer'];

/** The type of a stream's events. */
export type StreamEventOf<Op extends Operation> = Op extends { stream: infer E } ? E : never;
/** The type of the items of a list, which has pages, or of the feed, which has a cursor. */
export type ListItemOf<Op extends Operation> =
  OutputOf<Op> extends { data: Array<infer T> } & ({ pagination: unknown } | { has_more: boolean })
    ? T
    : never;

export type Operations<Ops> = { [O in keyof Ops]: Operation };
/** Operations that return a stream of events. */
export type StreamIdOf<Ops extends Operations<Ops>> = {
  [O in keyof Ops]: [StreamEventOf<Ops[O]>] extends [never] ? never : O;
}[keyof Ops];
/** Operations that return a list in pages. */
export type ListIdOf<Ops extends Operations<Ops>> = {
  [O in keyof Ops]: [ListItemOf<Ops[O]>] extends [never] ? never : O;
}[keyof Ops];
/** Operations that return a single response. */
export type CallIdOf<Ops extends Operations<Ops>> = Exclude<keyof Ops, StreamIdOf<Ops>>;

/** The arguments of a call. The input can be omitted if all its parts are optional. */
type Arguments<Op extends Operation> =
  Record<never, never> extends InputOf<Op> ? [input?: InputOf<Op>] : [input: InputOf<Op>];

/** The full response. A 304 has no data: the caller's copy is current. */
export type FullResponseOf<Op extends Operation> = {
  status: number;
  headers: TransportResponse['headers'];
  data: OutputOf<Op>;
};

/** A function for every operation of a document, by its `operationId`, and helpers for lists and streams. */
export type Calls<Ops extends Operations<Ops>> = {
  [O in CallIdOf<Ops>]: (...args: Arguments<Ops[O]>) => Promise<OutputOf<Ops[O]>>;
} & {
  /** Iterates over events from now on, or after `lastEventId`, until `signal` is aborted. Reconnects automatically. */
  [O in StreamIdOf<Ops>]: (options?: StreamOptions) => AsyncGenerator<StreamEventOf<Ops[O]>, void, undefined>;
} & {
  /** Returns the full response, with headers (`if-none-match`, `etag`) and status. */
  call<O extends CallIdOf<Ops>>(operation: O, ...args: Arguments<Ops[O]>): Promise<FullResponseOf<Ops[O]>>;
  /** Iterates over a whole list, or the feed of events; pages are read on demand. */
  each<O extends ListIdOf<Ops>>(
    operation: O,
    ...args: Arguments<Ops[O]>
  ): AsyncGenerator<ListItemOf<Ops[O]>, void, undefined>;
  /** Returns the response as a stream, for CSV and other types than JSON, with `accept` in `headers`. */
  open<O extends CallIdOf<Ops>>(operation: O, ...args: Arguments<Ops[O]>): Promise<TransportResponse>;
};

export type StreamOptions = {
  lastEventId?: string;
  signal?: AbortSignal;
  /** Called when the stream is open. Every change after that arrives as an event, so state that is read now stays up to date. */
  onOpen?: () => void;
};

/** Sends the request of a call, with further headers. */
type SendRequest = (extraHeaders?: Record<string, string>) => Promise<TransportResponse>;

export type CallsOptions = {
  url: string;
  /** Headers of every call. */
  headers: Record<string, string>;
  transport: Transport;
  /** The maximum number of attempts of a call that may be retried, 3 by default. */
  maxAttempts?: number | undefined;
  /** Sends a request with credentials, by calling `sendRequest` with their headers. */
  authorise?: (entry: OperationEntry, sendRequest: SendRequest) => Promise<TransportResponse>;
};

/** The input of a call whose operation is not known. */
type AnyInput = Partial<InputOf<Operation>>;

/** The delay before the second attempt. It doubles with each attempt, and varies by half at random. */
const BACK_OFF_MS = 100;
/** The delay before a stream reconnects, unless the server sends another. */
const DEFAULT_RECONNECT_MS = 2_000;
/** If `Retry-After` is longer than this, the call fails instead of being retried. */
const MAX_WAIT_MS = 5_000;

/** Creates the calls of an API. `table` has the operations of the document from which `Ops` was generated. */
export function createCalls<Ops extends Operations<Ops>>(
  table: Readonly<Record<keyof Ops, OperationEntry>>,
  options: CallsOptions,
): Calls<Ops> {
  const {
    url,
    headers,
    transport,
    maxAttempts = 3,
    authorise = (_entry, sendRequest) => sendRequest(),
  } = options;
  const baseUrl = url.replace(/\/+$/, '');

  const send = (entry: OperationEntry, input: AnyInput, extraHeaders: Record<string, string>) =>
    authorise(entry, async (credentials) => {
      const { body, bytes, signal } = input as AnyInput & { body?: unknown };
      const response = await transport({
        method: entry.method,
        url: baseUrl + buildUrl(entry.path, input as Parameters<typeof buildUrl>[1]),
        headers: {
          accept: 'application/json, application/problem+json, text/event-stream',
          ...headers,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(bytes && { 'content-type': bytes.type }),
          ...extraHeaders,
          ...credentials,
          ...input.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(bytes && { body: bytes.content }),
        ...(signal && { signal }),
      });
      if (response.status < 400) return response;
      const text = new TextDecoder().decode(await readBytes(response.body));
      throw parseProblem(response, text);
    });

  const call = async (operation: keyof Ops, input: AnyInput = {}) => {
    const entry = table[operation];
    const keyHeader: Record<string, string> = entry.idempotent
      ? { 'idempotency-key': input.idempotencyKey ?? newIdempotencyKey() }
      : {};
    const isSafeToRepeat = entry.idempotent || entry.method === 'GET';
    const { response, bytes } = await retry(isSafeToRepeat ? maxAttempts : 1, input.signal, async () => {
      const response = await send(entry, input, keyHeader);
      return { response, bytes: await readBytes(response.body) };
    });
    return { status: response.status, headers: response.headers, data: parseBody(response, bytes) };
  };

  async function* stream(operation: keyof Ops, { lastEventId, signal, onOpen }: StreamOptions = {}) {
    let lastReceivedId = lastEventId;
    let reconnectMs = DEFAULT_RECONNECT_MS;
    while (!signal?.aborted) {
      try {
        const positionHeader: Record<string, string> =
          lastReceivedId === undefined ? {} : { 'last-event-id': lastReceivedId };
        const { body } = await send(table[operation], { ...(signal && { signal }) }, positionHeader);
        onOpen?.();
        const setReconnectDelay = (ms: number) => {
          reconnectMs = ms;
        };
        for await (const { id, data } of readEvents(body, setReconnectDelay)) {
          lastReceivedId = id ?? lastReceivedId;
          yield JSON.parse(data);
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (isProblem(error) && error.status < 500 && error.status !== 429) throw error;
        if (isProblem(error)) reconnectMs = Math.max(reconnectMs, error.retryAfterMs ?? 0);
      }
      await sleep(reconnectMs, signal).catch(() => undefined); // an aborted signal ends the loop
    }
  }

  const operationFunctions = Object.entries<OperationEntry>(table).map(([operation, entry]) => [
    operation,
    entry.stream
      ? (options?: StreamOptions) => stream(operation as keyof Ops, options)
      : (input?: AnyInput) => call(operation as keyof Ops, input).then(({ data }) => data),
  ]);
  return {
    ...Object.fromEntries(operationFunctions),
    call,
    open: (operation: keyof Ops, input: AnyInput = {}) => send(table[operation], input, {}),
    async *each(operation: keyof Ops, input: AnyInput = {}) {
      let query: Record<string, unknown> = { ...(input.query as object | undefined) };
      for (;;) {
        const { data: page } = await call(operation, { ...input, query });
        const { data: items, ...position } = page as ListResponse;
        yield* items;
        const nextPage = findNextPage(position);
        if (!nextPage) return;
        query = { ...query, ...nextPage };
      }
    },
  } as unknown as Calls<Ops>;
}

type ListPosition =
  | { pagination: { page: number; pages: number; next?: string } }
  | { after: string; has_more: boolean };
type ListResponse = { data: unknown[] } & ListPosition;

/** Returns the query for the next page, or undefined at the end of the list. */
function findNextPage(position: ListPosition): { page?: number; after?: string } | undefined {
  if ('has_more' in position) return position.has_more ? { after: position.after } : undefined;
  const { page, pages, next } = position.pagination;
  if (next !== undefined) return { page: page + 1, after: next };
  return page < pages ? { page: page + 1 } : undefined;
}

/** Returns parsed JSON, the bytes of a picture, or undefined for an empty body. */
function parseBody({ headers }: TransportResponse, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  return headers['content-type']?.includes('json') ? JSON.parse(new TextDecoder().decode(bytes)) : bytes;
}

function buildUrl(
  path: string,
  { path: pathParameters = {}, query = {} }: { path?: object | undefined; query?: object | undefined },
): string {
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((pathParameters as Record<string, unknown>)[name])),
  );
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = String(
    new URLSearchParams(parameters.map(([name, value]) => [name, String(value)] as [string, string])),
  );
  return search ? `${filledPath}?${search}` : filledPath;
}

/**
 * Calls `attemptCall` until it succeeds, its error is final, or there were `maxAttempts` attempts. Then throws the last error. Only calls that
 * are safe to repeat may have several attempts.
 */
async function retry<T>(
  maxAttempts: number,
  signal: AbortSignal | undefined,
  attemptCall: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptCall();
    } catch (error) {
      const waitMs = computeWaitMs(error, attempt);
      if (attempt >= maxAttempts || waitMs === undefined || waitMs > MAX_WAIT_MS) throw error;
      await sleep(waitMs, signal);
    }
  }
}

/** Returns how long to wait before the next attempt, or undefined if the error is final. */
function computeWaitMs(error: unknown, attempt: number): number | undefined {
  const backOffMs = BACK_OFF_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  if (error instanceof ConnectionError) return backOffMs;
  if (!isProblem(error)) return undefined;
  const mayRetry = error.status === 503 || error.status === 429 || error.code === 'idempotency_key_in_flight';
  return mayRetry ? (error.retryAfterMs ?? backOffMs) : undefined;
}

function parseProblem({ status, headers }: TransportResponse, text: string): ProblemError {
  const seconds = headers['retry-after'];
  const retryAfterMs = seconds && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
  const isProblemJson = headers['content-type']?.includes('json');
  try {
    return new ProblemError(status, isProblemJson ? JSON.parse(text) : {}, retryAfterMs);
  } catch {
    return new ProblemError(status, {}, retryAfterMs); // a response of a proxy
  }
}

/** Resolves after a delay. Rejects with the reason of the signal as soon as it is aborted. */
function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
