import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Body } from '../harness.ts';
import { query } from '../query.ts';
import { findFreePort, startHttpServer } from '../servers.ts';
import { buildDatabaseUrl } from '../template.ts';

const SERVER = join(import.meta.dirname, '../../integrations/medusa/server');
const MEDUSA = join(SERVER, '../node_modules/.bin/medusa');
const ADMIN = { email: 'admin@loja.example', password: randomBytes(16).toString('hex') };

/** The price of the only product, in reais. */
export const CAKE_PRICE = 90;
/** Longer than `eventually` waits, because Medusa loads a thousand packages. */
const START_TIMEOUT_MS = 300_000;
const POLL_INTERVAL_MS = 100;
/** The part of Medusa's output that an error message contains. */
const OUTPUT_TAIL_LENGTH = 3_000;

/** Starts a Medusa server on a new database, with one product, one region and the provider. */
export async function openMedusa(env: Record<string, string>) {
  const name = `medusa_${randomBytes(6).toString('hex')}`;
  await query(process.env.TEST_DATABASE_URL!, `create database ${name} template template0`);
  const childEnv = {
    ...process.env,
    ...env,
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    DATABASE_URL: buildDatabaseUrl(process.env.TEST_DATABASE_URL!, name),
  };
  let output = '';
  const startMedusa = (...args: string[]): ChildProcess => {
    const child = spawn(process.execPath, [MEDUSA, ...args], { cwd: SERVER, env: childEnv });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    return child;
  };
  const runMedusa = async (...args: string[]) => {
    const [code] = await once(startMedusa(...args), 'exit');
    assert.equal(code, 0, output.slice(-OUTPUT_TAIL_LENGTH));
  };
  await runMedusa('db:migrate');
  await runMedusa('user', '-e', ADMIN.email, '-p', ADMIN.password);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startMedusa('start', '--port', String(port), '--host', '127.0.0.1');
  after(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!output.includes('Server is ready') && performance.now() < deadlineMs) {
    assert.equal(child.exitCode, null, output.slice(-OUTPUT_TAIL_LENGTH));
    await sleep(POLL_INTERVAL_MS);
  }

  let headers: Record<string, string> = {};
  const call = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Body }> => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
  };
  const callSuccessfully = async (method: string, path: string, body?: object): Promise<Body> => {
    const response = await call(method, path, body);
    assert.equal(
      response.status,
      200,
      `${path} ${JSON.stringify(response.body)} ${output.slice(-OUTPUT_TAIL_LENGTH)}`,
    );
    return response.body;
  };
  const { token } = await callSuccessfully('POST', '/auth/user/emailpass', ADMIN);
  headers = { authorization: `Bearer ${token}` };
  const { sales_channel } = await callSuccessfully('POST', '/admin/sales-channels', { name: 'Loja' });
  const { api_key } = await callSuccessfully('POST', '/admin/api-keys', {
    title: 'Loja',
    type: 'publishable',
  });
  await callSuccessfully('POST', `/admin/api-keys/${api_key.id}/sales-channels`, { add: [sales_channel.id] });
  const { region } = await callSuccessfully('POST', '/admin/regions', {
    name: 'Brasil',
    currency_code: 'brl',
    countries: ['br'],
    payment_providers: ['pp_semana_semana'],
  });
  const { product } = await callSuccessfully('POST', '/admin/products', {
    title: 'Bolo de casamento',
    status: 'published',
    options: [{ title: 'Tamanho', values: ['Grande'] }],
    variants: [
      {
        title: 'Grande',
        options: { Tamanho: 'Grande' },
        manage_inventory: false,
        prices: [{ amount: CAKE_PRICE, currency_code: 'brl' }],
      },
    ],
    sales_channels: [{ id: sales_channel.id }],
  });
  headers = { ...headers, 'x-publishable-api-key': api_key.token };
  return {
    url,
    call,
    callSuccessfully,
    regionId: region.id,
    variantId: product.variants[0].id,
    readOutput: () => output,
  };
}

/** Creates the provider without a Medusa server. */
export function openProvider(options: Record<string, unknown>): Body {
  const { SemanaPaymentProvider } = createRequire(SERVER)('./dist/provider.js');
  SemanaPaymentProvider.validateOptions(options);
  return new SemanaPaymentProvider({ logger: console }, options);
}

/** Opens a proxy between Medusa and the service, which can lose and delay responses. */
export async function openLossyProxy(serviceUrl: string) {
  let delayedRead: ReturnType<typeof Promise.withResolvers<void>> | undefined;
  let onReadReached: (() => void) | undefined;
  const proxy = {
    url: '',
    /** The number of responses to POSTs that get lost, although the service has performed the requests. */
    responsesToLose: 0,
    /** Delays the next GET. Its request has arrived when `reached` resolves; `release` forwards it. */
    delayNextRead() {
      const readReached = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      delayedRead = release;
      onReadReached = readReached.resolve;
      return { reached: readReached.promise, release: release.resolve };
    },
  };
  const forwardRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const { host: _, connection: __, ...headers } = request.headers;
    const chunks: Buffer[] = await request.toArray();
    if (request.method === 'GET' && delayedRead) {
      const { promise } = delayedRead;
      delayedRead = undefined;
      onReadReached!();
      await promise;
    }
    const serviceResponse = await fetch(serviceUrl + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await serviceResponse.arrayBuffer());
    if (proxy.responsesToLose > 0 && request.method === 'POST') {
      proxy.responsesToLose -= 1;
      request.socket.destroy();
      return;
    }
    const forwardedHeaders = [...serviceResponse.headers].filter(
      ([name]) => !/^(content|transfer)-(encoding|length)$/.test(name),
    );
    response.writeHead(serviceResponse.status, Object.fromEntries(forwardedHeaders)).end(body);
  };
  const server = createServer((request, response) => {
    forwardRequest(request, response).catch(() => response.destroy());
  });
  proxy.url = (await startHttpServer(server)).url;
  return proxy;
}
