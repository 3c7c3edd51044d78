import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { Drain } from '../nodes/drain.ts';
import { createLog } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { createApiServer } from './api-server.ts';

const serverOptions = {
  name: 'front' as const, // the partner API
  log: createLog('silent'),
  metrics: createMetrics(),
  publicUrl: () => 'http://localhost',
  https: false,
  trustProxy: false as const,
  guard: () => undefined,
};

test('a request whose body or headers do not arrive before the timeout gets 408', async () => {
  const { fastify } = createApiServer({ ...serverOptions, requestTimeoutMs: 500 });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  after(() => fastify.close());
  const { port } = fastify.server.address() as { port: number };
  const requestHead =
    'POST /slow HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n';
  const responses = await Promise.all(
    [`${requestHead}\r\n{`, requestHead].map((bytes) => sendSlowly(port, bytes)),
  );
  // The server has no endpoint /slow, so the request with complete headers may get 404 before the timeout.
  for (const response of responses) assert.match(response, /^HTTP\/1\.1 40[48] /);
  assert.match(responses[1]!, /request_timeout/);
});

test('the request timeout is fifteen seconds, including the headers', () => {
  const { server: httpServer } = createApiServer(serverOptions).fastify;
  assert.deepEqual([httpServer.requestTimeout, httpServer.headersTimeout], [15_000, 15_000]);
});

const NO_DRAIN_MS = 0;
test('an unused connection does not prevent a node from stopping', async () => {
  const { fastify } = createApiServer(serverOptions);
  const drain = new Drain([fastify.server]);
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  const connectionOpened = once(fastify.server, 'connection');
  const socket = connect((fastify.server.address() as { port: number }).port, '127.0.0.1');
  await connectionOpened;
  await drain.run(NO_DRAIN_MS);
  await Promise.all([once(socket, 'close'), fastify.close()]);
});

/**
 * Sends a request slowly and returns the response. Retries, because a byte sent while the response is in transit causes a reset, which
 * may discard the response.
 */
async function sendSlowly(port: number, bytes: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const response = await sendSlowlyOnce(port, bytes);
    if (response !== '' || attempt === 5) return response;
  }
}

/** Sends `bytes`, then one byte at intervals, until the server closes the connection. Returns the response. */
function sendSlowlyOnce(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let response = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const byteTimer = setInterval(() => socket.write('a'), 50);
    socket.on('error', () => undefined); // The server may close while the test writes.
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.on('close', () => {
      clearInterval(byteTimer);
      resolve(response);
    });
  });
}
