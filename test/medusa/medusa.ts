import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../query.ts';
import { buildDatabaseUrl } from '../template.ts';

const SERVER = join(import.meta.dirname, '../../integrations/medusa/server');
const MEDUSA = join(SERVER, '../node_modules/.bin/medusa');
const ADMIN = { email: 'admin@loja.example', password: randomBytes(16).toString('hex') };

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
export type Body = any;

/** A Medusa server of its own on a database of its own, with one product, one region and the provider. */
export async function openMedusa(env: Record<string, string>) {
  const name = `medusa_${randomBytes(6).toString('hex')}`;
  await query(process.env.TEST_DATABASE_URL!, `create database ${name} template template0`);
  const variables = {
    ...process.env,
    ...env,
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    DATABASE_URL: buildDatabaseUrl(process.env.TEST_DATABASE_URL!, name),
  };
  let printed = '';
  const launch = (...words: string[]): ChildProcess => {
    const child = spawn(process.execPath, [MEDUSA, ...words], { cwd: SERVER, env: variables });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    return child;
  };
  const finish = async (...words: string[]) => {
    const [code] = await once(launch(...words), 'exit');
    assert.equal(code, 0, printed.slice(-3_000));
  };
  await finish('db:migrate');
  await finish('user', '-e', ADMIN.email, '-p', ADMIN.password);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = launch('start', '--port', String(port), '--host', '127.0.0.1');
  after(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  });
  // Longer than `eventually` waits: Medusa loads a thousand packages.
  for (let i = 0; i < 3_000 && !printed.includes('Server is ready'); i++) {
    assert.equal(child.exitCode, null, printed.slice(-3_000));
    await sleep(100);
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
  const must = async (method: string, path: string, body?: object): Promise<Body> => {
    const apiResponse = await call(method, path, body);
    assert.equal(
      apiResponse.status,
      200,
      `${path} ${JSON.stringify(apiResponse.body)} ${printed.slice(-1_500)}`,
    );
    return apiResponse.body;
  };
  const { token } = await must('POST', '/auth/user/emailpass', ADMIN);
  headers = { authorization: `Bearer ${token}` };
  const { sales_channel } = await must('POST', '/admin/sales-channels', { name: 'Loja' });
  const { api_key } = await must('POST', '/admin/api-keys', { title: 'Loja', type: 'publishable' });
  await must('POST', `/admin/api-keys/${api_key.id}/sales-channels`, { add: [sales_channel.id] });
  const { region } = await must('POST', '/admin/regions', {
    name: 'Brasil',
    currency_code: 'brl',
    countries: ['br'],
    payment_providers: ['pp_semana_semana'],
  });
  const { product } = await must('POST', '/admin/products', {
    title: 'Bolo de casamento',
    status: 'published',
    options: [{ title: 'Tamanho', values: ['Grande'] }],
    variants: [
      {
        title: 'Grande',
        options: { Tamanho: 'Grande' },
        manage_inventory: false,
        prices: [{ amount: 90, currency_code: 'brl' }],
      },
    ],
    sales_channels: [{ id: sales_channel.id }],
  });
  headers = { ...headers, 'x-publishable-api-key': api_key.token };
  return { url, call, must, regionId: region.id, variantId: product.variants[0].id, printed: () => printed };
}

/** The class without Medusa around it. */
export function openProvider(options: Record<string, unknown>): Body {
  const { SemanaPaymentProvider } = createRequire(SERVER)('./dist/provider.js');
  SemanaPaymentProvider.validateOptions(options);
  return new SemanaPaymentProvider({ logger: console }, options);
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}

/** The network between Medusa and the service. */
export async function openNetwork(target: string) {
  let held: ReturnType<typeof Promise.withResolvers<void>> | undefined;
  let reached: (() => void) | undefined;
  const network = {
    url: '',
    /** The number of responses to POSTs that get lost, although the service has performed the requests. */
    lose: 0,
    /** Holds back the next read. */
    hold() {
      const here = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      held = release;
      reached = here.resolve;
      return { reached: here.promise, release: release.resolve };
    },
  };
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { host: _, connection: __, ...headers } = request.headers;
    const chunks: Buffer[] = await request.toArray();
    if (request.method === 'GET' && held) {
      const { promise } = held;
      held = undefined;
      reached!();
      await promise;
    }
    const apiResponse = await fetch(target + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await apiResponse.arrayBuffer());
    if (network.lose > 0 && request.method === 'POST') {
      network.lose -= 1;
      request.socket.destroy();
      return;
    }
    const forwardedHeaders = [...apiResponse.headers].filter(
      ([name]) => !/^(content|transfer)-(encoding|length)$/.test(name),
    );
    response.writeHead(apiResponse.status, Object.fromEntries(forwardedHeaders)).end(body);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  network.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return network;
}
