import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/observability/log.ts';
import { createDebitCalls, createRecurrenceCalls } from './autopay.ts';
import { type Exchange, PspHttp } from './http-client.ts';
import { createChargeCalls, createPixCalls, createRefundCalls } from './payments.ts';
import { createResource } from './resource.ts';
import { AccessTokens, type TokenOptions } from './token.ts';
import { parseWebhook, type Receiver } from './translate.ts';
import { type ClientCertificate, openTransport } from './transport.ts';

export type PspClientOptions = TokenOptions & {
  /** The base URL including the version, as the PSP documents it: https://pix.example.com/v2, https://cdpj.example/pix/v2. */
  baseUrl: string;
  /** The certificate for mTLS, which every PSP requires in production. */
  tls?: ClientCertificate;
  /** The deadline of a call with all its attempts and waits; by default three times the timeout of one attempt. */
  callTimeoutMs?: number;
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
 * Opens a client of the Central Bank's API Pix 2.9. Every method may throw `PspUnavailable` (retry later) and `PspRefused` (refused,
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
    close: () => http.close(),
  };
}

/** Before a PSP registers a URL, it may call the URL, with and without its certificate. Efí does so for up to a minute. */
const PUT_TIMEOUT_MS = 60_000;

/** The PSP appends `/pix`, `/rec` or `/cobr` to the URL, for the payments of a key, for authorisations, and for debits. */
function createWebhookCalls(http: PspHttp) {
  const toKeyHook = (key: string) => ({ route: '/webhook/:key', params: { key }, secrets: [key] });
  const autopayHooks = ['/webhookrec', '/webhookcobr'].map((route) => ({ route, params: {}, secrets: [] }));
  type Hook = ReturnType<typeof toKeyHook> | (typeof autopayHooks)[number];

  const putHook = async (hook: Hook, url: string): Promise<void> => {
    const result = await http.sendWithRetries(
      {
        method: 'PUT',
        ...hook,
        body: { webhookUrl: url },
        secrets: [url, ...hook.secrets],
        timeoutMs: PUT_TIMEOUT_MS,
      },
      http.computeDeadlineMs() + PUT_TIMEOUT_MS,
    );
    if (result.kind === 'refused') throw result.refusal;
    if (result.kind === 'unavailable') throw result.failure;
  };
  const getHook = (hook: Hook) => createResource(http, hook, parseWebhook).get();
  return {
    putWebhook: (key: string, url: string) => putHook(toKeyHook(key), url),
    getWebhook: (key: string) => getHook(toKeyHook(key)),
    /** Registers the callback URL for authorisations and debits, which belong to no key. */
    async putAutopayWebhooks(url: string): Promise<void> {
      for (const hook of autopayHooks) await putHook(hook, url);
    },
    getAutopayWebhooks: () => Promise.all(autopayHooks.map(getHook)),
  };
}
