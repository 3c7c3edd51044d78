import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/observability/log.ts';
import { createChargeCalls } from './charges.ts';
import { createDebitCalls } from './debits.ts';
import { type Exchange, PspHttp } from './http-client.ts';
import { createPixCalls } from './received.ts';
import { createRecurrenceCalls } from './recurrences.ts';
import { createRefundCalls } from './refunds.ts';
import { AccessTokens, type TokenOptions } from './token.ts';
import type { Receiver } from './translate.ts';
import { type ClientCertificate, openTransport } from './transport.ts';
import { createWebhookCalls } from './webhooks.ts';

export type PspClientOptions = TokenOptions & {
  /** The base URL including the version, in the PSP's form: https://pix.example.com/v2, https://cdpj.example/pix/v2. */
  baseUrl: string;
  /** The certificate for mTLS, which every PSP requires in production. */
  tls?: ClientCertificate;
  /** The deadline of a call with all its attempts and waits; by default three times the timeout of one attempt. */
  callTimeoutMs?: number;
  /** The number of attempts, by default 3. */
  attempts?: number;
  /** Name and city for codes that we build because the PSP returns none. */
  receiver: Receiver;
  log: Log;
  /** Decides when a token expires; by default the process's monotonic clock. */
  clock?: Clock;
  /** Called after every attempt, for metrics. */
  onExchange?: (exchange: Exchange) => void;
};

export type PspClient = ReturnType<typeof openPspClient>;

/**
 * A client of the Central Bank's API Pix 2.9. Every method may throw `PspUnavailable` (retry later) and `PspRefused` (refused,
 * nothing was done).
 */
export function openPspClient(options: PspClientOptions) {
  const { timeoutMs, receiver, clock } = options;
  const transport = openTransport(options.tls);
  const nowMs = clock ? () => clock.now().getTime() : () => performance.now();
  const http = new PspHttp(
    {
      ...options,
      baseUrl: options.baseUrl.replace(/\/+$/, ''),
      callTimeoutMs: options.callTimeoutMs ?? timeoutMs * 3,
      attempts: options.attempts ?? 3,
      secrets: [options.clientSecret],
    },
    new AccessTokens(options, transport, nowMs),
    transport,
  );
  return {
    ...createChargeCalls(http, receiver),
    ...createPixCalls(http),
    ...createRefundCalls(http),
    ...createRecurrenceCalls(http, receiver),
    ...createDebitCalls(http),
    ...createWebhookCalls(http),
    /** Closes every connection; running calls fail as unavailable. */
    close: () => http.close(),
  };
}
