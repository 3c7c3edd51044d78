import * as http from 'node:http';
import * as https from 'node:https';
import { ConnectionError } from './problem.ts';
import type { Transport } from './transport.ts';

const USER_AGENT = `semana-client/0.1.0 node/${process.versions.node}`;

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
        headers: { 'user-agent': USER_AGENT, ...headers, ...length },
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
