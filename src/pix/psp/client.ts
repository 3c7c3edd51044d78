import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/observability/log.ts';
import { chargeCalls } from './charges.ts';
import { debitCalls } from './debits.ts';
import { type Exchange, PspHttp } from './http-client.ts';
import { receivedCalls } from './received.ts';
import { recurrenceCalls } from './recurrences.ts';
import { refundCalls } from './refunds.ts';
import { AccessTokens, type TokenOptions } from './token.ts';
import type { Receiver } from './translate.ts';
import { type ClientCertificate, openTransport } from './transport.ts';
import { webhookCalls } from './webhooks.ts';

export type PspClientOptions = TokenOptions & {
  /** The base URL including the version, in the PSP's form: https://pix.example.com/v2, https://cdpj.example/pix/v2. */
  baseUrl: string;
  /** The certificate for mTLS, which every PSP requires in production. */
  tls?: ClientCertificate;
  /** The deadline of a call with all its attempts and waits; default: three times the timeout of one. */
  callTimeoutMs?: number;
  /** The number of attempts, by default 3. */
  attempts?: number;
  /** Name and city for codes that we have to build because the PSP returns none. */
  receiver: Receiver;
  log: Log;
  /** Decides when a token expires; by default the process's monotonic clock. */
  clock?: Clock;
  /** Called with every attempt, for metrics. */
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
    ...chargeCalls(http, receiver),
    ...receivedCalls(http),
    ...refundCalls(http),
    ...recurrenceCalls(http, receiver),
    ...debitCalls(http),
    ...webhookCalls(http),
    /** Closes every connection; running calls fail as unavailable. */
    close: () => http.close(),
  };
}
