import * as http from 'node:http';
import * as https from 'node:https';
import { ConnectionError } from './problem.ts';

export type TransportRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
};

export type TransportResponse = {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | undefined>;
  body: AsyncIterable<Uint8Array>;
};

/** Sends one request. Throws `ConnectionError` when there is no answer. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Uses node:http with keep-alive connections: half the CPU of `fetch`. */
export function nodeTransport(options: { timeoutMs?: number; maxSockets?: number } = {}): Transport {
  const { timeoutMs = 20_000, maxSockets = 256 } = options;
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets }),
    'https:': new https.Agent({ keepAlive: true, maxSockets }),
  };
  return ({ method, url, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const target = new URL(url);
      const { request } = target.protocol === 'https:' ? https : http;
      const agent = agents[target.protocol as keyof typeof agents];
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = request(target, {
        method,
        agent,
        headers: { ...headers, ...length },
        ...(signal && { signal }),
      });
      // Only until the answer begins: a stream of events may be silent for long after that.
      const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs);
      sent.on('response', (response) => {
        clearTimeout(timer);
        const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({ status: response.statusCode!, headers: Object.fromEntries(received), body: response });
      });
      sent.on('error', (error) => {
        clearTimeout(timer);
        reject(signal?.aborted ? signal.reason : new ConnectionError(error.message, { cause: error }));
      });
      sent.end(body);
    });
}

/** For runtimes without node:http. */
export const fetchTransport: Transport = async ({ url, ...request }) => {
  const response = await fetch(url, request).catch((error: Error) => {
    throw request.signal?.aborted ? error : new ConnectionError(error.message, { cause: error });
  });
  const { status, headers, body } = response;
  return {
    status,
    headers: Object.fromEntries(headers),
    body: body ?? (async function* () {})(),
  };
};

export async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    throw new ConnectionError((error as Error).message, { cause: error });
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
