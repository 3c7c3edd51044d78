import {
  type CallIdOf,
  type Calls,
  createCalls,
  type FullResponseOf,
  type InputOf,
  type ListIdOf,
  type OutputOf,
  type StreamEventOf,
  type StreamIdOf,
} from './calls.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import type { operations as Operations } from './openapi.ts';
import type { Schemas } from './openapi-schemas.ts';
import { operations } from './operations.ts';
import { isProblem } from './problem.ts';
import { Session, type TokenStore } from './tokens.ts';
import type { Transport } from './transport.ts';

export type OperationId = keyof Operations & keyof typeof operations;
export type Input<O extends OperationId> = InputOf<Operations[O]>;
export type Output<O extends OperationId> = OutputOf<Operations[O]>;
/** Operations that return a stream of events. */
export type StreamId = StreamIdOf<Operations>;
/** Operations that return a list in pages. */
export type ListId = ListIdOf<Operations>;
/** Operations that return a single response. */
export type CallId = CallIdOf<Operations>;
/** The full response. A 304 has no data: the caller's copy is current. */
export type Answer<O extends CallId> = FullResponseOf<Operations[O]>;

/** An event of a customer's stream, or `reset`, which says that events may have been missed. */
export type WalletEvent = StreamEventOf<Operations['streamEvents']>;
/** An event of the feed and of webhooks. */
export type PartnerEvent = Schemas['PartnerEvent'];

/** A function for every operation of openapi.json, by its `operationId`, and helpers for lists and streams. */
export type Client = Calls<Operations> & {
  /** Creates a client of the same service for another customer, or with further headers. */
  with(changes: Pick<ClientOptions, 'headers' | 'tokens'>): Client;
};

export type ClientOptions = {
  /** The URL of the partner API. */
  url: string;
  /** The API key. */
  key: string;
  /** Headers of every call, such as `accept-language`, or `x-client-ip` with the key of a backend. */
  headers?: Record<string, string>;
  /** The tokens of the customer, or of the merchant's member, for whom calls are made. */
  tokens?: TokenStore;
  /** The operation that refreshes the tokens: `refreshMember` for those of a member. */
  refreshBy?: 'refresh' | 'refreshMember';
  transport?: Transport;
  /** The maximum number of attempts of a call that may be retried, 3 by default. */
  tries?: number;
};

/** Returns the function `createClient`. It calls `createTransport` for a client whose options have no transport. */
export const createClientWith =
  (createTransport: () => Transport) =>
  (options: ClientOptions): Client =>
    buildClient({ ...options, transport: options.transport ?? createTransport() });

function buildClient(options: ClientOptions & { transport: Transport }): Client {
  const { url, key, headers = {}, tokens, refreshBy = 'refresh', tries: maxAttempts, transport } = options;
  const session =
    tokens &&
    new Session(tokens, async (refresh_token) => {
      const idempotencyKey = tokens.refreshKey?.(refresh_token) ?? newIdempotencyKey();
      return calls[refreshBy]({ body: { refresh_token }, idempotencyKey });
    });
  const calls: Calls<Operations> = createCalls<Operations>(operations, {
    url,
    headers: { 'x-api-key': key, ...headers },
    transport,
    maxAttempts,
    /** Sends the token if the operation requires one. If the token has expired, refreshes it and sends the request again. */
    async authorise({ customer: requiresToken }, sendRequest) {
      if (!session || !requiresToken) return sendRequest();
      const sendWithToken = (token: string | undefined) => sendRequest(token ? { 'x-token': token } : {});
      const token = await session.getToken();
      try {
        return await sendWithToken(token);
      } catch (error) {
        if (!token || !isProblem(error, 'token_expired')) throw error;
        return sendWithToken(await session.getToken({ rejectedToken: token }));
      }
    },
  });
  return {
    ...calls,
    with: (changes: Pick<ClientOptions, 'headers' | 'tokens'>) =>
      buildClient({ ...options, ...changes, headers: { ...headers, ...changes.headers } }),
  };
}
