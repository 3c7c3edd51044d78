import type { Day } from '#core/day.ts';
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
import {
  type CancelledDebit,
  cancelDebit,
  type Debit,
  type DebitTerms,
  findDebit,
  type PutDebit,
  putDebit,
  retryDebit,
} from './debits.ts';
import { type Exchange, PspHttp } from './http-client.ts';
import { type FoundPix, findPix, listPix, type PixPage, type PixWindow } from './received.ts';
import {
  cancelRecurrence,
  codeOf,
  createLocation,
  createRecurrence,
  findRecAt,
  findRecurrence,
  type Recurrence,
  type RecurrenceLocation,
  type RecurrenceTerms,
} from './recurrences.ts';
import { type AskedRefund, type FoundRefund, findRefund, requestRefund } from './refunds.ts';
import { AccessTokens } from './token.ts';
import type { ChargeTerms, Receiver } from './translate.ts';
import { type ClientCertificate, openTransport } from './transport.ts';
import { AUTOPAY_HOOKS, type FoundWebhook, findWebhook, putWebhook } from './webhooks.ts';

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
  createRecLocation(): Promise<RecurrenceLocation>;
  createRec(terms: RecurrenceTerms, options?: { inDoubt?: boolean }): Promise<Recurrence>;
  findRecAt(locationId: number): Promise<string | null>;
  /** null: the PSP does not have it. With the txid of the charge that belongs to it, its code pays that, too. */
  getRec(recId: string, txid?: string | null): Promise<Recurrence | null>;
  /** Its code, from the PSP or our own. */
  codeOf(rec: Recurrence, chargeLocation: string | null): string | null;
  cancelRec(recId: string): Promise<Recurrence | null>;
  putDebit(txid: string, terms: DebitTerms, options?: { inDoubt?: boolean }): Promise<PutDebit>;
  getDebit(txid: string): Promise<Debit | null>;
  cancelDebit(txid: string): Promise<CancelledDebit>;
  retryDebit(txid: string, on: Day): Promise<Debit>;
  putWebhook(key: string, url: string): Promise<void>;
  getWebhook(key: string): Promise<FoundWebhook>;
  /** The same for authorisations and debits, which belong to no key. */
  putAutopayWebhooks(url: string): Promise<void>;
  getAutopayWebhooks(): Promise<FoundWebhook[]>;
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
    createRecLocation: () => createLocation(http),
    createRec: (terms, { inDoubt = false } = {}) => createRecurrence(http, terms, inDoubt),
    findRecAt: (locationId) => findRecAt(http, locationId),
    getRec: (recId, txid) => findRecurrence(http, recId, txid),
    codeOf: (rec, chargeLocation) => codeOf(rec, chargeLocation, receiver),
    cancelRec: (recId) => cancelRecurrence(http, recId),
    putDebit: (txid, terms, { inDoubt = false } = {}) => putDebit(http, txid, terms, inDoubt),
    getDebit: (txid) => findDebit(http, txid),
    cancelDebit: (txid) => cancelDebit(http, txid),
    retryDebit: (txid, on) => retryDebit(http, txid, on),
    putWebhook: (key, url) => putWebhook(http, { key }, url),
    getWebhook: (key) => findWebhook(http, { key }),
    async putAutopayWebhooks(url) {
      for (const which of AUTOPAY_HOOKS) await putWebhook(http, which, url);
    },
    getAutopayWebhooks: () => Promise.all(AUTOPAY_HOOKS.map((which) => findWebhook(http, which))),
    close: () => http.close(),
  };
}
