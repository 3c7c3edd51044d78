import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BEHIND_PROXY, elsewhere } from '../src/customers/testing.ts';
import { newDemoDatabase, type Service, startService } from './processes.ts';

/** Enough to meet what goes wrong once in a thousand. */
const REQUESTS = 20_000;
const CALLERS = 6;
const POLL_MS = 100;
const KEY = { 'x-api-key': 'sandbox-demo-key' };

/** Sends requests to nodes in turn that said they were ready when last asked. It retries nothing. */
async function openProxy() {
  const nodes = new Map<Service, boolean>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((asked: IncomingMessage, response: ServerResponse) => {
    const ready = [...nodes].filter(([, isReady]) => isReady).map(([node]) => node);
    const node = ready[turn++ % ready.length];
    if (!node) {
      response.writeHead(502).end('no node is ready');
      return;
    }
    const { method, headers } = asked;
    const passed = request(node.frontUrl + asked.url, { method, headers, agent }, (answer) => {
      const { connection: _, 'keep-alive': __, ...rest } = answer.headers;
      response.writeHead(answer.statusCode!, rest);
      answer.pipe(response);
    });
    passed.on('error', (error) => response.headersSent || response.writeHead(502).end(String(error)));
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const polling = setInterval(() => {
    for (const node of nodes.keys())
      fetch(`${node.staffUrl}/readyz`).then(
        async (answer) => {
          await answer.arrayBuffer();
          if (nodes.has(node)) nodes.set(node, answer.ok);
        },
        () => nodes.has(node) && nodes.set(node, false),
      );
  }, POLL_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    add: (node: Service) => void nodes.set(node, false),
    remove: (node: Service) => void nodes.delete(node),
    close() {
      clearInterval(polling);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
    isServedBy: (node: Service) => nodes.get(node) === true,
  };
}

const callers = new Agent({ keepAlive: true });
after(() => callers.destroy());

/** Answers why it failed. `fetch` would take twice the time. */
function send(method: string, url: string, body = ''): Promise<string | undefined> {
  const headers = { ...KEY, 'content-type': 'application/json', ...elsewhere().headers };
  return new Promise((resolve) => {
    const asked = request(url, { method, headers, agent: callers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
      answer.on('end', () => resolve(answer.statusCode! < 300 ? undefined : `${answer.statusCode} ${text}`));
      answer.on('error', (error) => resolve(String(error)));
    });
    asked.on('error', (error) => resolve(String(error)));
    asked.end(body);
  });
}

test(`a rolling restart of two nodes behind a proxy that retries nothing fails none of ${REQUESTS} requests`, async (t) => {
  const DATABASE_URL = await newDemoDatabase();
  const env = { DATABASE_URL, DRAIN_MS: '1500', LOG_LEVEL: 'silent', ...BEHIND_PROXY.env };
  const proxy = await openProxy();
  t.after(proxy.close);
  const add = async (node: Service): Promise<Service> => {
    proxy.add(node);
    while (!proxy.isServedBy(node)) await sleep(20);
    return node;
  };
  const nodes = await Promise.all([1, 2].map(async () => add(await startService(env))));

  let isOver = false;
  let sent = 0;
  const failures: string[] = [];
  const calling = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let i = 0; !isOver || sent < REQUESTS; i++) {
      sent += 1;
      const isWrite = i % 5 === 0;
      const body = JSON.stringify({ kind: 'rolling', name: `Lead ${caller} ${i}`, email: 'a@example.com' });
      const failure = isWrite
        ? await send('POST', `${proxy.url}/public/leads`, body)
        : await send('GET', `${proxy.url}/public/merchants?q=padaria`);
      if (failure !== undefined) failures.push(failure);
      // Leaves time for the nodes on the same machine to start.
      await sleep(5);
    }
  });

  try {
    for (const old of nodes) {
      old.child.kill('SIGTERM');
      const { code, stderr } = await old.ended;
      assert.equal(code, 0, stderr);
      proxy.remove(old);
      await add(await startService(env));
    }
  } finally {
    isOver = true;
  }
  await Promise.all(calling);
  assert.deepEqual(failures, []);
  assert.ok(sent >= REQUESTS);
});

test('after SIGTERM a node serves on for DRAIN_MS, unready, and asks callers to go; a second signal hurries it', async () => {
  const node = await startService({ DATABASE_URL: await newDemoDatabase(), DRAIN_MS: '60000' });
  const kept = await fetch(`${node.frontUrl}/public/merchants`, { headers: KEY });
  await kept.arrayBuffer();
  assert.notEqual(kept.headers.get('connection'), 'close');

  node.child.kill('SIGTERM');
  const unready = await untilUnready(node);
  const { checks } = (await unready.json()) as { checks: { accepting: boolean } };
  assert.equal(checks.accepting, false);
  // One that lies ready, one that does not, one that fails.
  for (const path of ['/public/merchants', '/public/merchants?q=nova', '/nowhere']) {
    const answer = await fetch(node.frontUrl + path, { headers: KEY });
    assert.equal(answer.headers.get('connection'), 'close', path);
    await answer.arrayBuffer();
  }
  node.child.kill('SIGTERM');
  assert.equal((await node.ended).code, 0);
});

async function untilUnready(node: Service): Promise<Response> {
  for (;;) {
    const answer = await fetch(`${node.staffUrl}/readyz`);
    if (answer.status === 503) return answer;
    await answer.arrayBuffer();
    await sleep(20);
  }
}
