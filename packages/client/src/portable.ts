import type { Schemas } from './openapi-schemas.ts';

/** The exports that the entries for Node and for browsers share. */

export type { StreamOptions } from './calls.ts';
export type {
  Answer,
  CallId,
  Client,
  ClientOptions,
  Input,
  ListId,
  OperationId,
  Output,
  PartnerEvent,
  StreamId,
  WalletEvent,
} from './client.ts';
export type { ProblemCode } from './operations.ts';
export { ConnectionError, isProblem, ProblemError } from './problem.ts';
export { memoryTokens, type TokenStore, type Tokens } from './tokens.ts';
export {
  fetchTransport,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

/** The schemas by name, in the form that generators of types for OpenAPI use. */
export type components = { schemas: Schemas };
