import http from 'node:http';
import https from 'node:https';
import { createSecureContext, type TLSSocket } from 'node:tls';

/** The client certificate: PEM files, or the PKCS#12 file that some PSPs issue. `ca` is required if the PSP's CA is private. */
export type ClientCertificate =
  | { cert: string | Buffer; key: string | Buffer; ca?: string | Buffer }
  | { pfx: Buffer; passphrase?: string; ca?: string | Buffer };

type WireRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
};

export type WireResponse = { status: number; headers: http.IncomingHttpHeaders; text: string };

/** There was no response. `wasSent` is false only if no connection was established, so that certainly nothing was done. */
export class NoResponse extends Error {
  readonly reason: 'timeout' | 'unreachable';
  readonly wasSent: boolean;
  constructor(reason: 'timeout' | 'unreachable', { wasSent, note }: { wasSent: boolean; note: string }) {
    super(note);
    this.reason = reason;
    this.wasSent = wasSent;
  }
}

export type Transport = { send(request: WireRequest): Promise<WireResponse>; close(): void };

/** Limit of a response. A page of a thousand pix has about half this size. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Opens keep-alive connections with HTTP/1.1. Uses node:http instead of fetch, because fetch does not support client certificates
 * without another package, and does not report whether a request was sent.
 */
export function openTransport(tls: ClientCertificate | undefined): Transport {
  // `timeout` closes idle connections.
  const poolOptions = { keepAlive: true, maxSockets: 32, maxFreeSockets: 32, timeout: 60_000 };
  const httpAgent = new http.Agent(poolOptions);
  // Created now, so that a certificate that does not match its key fails at the start, not with the first request of a customer.
  const secureContext = createSecureContext({ ...tls, minVersion: 'TLSv1.2' });
  const httpsAgent = new https.Agent({ ...poolOptions, secureContext });

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const isHttps = request.url.startsWith('https:');
        let wasSent = false;
        const outgoing = (isHttps ? https : http).request(request.url, {
          method: request.method,
          agent: isHttps ? httpsAgent : httpAgent,
          headers: {
            accept: 'application/json, application/problem+json',
            'user-agent': 'semana',
            ...request.headers,
            ...(request.body !== undefined && { 'content-length': Buffer.byteLength(request.body) }),
          },
        });
        const fail = (error: Error & { code?: string }) => {
          clearTimeout(timer);
          reject(
            error instanceof NoResponse
              ? error
              : new NoResponse('unreachable', { wasSent, note: error.code ?? error.name }),
          );
        };
        // Covers the connection, the handshake, the headers and the whole body.
        const timer = setTimeout(() => {
          fail(new NoResponse('timeout', { wasSent, note: `${request.timeoutMs} ms` }));
          outgoing.destroy();
        }, request.timeoutMs);

        // A reused connection is established already; a new one when the handshake ends.
        outgoing.on('socket', (socket) => {
          if (!socket.connecting && (!isHttps || (socket as TLSSocket).getProtocol() !== null))
            wasSent = true;
          else
            socket.once(isHttps ? 'secureConnect' : 'connect', () => {
              wasSent = true;
            });
        });
        outgoing.on('error', fail);
        outgoing.on('response', (incoming) => {
          const chunks: Buffer[] = [];
          let byteCount = 0;
          incoming.on('data', (chunk: Buffer) => {
            byteCount += chunk.length;
            if (byteCount > MAX_BYTES)
              incoming.destroy(new NoResponse('unreachable', { wasSent: true, note: 'response too large' }));
            else chunks.push(chunk);
          });
          incoming.on('error', fail);
          incoming.on('end', () => {
            clearTimeout(timer);
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
          });
        });
        outgoing.end(request.body);
      }),
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}
