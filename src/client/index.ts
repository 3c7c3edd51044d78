export {
  type Answer,
  type Client,
  type ClientOptions,
  createClient,
  type Input,
  type OperationId,
  type Output,
  type WalletEvent,
} from './client.ts';
export type { components } from './openapi.d.ts';
export { ConnectionError, isProblem, type ProblemCode, ProblemError } from './problem.ts';
export { memoryTokens, type TokenStore, type Tokens } from './tokens.ts';
export { fetchTransport, nodeTransport, type Transport } from './transport.ts';
export { verifyWebhook, WebhookError } from './webhooks.ts';
