import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDemoDatabase, type ServiceProcess, startService } from './processes.ts';
import { BEHIND_PROXY, newIpAddressOptions } from './support/customers.ts';

/** Enough requests to find failures of one in a thousand. */
const REQUESTS = 20_000;
const CLIENTS = 6;
const POLL_MS = 100;
const MAX_QUEUE_TIME_MS = 10_000;
const KEY_HEADER = { 'x-api-key': 'sandbox-demo-key' };

/** A keep-alive connection to a node. It implements HTTP itself, because a library would use most of the CPU. */
class NodeConnection {
  readonly #node: ServiceProcess;
  #socket: Socket | undefined;

  constructor(node: ServiceProcess) {
    this.#node = node;
  }

  /** Sends a request. Returns why it failed, or undefined. */
  async send(method: string, path: string, body = ''): Promise<string | undefined> {
    const { hostname, port } = new URL(this.#node.partnerUrl);
    this.#socket ??= connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
    const headers = { ...KEY_HEADER, 'content-type': 'application/json', ...newIpAddressOptions().headers };
    const headerEntries = Object.entries({
      host: hostname,
      'content-length': Buffer.byteLength(body),
      ...headers,
    });
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\n${headerEntries.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    );
    try {
      const { status, isLast, text } = await readResponse(this.#socket);
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

function readResponse(socket: Socket): Promise<{ status: number; isLast: boolean; text: string }> {
  return new Promise((resolve, reject) => {
    let receivedText = '';
    const removeListeners = () => void socket.off('data', onData).off('error', onError).off('close', onClose);
    const onData = (chunk: string) => {
      receivedText += chunk;
      const [, head, text] = /^(.*?\r\n)\r\n(.*)$/s.exec(receivedText) ?? [];
      if (head === undefined || text === undefined) return;
      const contentLength = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (text.length < contentLength) return;
      removeListeners();
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(head)!;
      resolve({ status: Number(status), isLast: /^connection: close/im.test(head), text });
    };
    const onError = (error: Error) => {
      removeListeners();
      reject(error);
    };
    const onClose = () => onError(new Error(`closed after '${receivedText}'`));
    socket.on('data', onData).on('error', onError).on('close', onClose);
  });
}

/** Opens a proxy without retries. It sends requests round-robin to the nodes that were ready at the last health check. */
function openProxy() {
  /** Whether each node was ready at the last health check. */
  const nodes = new Map<ServiceProcess, boolean>();
  let nextIndex = 0;
  const pollTimer = setInterval(() => {
    for (const node of nodes.keys())
      fetch(`${node.staffUrl}/readyz`).then(
        async (response) => {
          await response.arrayBuffer();
          if (nodes.has(node)) nodes.set(node, response.ok);
        },
        () => nodes.has(node) && nodes.set(node, false),
      );
  }, POLL_MS);
  /** Waits if no node is ready, which happens on a busy machine: a real proxy queues requests, too. */
  const waitForReadyNode = async (): Promise<ServiceProcess | undefined> => {
    for (let waitedMs = 0; waitedMs < MAX_QUEUE_TIME_MS; waitedMs += POLL_MS) {
      const readyNodes = [...nodes].filter(([, isReady]) => isReady).map(([node]) => node);
      if (readyNodes.length > 0) return readyNodes[nextIndex++ % readyNodes.length];
      await sleep(POLL_MS);
    }
    return undefined;
  };
  return {
    /** Returns a function that sends requests one after the other. */
    openClient() {
      const connections = new Map<ServiceProcess, NodeConnection>();
      return async (method: string, path: string, body?: string): Promise<string | undefined> => {
        const node = await waitForReadyNode();
        if (!node) return 'no node is ready';
        const connection = connections.get(node) ?? new NodeConnection(node);
        connections.set(node, connection);
        return connection.send(method, path, body);
      };
    },
    add: (node: ServiceProcess) => void nodes.set(node, false),
    remove: (node: ServiceProcess) => void nodes.delete(node),
    close: () => clearInterval(pollTimer),
    /** Returns whether the proxy sends requests to the node. */
    usesNode: (node: ServiceProcess) => nodes.get(node) === true,
  };
}

test(`a rolling restart of two nodes behind a proxy without retries fails none of ${REQUESTS} requests`, async (t) => {
  const DATABASE_URL = await createDemoDatabase();
  const env = { DATABASE_URL, DRAIN_MS: '1500', LOG_LEVEL: 'silent', ...BEHIND_PROXY.env };
  const proxy = openProxy();
  t.after(proxy.close);
  const addNode = async (node: ServiceProcess): Promise<ServiceProcess> => {
    proxy.add(node);
    while (!proxy.usesNode(node)) await sleep(20);
    return node;
  };
  const nodes = await Promise.all([1, 2].map(async () => addNode(await startService(env))));

  let areRestartsDone = false;
  let sentCount = 0;
  const failures: string[] = [];
  const runningClients = Array.from({ length: CLIENTS }, async (_, client) => {
    const send = proxy.openClient();
    for (let i = 0; !areRestartsDone || sentCount < REQUESTS; i++) {
      sentCount += 1;
      const isWrite = i % 20 === 0;
      const body = JSON.stringify({ kind: 'rolling', name: `Lead ${client} ${i}`, email: 'a@example.com' });
      const failure = isWrite
        ? await send('POST', '/public/leads', body)
        : await send('GET', '/public/merchants?q=padaria');
      if (failure !== undefined) failures.push(failure);
      // Leaves time for the nodes on the same machine to start.
      await sleep(5);
    }
  });

  try {
    for (const oldNode of nodes) {
      oldNode.child.kill('SIGTERM');
      const { code, stderr } = await oldNode.outcome;
      assert.equal(code, 0, stderr);
      proxy.remove(oldNode);
      await addNode(await startService(env));
    }
  } finally {
    areRestartsDone = true;
  }
  await Promise.all(runningClients);
  assert.deepEqual(failures, []);
  assert.ok(sentCount >= REQUESTS);
});

test('after SIGTERM a node serves for DRAIN_MS, not ready and with Connection: close; a second signal ends the wait', async () => {
  const node = await startService({ DATABASE_URL: await createDemoDatabase(), DRAIN_MS: '60000' });
  const response = await fetch(`${node.partnerUrl}/public/merchants`, { headers: KEY_HEADER });
  await response.arrayBuffer();
  assert.notEqual(response.headers.get('connection'), 'close');

  node.child.kill('SIGTERM');
  const readiness = await waitUntilNotReady(node);
  const { checks } = (await readiness.json()) as { checks: { accepting: boolean } };
  assert.equal(checks.accepting, false);
  // A response from memory, one from the database, and an error.
  for (const path of ['/public/merchants', '/public/merchants?q=nova', '/nowhere']) {
    const lastResponse = await fetch(node.partnerUrl + path, { headers: KEY_HEADER });
    assert.equal(lastResponse.headers.get('connection'), 'close', path);
    await lastResponse.arrayBuffer();
  }
  node.child.kill('SIGTERM');
  assert.equal((await node.outcome).code, 0);
});

async function waitUntilNotReady(node: ServiceProcess): Promise<Response> {
  for (;;) {
    const response = await fetch(`${node.staffUrl}/readyz`);
    if (response.status === 503) return response;
    await response.arrayBuffer();
    await sleep(20);
  }
}
