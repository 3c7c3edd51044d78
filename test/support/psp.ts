import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after } from 'node:test';
import { cents } from '#core/values/money.ts';
import { createLog } from '#platform/observability/log.ts';
import { openPspClient, type PspClient, type PspClientOptions } from '../../src/pix/psp/client.ts';
import type { Exchange } from '../../src/pix/psp/http-client.ts';
import type { ChargeTerms } from '../../src/pix/psp/translate.ts';
import { startHttpServer } from '../servers.ts';
import { openTestSimulator, PIX_KEY, type TestSimulator } from './psp-simulator.ts';

export { newTxid, PIX_KEY } from './psp-simulator.ts';

export type TestClient = {
  client: PspClient;
  exchanges: Exchange[];
  /** Everything the client logged. */
  readLog: () => string;
};

export const CLIENT_SECRET = 'sandbox-psp-secret';

export const buildTerms = (overrides: Partial<ChargeTerms> = {}): ChargeTerms => ({
  amountCents: cents(5230),
  expirationSeconds: 3600,
  key: PIX_KEY,
  ...overrides,
});

/** Opens the client of a PSP at `url`; it is closed at the end of the test or file. */
export function openTestClient(overrides: Partial<PspClientOptions> & { url: string }): TestClient {
  const { url, ...options } = overrides;
  const lines: string[] = [];
  const exchanges: Exchange[] = [];
  const client = openPspClient({
    baseUrl: `${url}/v2`,
    tokenUrl: `${url}/oauth/token`,
    clientId: 'sandbox-psp-client',
    clientSecret: CLIENT_SECRET,
    tokenStyle: 'basic-json',
    timeoutMs: 3_000,
    receiver: { name: 'Crédito Semana', city: 'São Paulo' },
    log: createLog('debug', { write: (line: string) => void lines.push(line) }),
    onExchange: (exchange) => void exchanges.push(exchange),
    ...options,
  });
  after(() => client.close());
  return { client, exchanges, readLog: () => lines.join('') };
}

/** Opens the PSP client and the simulator, connected over HTTP. */
export async function openClientAndSimulator(
  overrides: Partial<PspClientOptions> = {},
  simulatorOptions: Parameters<typeof openTestSimulator>[0] = {},
): Promise<TestSimulator & TestClient> {
  const testSimulator = await openTestSimulator(simulatorOptions);
  return { ...testSimulator, ...openTestClient({ url: testSimulator.simulator.url(), ...overrides }) };
}

export type PspCall = { method: string; path: string; headers: IncomingMessage['headers']; body: string };

/** Opens a PSP that responds as the test says. By default it grants every request for a token. */
export async function openScriptedPsp(
  respond: (call: PspCall, response: ServerResponse) => void,
  sendToken: (call: PspCall, response: ServerResponse) => void = (_call, response) =>
    sendJson(response, 200, { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 }),
) {
  const requests: PspCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call: PspCall = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(call);
      if (call.path === '/oauth/token') sendToken(call, response);
      else respond(call, response);
    });
  });
  const { url } = await startHttpServer(server);
  return {
    url,
    requests,
    listCalls: () => requests.filter(({ path }) => path !== '/oauth/token'),
    listTokenRequests: () => requests.filter(({ path }) => path === '/oauth/token'),
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
