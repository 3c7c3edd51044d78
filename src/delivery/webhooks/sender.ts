import http from 'node:http';
import https from 'node:https';
import type { Mode } from '#platform/settings.ts';
import { AddressRefused, publicLookup, type Resolve, refuseLiteral } from './addresses.ts';

/** The outcome of one call, as stored. */
export type DeliveryAttempt = {
  at: string;
  status: number | null;
  /** Why there was no answer. */
  error: string | null;
  duration_ms: number;
  /** The beginning of the answer's body. */
  answer: string | null;
};

export type DeliveryResult = DeliveryAttempt & { retryAfter?: string };

export type Sender = {
  post(url: string, headers: Record<string, string>, body: string): Promise<DeliveryResult>;
  /** Aborts running calls: they fail with `stopped`. */
  close(): void;
};

export const STOPPED = 'stopped';
const KEPT_BYTES = 2_048;
/** Limit of the body that is read: then the connection is closed. */
const MOST_BYTES = 64 * 1024;
/** Timeout for the answer's body, after its status. */
const BODY_MS = 1_000;
const IDLE_MS = 30_000;

class Fault extends Error {}

/**
 * Calls receivers over keep-alive connections. Follows no redirects. In live mode it connects to public addresses only, and to
 * exactly the address it checked.
 */
export function openSender(options: { mode: Mode; timeoutMs: number; resolve?: Resolve }): Sender {
  const { mode, timeoutMs, resolve } = options;
  const isLive = mode === 'live';
  const pool = {
    keepAlive: true,
    maxFreeSockets: 16,
    timeout: IDLE_MS,
    scheduling: 'lifo' as const,
    // biome-ignore lint/suspicious/noExplicitAny: the types know only one of the two forms that sockets ask for
    ...((isLive || resolve) && { lookup: publicLookup(resolve) as any }),
  };
  const agents = { 'http:': new http.Agent(pool), 'https:': new https.Agent(pool) };
  const underWay = new Set<http.ClientRequest>();

  const attempt = (url: URL, headers: Record<string, string>, body: string): Promise<Reply> =>
    new Promise((done, fail) => {
      if (isLive || resolve) refuseLiteral(url);
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: agents[url.protocol as keyof typeof agents],
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Semana-Webhooks',
          ...headers,
          'content-length': String(Buffer.byteLength(body)),
        },
      });
      underWay.add(request);
      let answered = false;
      const timers = [setTimeout(() => request.destroy(new Fault('timeout')), timeoutMs)];
      request.once('socket', (socket) => {
        if (!socket.connecting) return;
        const late = setTimeout(() => request.destroy(new Fault('connect_timeout')), timeoutMs / 2);
        timers.push(late);
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(late));
      });
      request.once('error', (error) => fail(Object.assign(error, { reused: request.reusedSocket })));
      request.once('close', () => {
        underWay.delete(request);
        for (const timer of timers) clearTimeout(timer);
        if (!answered) fail(new Fault('ECONNRESET'));
      });
      request.once('response', (response) => {
        answered = true;
        const chunks: Buffer[] = [];
        let bytes = 0;
        const end = () => done({ status: response.statusCode!, headers: response.headers, chunks });
        timers.push(setTimeout(() => response.destroy(), BODY_MS));
        response.on('data', (chunk: Buffer) => {
          if (bytes < KEPT_BYTES) chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > MOST_BYTES) response.destroy();
        });
        // However the body ends, the status counts.
        response.once('error', end).once('close', end);
      });
      request.end(body);
    });

  return {
    async post(address, headers, body) {
      const at = new Date().toISOString();
      const startedAtMs = performance.now();
      const ended = () => ({ at, duration_ms: Math.round(performance.now() - startedAtMs) });
      try {
        const url = new URL(address);
        if (isLive && url.protocol !== 'https:') throw new Fault('https_required');
        const again = (error: Error & { reused?: boolean; code?: string }) => {
          // The receiver closed an idle connection: that is no failure of the receiver.
          if (error.reused && error.code === 'ECONNRESET') return attempt(url, headers, body);
          throw error;
        };
        const { status, headers: answered, chunks } = await attempt(url, headers, body).catch(again);
        const retryAfter = answered['retry-after'];
        const answer = readable(Buffer.concat(chunks));
        return { ...ended(), status, error: null, answer, ...(retryAfter && { retryAfter }) };
      } catch (error) {
        return { ...ended(), status: null, error: reasonOf(error), answer: null };
      }
    },
    close() {
      for (const request of underWay) request.destroy(new Fault(STOPPED));
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

type Reply = { status: number; headers: http.IncomingHttpHeaders; chunks: Buffer[] };

/** Text that PostgreSQL can store. A truncated character is removed. */
const readable = (bytes: Buffer): string =>
  bytes
    .subarray(0, KEPT_BYTES)
    .toString('utf8')
    .replace(/\ufffd$/, '')
    .replaceAll('\0', '\ufffd');

function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return `${error.code}: ${error.message}`;
  const { code, message } = error as NodeJS.ErrnoException;
  return (error instanceof Fault ? message : (code ?? message)).slice(0, 200);
}
