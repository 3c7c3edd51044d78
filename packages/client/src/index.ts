import type { Schemas } from './openapi-schemas.ts';

export type { StreamOptions } from './calls.ts';
export {
  type Answer,
  type CallId,
  type Client,
  type ClientOptions,
  createClient,
  type Input,
  type ListId,
  type OperationId,
  type Output,
  type PartnerEvent,
  type StreamId,
  type WalletEvent,
} from './client.ts';
export type { ProblemCode } from './operations.ts';
export { ConnectionError, isProblem, ProblemError } from './problem.ts';
export { memoryTokens, type TokenStore, type Tokens } from './tokens.ts';
export {
  fetchTransport,
  nodeTransport,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';
export { verifyWebhook, WebhookError } from './webhooks.ts';

/** The schemas by name, as generators of types for OpenAPI write them. */
export type components = { schemas: Schemas };
