import http from 'node:http';
import https from 'node:https';
import { createSecureContext, type TLSSocket } from 'node:tls';

/** The client certificate: PEM texts, or the PKCS#12 file some PSPs issue. `ca` where the PSP's CA is private. */
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

export type WireReply = { status: number; headers: http.IncomingHttpHeaders; text: string };

/** There was no answer. `sent` is false only when the connection was never made, so nothing can have been done. */
export class NoReply extends Error {
  readonly reason: 'timeout' | 'unreachable';
  readonly sent: boolean;
  constructor(reason: 'timeout' | 'unreachable', sent: boolean, note: string) {
    super(note);
    this.reason = reason;
    this.sent = sent;
  }
}

export type Transport = { send(request: WireRequest): Promise<WireReply>; close(): void };

/** A page of a thousand pix is about half of this. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * HTTP/1.1 over keep-alive connections. Node's own client and not fetch, because fetch takes no client certificate without
 * another package, and does not report whether a request was sent.
 */
export function openTransport(tls: ClientCertificate | undefined): Transport {
  const pool = { keepAlive: true, maxSockets: 32, maxFreeSockets: 32, timeout: 60_000 };
  const plain = new http.Agent(pool);
  // Created now, so that a certificate that does not fit its key fails at the start and not at the first customer.
  const secureContext = createSecureContext({ ...tls, minVersion: 'TLSv1.2' });
  const secure = new https.Agent({ ...pool, secureContext });

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const encrypted = request.url.startsWith('https:');
        let sent = false;
        const outgoing = (encrypted ? https : http).request(request.url, {
          method: request.method,
          agent: encrypted ? secure : plain,
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
            error instanceof NoReply ? error : new NoReply('unreachable', sent, error.code ?? error.name),
          );
        };
        // For everything: connecting, the handshake, the headers and the whole body.
        const timer = setTimeout(() => {
          fail(new NoReply('timeout', sent, `${request.timeoutMs} ms`));
          outgoing.destroy();
        }, request.timeoutMs);

        outgoing.on('socket', (socket) => {
          if (!socket.connecting && (!encrypted || (socket as TLSSocket).getProtocol() !== null)) sent = true;
          else
            socket.once(encrypted ? 'secureConnect' : 'connect', () => {
              sent = true;
            });
        });
        outgoing.on('error', fail);
        outgoing.on('response', (incoming) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          incoming.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes > MOST_BYTES) incoming.destroy(new NoReply('unreachable', true, 'answer too large'));
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
      plain.destroy();
      secure.destroy();
    },
  };
}
