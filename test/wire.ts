import assert from 'node:assert/strict';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export const DEMO_KEY_HEADER = { 'x-api-key': 'sandbox-demo-key' };

/** A response with its headers as received. */
export type WireResponse = { status: number; headers: IncomingHttpHeaders; text: string };

// Idle sockets are unreferenced, so that they do not keep the process alive.
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
agent.on('free', (socket) => socket.unref());

/** Sends a request by node:http, which unlike fetch allows any method and any target. */
export function sendRequest(
  baseUrl: string,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<WireResponse> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      agent,
      hostname,
      port,
      method,
      path,
      headers: {
        ...options.headers,
        ...(options.body !== undefined && { 'content-length': Buffer.byteLength(options.body) }),
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      const resolveResponse = () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      const isStream = /^text\/event-stream/.test(response.headers['content-type'] ?? '');
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!isStream) return;
        // A stream of events stays open for a quarter of an hour, so only its first chunk is read.
        resolveResponse();
        request.destroy();
      });
      response.on('error', reject);
      response.on('end', resolveResponse);
    });
    request.end(options.body);
  });
}

/** Sends bytes on a new socket, and reads the response. */
export const sendBytes = async (baseUrl: string, bytes: string | Buffer): Promise<WireResponse> =>
  parseResponse(await sendAndReadAll(baseUrl, bytes));

/** Sends bytes, and returns everything received until the server closes the connection. */
export function sendAndReadAll(baseUrl: string, bytes: string | Buffer): Promise<string> {
  const { port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', reject);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  });
}

export function parseResponse(text: string): WireResponse {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const [, status] = statusLine.split(' ');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    readHeaderValue(line),
  ]);
  return {
    status: Number(status),
    headers: Object.fromEntries(headers),
    text: body.join('\r\n\r\n'),
  };
}

const readHeaderValue = (line: string) => line.slice(line.indexOf(':') + 1).trim();

/** Checks the headers that every response of both APIs has. */
export function assertStandardHeaders({ headers }: WireResponse, requestId?: string): void {
  assert.match(headers['api-version'] as string, /^\d{4}-\d{2}-\d{2}$/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.match(headers['content-security-policy'] as string, /default-src 'none'/);
  assert.equal(headers['x-powered-by'], undefined);
  if (requestId) assert.equal(headers['x-request-id'], requestId);
  else assert.match(headers['x-request-id'] as string, /^[0-9a-f-]{36}$/);
}

/** Checks a problem (RFC 9457, with the additional members of this API), and that it reveals no internals. Returns the problem. */
export function assertProblem(response: WireResponse, status: number, code: string): Problem {
  assert.equal(response.status, status, response.text);
  assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.equal(response.headers['cache-control'], 'no-store');
  const problem = JSON.parse(response.text) as Problem;
  assert.equal(problem.code, code);
  assert.equal(problem.status, status);
  assert.equal(problem.request_id, response.headers['x-request-id']);
  assert.match(problem.type, new RegExp(`^http://localhost:\\d+/errors/${code}$`));
  for (const member of [problem.title, problem.detail]) assert.ok(member.length > 0);
  assert.doesNotMatch(response.text, /node_modules|\bat \w+ \(|select |FST_|TypeError|\.ts:/);
  return problem;
}

export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: Array<{ pointer: string; message: string }>;
};
