import type { Cents } from '#core/money.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/observability/log.ts';
import {
  type FoundCharge,
  findCharge,
  type PutCharge,
  putCharge,
  type RemovedCharge,
  removeCharge,
} from './charges.ts';
import { type Exchange, PspHttp } from './http-client.ts';
import { type FoundPix, findPix, listPix, type PixPage, type PixWindow } from './received.ts';
import { type AskedRefund, type FoundRefund, findRefund, requestRefund } from './refunds.ts';
import { AccessTokens } from './token.ts';
import type { ChargeTerms, Receiver } from './translate.ts';
import { type ClientCertificate, openTransport } from './transport.ts';
import { type FoundWebhook, findWebhook, putWebhook } from './webhooks.ts';

export type PspClientOptions = {
  /** The base URL including the version, in the PSP's form: https://pix.example.com/v2, https://cdpj.example/pix/v2. */
  baseUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  tokenStyle: 'basic-json' | 'form';
  scopes?: readonly string[];
  /** The certificate for mTLS, which every PSP requires in production. */
  tls?: ClientCertificate;
  /** The timeout of one attempt. */
  timeoutMs: number;
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

/**
 * A client of the Central Bank's API Pix 2.9. Every method may throw `PspUnavailable` (retry later) and `PspRefused` (refused,
 * nothing was done).
 */
export type PspClient = {
  /** `inDoubt`: an earlier attempt may have succeeded, so read before writing. */
  putCob(txid: string, terms: ChargeTerms, options?: { inDoubt?: boolean }): Promise<PutCharge>;
  getCob(txid: string): Promise<FoundCharge>;
  removeCob(txid: string): Promise<RemovedCharge>;
  getPix(endToEndId: string): Promise<FoundPix>;
  listPix(window: PixWindow): AsyncGenerator<PixPage, void, undefined>;
  requestRefund(
    endToEndId: string,
    id: string,
    amountCents: Cents,
    options?: { note?: string },
  ): Promise<AskedRefund>;
  getRefund(endToEndId: string, id: string): Promise<FoundRefund>;
  putWebhook(key: string, url: string): Promise<void>;
  getWebhook(key: string): Promise<FoundWebhook>;
  /** Closes every connection; running calls fail as unavailable. */
  close(): void;
};

export function openPspClient(options: PspClientOptions): PspClient {
  const { timeoutMs, clientSecret, receiver, log, clock, onExchange } = options;
  const transport = openTransport(options.tls);
  const nowMs = clock ? () => clock.now().getTime() : () => performance.now();
  const http = new PspHttp(
    {
      baseUrl: options.baseUrl.replace(/\/+$/, ''),
      timeoutMs,
      callTimeoutMs: options.callTimeoutMs ?? timeoutMs * 3,
      attempts: options.attempts ?? 3,
      log,
      ...(onExchange && { onExchange }),
      secrets: [clientSecret],
    },
    new AccessTokens(options, transport, nowMs),
    transport,
  );
  return {
    putCob: (txid, terms, { inDoubt = false } = {}) => putCharge(http, receiver, txid, terms, inDoubt),
    getCob: (txid) => findCharge(http, receiver, txid),
    removeCob: (txid) => removeCharge(http, receiver, txid),
    getPix: (endToEndId) => findPix(http, endToEndId),
    listPix: (window) => listPix(http, window),
    requestRefund: (endToEndId, id, amountCents, extras = {}) =>
      requestRefund(http, { endToEndId, id, amountCents, ...extras }),
    getRefund: (endToEndId, id) => findRefund(http, endToEndId, id),
    putWebhook: (key, url) => putWebhook(http, key, url),
    getWebhook: (key) => findWebhook(http, key),
    close: () => http.close(),
  };
}
