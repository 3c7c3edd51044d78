import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { Drain } from '../nodes/drain.ts';
import { openLog } from '../observability/log.ts';
import { openMetrics } from '../observability/metrics.ts';
import { openDoor } from './door.ts';

const options = {
  name: 'front' as const,
  log: openLog('silent'),
  metrics: openMetrics(),
  publicUrl: () => 'http://localhost',
  https: false,
  trustProxy: false as const,
  guard: () => undefined,
};

test('a request that does not arrive whole is cut off in time: 408, whether its body or its headers are slow', async () => {
  const door = openDoor({ ...options, requestTimeoutMs: 500 });
  await door.server.listen({ host: '127.0.0.1', port: 0 });
  after(() => door.server.close());
  const { port } = door.server.server.address() as { port: number };
  const head = 'POST /slow HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n';
  const answers = await Promise.all([`${head}\r\n{`, head].map((bytes) => trickle(port, bytes)));
  for (const text of answers) assert.match(text, /^HTTP\/1\.1 40[48] /);
  assert.match(answers[1]!, /request_timeout/);
});

test('fifteen seconds are all a request has, its headers included', () => {
  const { server } = openDoor(options).server;
  assert.deepEqual([server.requestTimeout, server.headersTimeout], [15_000, 15_000]);
});

test('a connection opened ahead, on which nothing was asked for, keeps no node from ending', async () => {
  const { server } = openDoor(options);
  const drain = new Drain([server.server]);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const accepted = once(server.server, 'connection');
  const socket = connect((server.server.address() as { port: number }).port, '127.0.0.1');
  await accepted;
  await drain.run(0);
  await Promise.all([once(socket, 'close'), server.close()]);
});

/** A byte sent while the answer is on its way causes a reset, which may discard the answer: then it is tried again. */
async function trickle(port: number, bytes: string): Promise<string> {
  for (let trial = 1; ; trial++) {
    const answer = await trickleOnce(port, bytes);
    if (answer !== '' || trial === 5) return answer;
  }
}

/** Sends these bytes, then one more at intervals, until the server closes the connection. */
function trickleOnce(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const drip = setInterval(() => socket.write('a'), 50);
    socket.on('error', () => undefined); // the server may close while we write
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => {
      clearInterval(drip);
      resolve(text);
    });
  });
}
