import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { after } from 'node:test';
import type { Db } from '#platform/database/db.ts';
import { createLog, type Log } from '#platform/observability/log.ts';
import { Problem } from '#platform/problem.ts';
import {
  createPspSimulator,
  type PspSimulator,
  type PspSimulatorOptions,
  SANDBOX_PSP_CLIENT,
} from '../../src/sandbox/psp/simulator.ts';
import { createTestClock, openMigratedDb, type TestClock } from '../harness.ts';
import { startHttpServer } from '../servers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
export type PspResponse = { status: number; body: any; text: string; contentType: string };

export type TestSimulator = {
  simulator: PspSimulator;
  db: Db;
  clock: TestClock;
  log: Log;
  /** Sends a request, by default with a token that has all scopes. */
  call(
    method: string,
    path: string,
    body?: unknown,
    options?: { token?: string | null },
  ): Promise<PspResponse>;
  /** Opens another simulator on the same database, beside the first one or after it was stopped. */
  open(overrides?: Partial<PspSimulatorOptions>): Promise<PspSimulator>;
};

export const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

/** Opens a simulator on a new database, with a clock that only the test moves. */
export async function openTestSimulator(
  overrides: Partial<PspSimulatorOptions> = {},
): Promise<TestSimulator> {
  const simulators: PspSimulator[] = [];
  // Registered before the database's own `after`, so that the simulators are stopped before it is closed.
  after(() => Promise.all(simulators.map((simulator) => simulator.stop())));
  const db = await openMigratedDb();
  const clock = createTestClock('2026-11-16T15:00:00Z');
  const log = createLog('silent');
  const open = async (laterOverrides: Partial<PspSimulatorOptions> = {}) => {
    const simulator = createPspSimulator({
      port: 0,
      db,
      clock,
      log,
      refundDelayMs: 50,
      webhookRetryMs: [50, 100],
      webhookTimeoutMs: 1_500,
      ...overrides,
      ...laterOverrides,
    });
    simulators.push(simulator);
    await simulator.start();
    return simulator;
  };
  const simulator = await open();
  let token: string | undefined;
  return {
    simulator,
    db,
    clock,
    log,
    open,
    async call(method, path, body, options = {}) {
      token ??= (await requestToken(simulator.url())).body.access_token as string;
      const usedToken = options.token === undefined ? token : options.token;
      return send(simulator.url() + path, {
        method,
        headers: {
          ...(usedToken !== null && { authorization: `Bearer ${usedToken}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    },
  };
}

export function requestToken(url: string, scope?: string): Promise<PspResponse> {
  const { id, secret } = SANDBOX_PSP_CLIENT;
  return send(`${url}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ grant_type: 'client_credentials', ...(scope && { scope }) }),
  });
}

export async function send(url: string, init: RequestInit): Promise<PspResponse> {
  const response = await fetch(url, init);
  const text = await response.text();
  const contentType = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    text,
    contentType,
    body: /json/.test(contentType) ? JSON.parse(text) : undefined,
  };
}

/** Starts the server of a PSP's client. It stores every callback, and responds with the status that `nextStatus` returns. */
export async function openCallbackReceiver({
  nextStatus = () => 200,
  delayMs = 0,
}: {
  nextStatus?: () => number | 'no response';
  delayMs?: number;
} = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  const callbacks: Array<{ path: string; pix: any[] }> = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      callbacks.push({ path: request.url!, pix: JSON.parse(Buffer.concat(chunks).toString()).pix });
      const status = nextStatus();
      if (status !== 'no response') setTimeout(() => response.writeHead(status).end(), delayMs);
    });
  });
  const { url } = await startHttpServer(server);
  return {
    url: `${url}/hook`,
    callbacks,
    listReportedPix: () => callbacks.flatMap(({ pix }) => pix),
  };
}

export const newTxid = () => randomBytes(16).toString('hex');

export const buildChargeBody = (original = '10.00', overrides: Record<string, unknown> = {}) => ({
  calendario: { expiracao: 3600 },
  valor: { original },
  chave: PIX_KEY,
  ...overrides,
});

/** For `assert.rejects`: checks that the error is a `Problem` with this code, whose detail contains the text. */
export const isProblem =
  (code: string, text = '') =>
  (error: unknown) =>
    error instanceof Problem && error.kind.code === code && JSON.stringify(error.detail).includes(text);

/** Checks that the problem has the form of the PIX API standard, and that its violations are of exactly these properties. */
export function assertPspProblem(
  response: PspResponse,
  status: number,
  kind: string,
  properties: string[] = [],
): void {
  assert.equal(response.status, status, response.text);
  assert.match(response.contentType, /^application\/problem\+json/);
  assert.equal(response.body.type, `https://pix.bcb.gov.br/api/v2/error/${kind}`);
  assert.equal(response.body.status, status);
  assert.ok(response.body.title && response.body.detail);
  const violations: Array<{ propriedade: string; razao: string }> = response.body.violacoes ?? [];
  assert.deepEqual(
    violations.map(({ propriedade }) => propriedade),
    properties,
  );
  assert.ok(violations.every(({ razao }) => razao.length > 0));
}
