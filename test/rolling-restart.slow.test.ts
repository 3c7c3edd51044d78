import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyDemoDatabase, type Service, startService } from './processes.ts';
import { BEHIND_PROXY, newIpAddressHeaders } from './support/customers.ts';

/** Enough to find failures of one in a thousand. */
const REQUESTS = 20_000;
const CALLERS = 6;
const POLL_MS = 100;
const MAX_QUEUED_MS = 10_000;
const KEY = { 'x-api-key': 'sandbox-demo-key' };

/** A keep-alive connection to one node. HTTP by hand: a library would use most of the CPU. */
class Line {
  readonly #node: Service;
  #socket: Socket | undefined;

  constructor(node: Service) {
    this.#node = node;
  }

  /** Returns why it failed, or undefined. */
  async send(method: string, path: string, body = ''): Promise<string | undefined> {
    const { hostname, port } = new URL(this.#node.partnerUrl);
    this.#socket ??= connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
    const headers = { ...KEY, 'content-type': 'application/json', ...newIpAddressHeaders().headers };
    const lines = Object.entries({ host: hostname, 'content-length': Buffer.byteLength(body), ...headers });
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    );
    try {
      const { status, isLast, text } = await readAnswer(this.#socket);
      if (isLast) this.close();
      return status < 300 ? undefined : `${status} ${text}`;
    } catch (error) {
      this.close();
      return String(error);
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

function readAnswer(socket: Socket): Promise<{ status: number; isLast: boolean; text: string }> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const stop = () => void socket.off('data', onData).off('error', onError).off('close', onClose);
    const onData = (more: string) => {
      heard += more;
      const end = heard.indexOf('\r\n\r\n') + 4;
      if (end < 4) return;
      const head = heard.slice(0, end);
      const text = heard.slice(end);
      if (text.length < Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN)) return;
      stop();
      resolve({ status: Number(head.slice(9, 12)), isLast: /^connection: close/im.test(head), text });
    };
    const onError = (error: Error) => {
      stop();
      reject(error);
    };
    const onClose = () => onError(new Error(`closed after '${heard}'`));
    socket.on('data', onData).on('error', onError).on('close', onClose);
  });
}

/** A proxy without retries: requests go round-robin to the nodes that were ready at the last health check. */
function openProxy() {
  const nodes = new Map<Service, boolean>();
  let turn = 0;
  const polling = setInterval(() => {
    for (const node of nodes.keys())
      fetch(`${node.staffUrl}/readyz`).then(
        async (response) => {
          await response.arrayBuffer();
          if (nodes.has(node)) nodes.set(node, response.ok);
        },
        () => nodes.has(node) && nodes.set(node, false),
      );
  }, POLL_MS);
  /** If none is ready, which happens on a busy machine, requests wait in a queue, as in a proxy. */
  const nextReady = async (): Promise<Service | undefined> => {
    for (let waitedMs = 0; waitedMs < MAX_QUEUED_MS; waitedMs += POLL_MS) {
      const ready = [...nodes].filter(([, isReady]) => isReady).map(([node]) => node);
      if (ready.length > 0) return ready[turn++ % ready.length];
      await sleep(POLL_MS);
    }
    return undefined;
  };
  return {
    /** One request after the other. */
    openLane() {
      const lines = new Map<Service, Line>();
      return async (method: string, path: string, body?: string): Promise<string | undefined> => {
        const node = await nextReady();
        if (!node) return 'no node is ready';
        const line = lines.get(node) ?? new Line(node);
        lines.set(node, line);
        return line.send(method, path, body);
      };
    },
    add: (node: Service) => void nodes.set(node, false),
    remove: (node: Service) => void nodes.delete(node),
    close: () => clearInterval(polling),
    isServedBy: (node: Service) => nodes.get(node) === true,
  };
}

test(`a rolling restart of two nodes behind a proxy without retries fails none of ${REQUESTS} requests`, async (t) => {
  const DATABASE_URL = await copyDemoDatabase();
  const env = { DATABASE_URL, DRAIN_MS: '1500', LOG_LEVEL: 'silent', ...BEHIND_PROXY.env };
  const proxy = openProxy();
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
    const send = proxy.openLane();
    for (let i = 0; !isOver || sent < REQUESTS; i++) {
      sent += 1;
      const isWrite = i % 20 === 0;
      const body = JSON.stringify({ kind: 'rolling', name: `Lead ${caller} ${i}`, email: 'a@example.com' });
      const failure = isWrite
        ? await send('POST', '/public/leads', body)
        : await send('GET', '/public/merchants?q=padaria');
      if (failure !== undefined) failures.push(failure);
      // Leaves time for the nodes on the same machine to start.
      await sleep(5);
    }
  });

  try {
    for (const old of nodes) {
      old.child.kill('SIGTERM');
      const { code, stderr } = await old.outcome;
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

test('after SIGTERM a node serves for DRAIN_MS, not ready and with Connection: close; a second signal ends the wait', async () => {
  const node = await startService({ DATABASE_URL: await copyDemoDatabase(), DRAIN_MS: '60000' });
  const response = await fetch(`${node.partnerUrl}/public/merchants`, { headers: KEY });
  await response.arrayBuffer();
  assert.notEqual(response.headers.get('connection'), 'close');

  node.child.kill('SIGTERM');
  const unready = await untilUnready(node);
  const { checks } = (await unready.json()) as { checks: { accepting: boolean } };
  assert.equal(checks.accepting, false);
  // One answer from memory, one that is not, one that fails.
  for (const path of ['/public/merchants', '/public/merchants?q=nova', '/nowhere']) {
    const apiResponse = await fetch(node.partnerUrl + path, { headers: KEY });
    assert.equal(apiResponse.headers.get('connection'), 'close', path);
    await apiResponse.arrayBuffer();
  }
  node.child.kill('SIGTERM');
  assert.equal((await node.outcome).code, 0);
});

async function untilUnready(node: Service): Promise<Response> {
  for (;;) {
    const response = await fetch(`${node.staffUrl}/readyz`);
    if (response.status === 503) return response;
    await response.arrayBuffer();
    await sleep(20);
  }
}
