import http from 'node:http';
import https from 'node:https';
import {
  AddressRefused,
  createPublicLookup,
  type ResolveHost,
  refusePrivateIpLiteral,
} from '#platform/http/ip-addresses.ts';
import type { Mode } from '#platform/settings.ts';

/** The outcome of one call. Stored as JSON. */
export type DeliveryAttempt = {
  at: string;
  status: number | null;
  /** Why there was no response. */
  error: string | null;
  duration_ms: number;
  /** The beginning of the response body. */
  answer: string | null;
};

/** The request as sent, without its body, and the response. Stored as JSON for the latest attempt only. */
export type Exchange = {
  url: string;
  headers: Record<string, string>;
  response: { status: number; headers: Record<string, string>; body: string } | null;
};

/** The attempt, and what is not stored in it: the receiver's Retry-After, and the exchange. */
export type CallResult = DeliveryAttempt & { retryAfter?: string; exchange?: Exchange };

export type Sender = {
  post(url: string, headers: Record<string, string>, body: string): Promise<CallResult>;
  /** Aborts running calls, which then fail with `stopped`. */
  close(): void;
};

export const isDelivered = ({ status }: Pick<CallResult, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

export const STOPPED = 'stopped';
/** How much of the latest request and response body is stored and returned. */
export const MAX_EXCHANGE_BYTES = 16 * 1024;
/** How much of the response body is stored for each attempt. */
const MAX_ANSWER_BYTES = 2 * 1024;
/** The connection is closed if the response body is longer. */
const MAX_BODY_BYTES = 64 * 1024;
/** Timeout for the response body, after the status. */
const BODY_TIMEOUT_MS = 1_000;
const IDLE_TIMEOUT_MS = 30_000;

class CallError extends Error {}

/**
 * Calls receivers over keep-alive connections and follows no redirects. In live mode, or with `resolveHost`, it connects only to public
 * addresses, and to exactly the address that it checked.
 */
export function createSender(options: { mode: Mode; timeoutMs: number; resolveHost?: ResolveHost }): Sender {
  const { mode, timeoutMs, resolveHost } = options;
  const isLive = mode === 'live';
  const mustCheckAddresses = isLive || resolveHost !== undefined;
  const poolOptions = {
    keepAlive: true,
    maxFreeSockets: 16,
    timeout: IDLE_TIMEOUT_MS,
    scheduling: 'lifo' as const,
    // biome-ignore lint/suspicious/noExplicitAny: the types declare only one of the two callback signatures of `lookup`
    ...(mustCheckAddresses && { lookup: createPublicLookup(resolveHost) as any }),
  };
  const agents = { 'http:': new http.Agent(poolOptions), 'https:': new https.Agent(poolOptions) };
  const pendingRequests = new Set<http.ClientRequest>();

  const sendRequest = (url: URL, headers: Record<string, string>, body: string): Promise<ReceivedResponse> =>
    new Promise((resolve, reject) => {
      if (mustCheckAddresses) refusePrivateIpLiteral(url);
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: agents[url.protocol as keyof typeof agents],
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      });
      pendingRequests.add(request);
      let hasResponded = false;
      const timers = [setTimeout(() => request.destroy(new CallError('timeout')), timeoutMs)];
      request.once('socket', (socket) => {
        if (!socket.connecting) return;
        const connectTimer = setTimeout(
          () => request.destroy(new CallError('connect_timeout')),
          timeoutMs / 2,
        );
        timers.push(connectTimer);
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () =>
          clearTimeout(connectTimer),
        );
      });
      request.once('error', (error) =>
        reject(Object.assign(error, { isReusedSocket: request.reusedSocket })),
      );
      request.once('close', () => {
        pendingRequests.delete(request);
        for (const timer of timers) clearTimeout(timer);
        if (!hasResponded) reject(new CallError('ECONNRESET'));
      });
      request.once('response', (response) => {
        hasResponded = true;
        const chunks: Buffer[] = [];
        let byteCount = 0;
        const finish = () => resolve({ status: response.statusCode!, headers: response.headers, chunks });
        timers.push(setTimeout(() => response.destroy(), BODY_TIMEOUT_MS));
        response.on('data', (chunk: Buffer) => {
          if (byteCount < MAX_EXCHANGE_BYTES) chunks.push(chunk);
          byteCount += chunk.length;
          if (byteCount > MAX_BODY_BYTES) response.destroy();
        });
        // The status is valid even if reading the body fails.
        response.once('error', finish).once('close', finish);
      });
      request.end(body);
    });

  return {
    async post(targetUrl, signedHeaders, body) {
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Semana-Webhooks',
        ...signedHeaders,
      };
      const exchange: Exchange = { url: targetUrl, headers, response: null };
      const at = new Date().toISOString();
      const startedAtMs = performance.now();
      const measureCall = () => ({ at, duration_ms: Math.round(performance.now() - startedAtMs) });
      try {
        const url = new URL(targetUrl);
        if (isLive && url.protocol !== 'https:') throw new CallError('https_required');
        const retryOnStaleConnection = (error: Error & { isReusedSocket?: boolean; code?: string }) => {
          // The receiver closed an idle keep-alive connection. This does not count as a failure.
          if (error.isReusedSocket && error.code === 'ECONNRESET') return sendRequest(url, headers, body);
          throw error;
        };
        const response = await sendRequest(url, headers, body).catch(retryOnStaleConnection);
        const { status, chunks } = response;
        const retryAfter = response.headers['retry-after'];
        const bytes = Buffer.concat(chunks);
        exchange.response = {
          status,
          headers: joinHeaders(response.headers),
          body: toStorableText(bytes, MAX_EXCHANGE_BYTES),
        };
        const answer = toStorableText(bytes, MAX_ANSWER_BYTES);
        return { ...measureCall(), status, error: null, answer, exchange, ...(retryAfter && { retryAfter }) };
      } catch (error) {
        return { ...measureCall(), status: null, error: describeError(error), answer: null, exchange };
      }
    },
    close() {
      for (const request of pendingRequests) request.destroy(new CallError(STOPPED));
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

const joinHeaders = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

type ReceivedResponse = { status: number; headers: http.IncomingHttpHeaders; chunks: Buffer[] };

/** Converts to text that PostgreSQL can store. Removes a truncated character at the end. */
export const toStorableText = (bytes: Buffer, maxBytes: number): string =>
  bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\ufffd$/, '')
    .replaceAll('\0', '\ufffd');

function describeError(error: unknown): string {
  if (error instanceof AddressRefused) return `${error.code}: ${error.message}`;
  const { code, message } = error as NodeJS.ErrnoException;
  return (error instanceof CallError ? message : (code ?? message)).slice(0, 200);
}
