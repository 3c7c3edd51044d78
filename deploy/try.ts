import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';

// npm run deploy:try: runs nginx.conf and haproxy.cfg with other addresses in front of two nodes on loopback, and reports the results.
// Requires nginx, haproxy and openssl; on Debian, as root, it installs them if they are missing.

const DEPLOY_DIRECTORY = import.meta.dirname;
const NODES = [0, 1];
/** The ports of the proxies: 24443 and 24080 for nginx, 25443 and 25080 for HAProxy. See `readWithTestAddresses`. */
const NGINX_PORTS = { https: 24443, http: 24080 };
const HAPROXY_PORTS = { https: 25443, http: 25080 };
/** The first port of the nodes. Node n has the ports from 240n0 on. */
const FIRST_NODE_PORT = 24_000;
/** The last digit of the port of each server of a node. */
const PORT_DIGITS = { partner: 0, staff: 1, web: 3, office: 4 };
/** The number of concurrent clients that send load. */
const CLIENTS = 8;
const WAIT_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
/** The maximum leads per hour from one IP address. The service allows a tenth of it per minute from one address with one API key. */
const LEADS_PER_ADDRESS = 100;
const LEADS_PER_MINUTE = LEADS_PER_ADDRESS / 10;
const temporaryDirectory = mkdtempSync(join(tmpdir(), 'semana-deploy-'));
chmodSync(temporaryDirectory, 0o755);
const children: ChildProcess[] = [];
/** The processes of the nodes, by number. */
const nodes = new Map<number, ChildProcess>();
const print = (text: string) => void process.stdout.write(`${text}\n`);

const missingPrograms = ['nginx', 'haproxy', 'openssl'].filter((name) => spawnSync(name, ['-v']).error);
if (missingPrograms.length > 0) {
  print(`Installing ${missingPrograms.join(', ')} ...`);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missingPrograms], {
    stdio: 'ignore',
  });
}
for (const name of ['nginx', 'haproxy']) {
  const [version] = spawnSync(name, ['-v'], { encoding: 'utf8' }).output.join('').split('\n');
  print(version!);
}

const certificateNames = ['api', 'staff', 'www'].map((name) => `DNS:${name}.semana.example`).join(',');
const [certificate, key] = [
  join(temporaryDirectory, 'fullchain.pem'),
  join(temporaryDirectory, 'privkey.pem'),
];
execFileSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=semana.example'],
    ...['-addext', `subjectAltName=${certificateNames}`, '-keyout', key, '-out', certificate],
  ],
  { stdio: 'ignore' },
);
writeFileSync(
  join(temporaryDirectory, 'bundle.pem'),
  readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'),
);

const postgres = await openEmbeddedPostgres({
  dataDir: join(temporaryDirectory, 'data'),
  owner: 'service',
  label: 'deploy:try',
  log: () => undefined,
  settings: { fsync: 'off' },
});
let hasFailed = false;
try {
  for (const node of NODES) await startNode(node);
  // nginx does not know that a node is draining: see docs/deploying.md.
  await tryProxy('nginx', startNginx(), { ports: NGINX_PORTS, maxFailedShare: 0.001 });
  await tryProxy('haproxy', startHaproxy(), { ports: HAPROXY_PORTS, maxFailedShare: 0 });
} catch (error) {
  hasFailed = true;
  print(String((error as Error).stack));
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  rmSync(temporaryDirectory, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(hasFailed ? 1 : 0);

function startProgram(name: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(name, args, {
    cwd: join(DEPLOY_DIRECTORY, '..'),
    env: { PATH: process.env.PATH ?? '', HOME: temporaryDirectory, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return child;
}

const getPort = (node: number, server: keyof typeof PORT_DIGITS): string =>
  String(FIRST_NODE_PORT + node * 10 + PORT_DIGITS[server]);

async function startNode(node: number): Promise<void> {
  const child = startProgram(process.execPath, ['bin/semana.js', 'start'], {
    DATABASE_URL: postgres.url,
    HOST: '127.0.0.1',
    WEB_HOST: '127.0.0.1',
    PSP_PORT: '24002',
    PORT: getPort(node, 'partner'),
    STAFF_PORT: getPort(node, 'staff'),
    WEB_PORT: getPort(node, 'web'),
    OFFICE_PORT: getPort(node, 'office'),
    LEADS_PER_ADDRESS: String(LEADS_PER_ADDRESS),
    TRUST_PROXY: '127.0.0.1',
    WEB_TRUST_PROXY: '127.0.0.1',
    DRAIN_MS: '4000',
    LOG_LEVEL: 'error',
  });
  nodes.set(node, child);
  await waitFor(
    `node ${node} is ready`,
    async () => (await fetch(`http://127.0.0.1:${getPort(node, 'staff')}/readyz`)).ok,
  );
}

async function stopNode(node: number, signal: NodeJS.Signals): Promise<void> {
  const child = nodes.get(node)!;
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/**
 * Reads a configuration file and replaces its addresses. In nginx.conf, node n has the ports 30n0 to 30n4 of 127.0.0.1; in haproxy.cfg, node n
 * has the ports 3000 to 3004 of 10.0.0.1n. Here node n has the ports 240n0 to 240n4. The proxies listen on NGINX_PORTS and HAPROXY_PORTS
 * instead of 443 and 80.
 */
function readWithTestAddresses(file: string): string {
  return readFileSync(join(DEPLOY_DIRECTORY, file), 'utf8')
    .replaceAll('/etc/semana/tls', temporaryDirectory)
    .replace(/127\.0\.0\.1:30(\d\d)/g, '127.0.0.1:240$1')
    .replace(/10\.0\.0\.1(\d):30.(\d)(?: check port 3001)?/g, (line, node: string, portDigit: string) => {
      const address = `127.0.0.1:240${node}${portDigit}`;
      return line.includes('check') ? `${address} check port 240${node}1` : address;
    })
    .replace(/listen (443|80)\b/g, (_, port: string) => `listen 127.0.0.1:24${port.padStart(3, '0')}`)
    .replace(/bind :(443|80)\b/g, (_, port: string) => `bind 127.0.0.1:25${port.padStart(3, '0')}`);
}

function startNginx(): ChildProcess {
  writeFileSync(join(temporaryDirectory, 'semana.conf'), readWithTestAddresses('nginx.conf'));
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${temporaryDirectory}/${name};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(temporaryDirectory, 'nginx.conf'),
    `${user} daemon off; pid ${temporaryDirectory}/nginx.pid; error_log ${temporaryDirectory}/nginx.log;
     events { worker_connections 2048; }
     http { access_log off; ${temporaryPaths} include ${temporaryDirectory}/semana.conf; }`,
  );
  return startProgram('nginx', ['-c', join(temporaryDirectory, 'nginx.conf')]);
}

function startHaproxy(): ChildProcess {
  writeFileSync(join(temporaryDirectory, 'haproxy.cfg'), readWithTestAddresses('haproxy.cfg'));
  return startProgram('haproxy', ['-db', '-q', '-f', join(temporaryDirectory, 'haproxy.cfg')]);
}

type HttpResponse = { status: number; text: string; headers: NodeJS.Dict<string | string[]> };
type RequestInput = { method?: string; headers?: Record<string, string>; body?: unknown };

/**
 * Tests a proxy, also while nodes behind it are restarted and killed. `maxFailedShare` is the share of requests that may fail during a restart.
 * Prints the result of each check, and sets `hasFailed` if one fails.
 */
async function tryProxy(
  name: string,
  proxy: ChildProcess,
  { ports, maxFailedShare }: { ports: { https: number; http: number }; maxFailedShare: number },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const buildRequestOptions = (
    subdomain: string,
    path: string,
    { method = 'GET', headers = {}, body }: RequestInput,
  ): RequestOptions => ({
    agent,
    host: '127.0.0.1',
    port: ports.https,
    servername: `${subdomain}.semana.example`,
    ca: readFileSync(certificate),
    method,
    path,
    headers: {
      host: `${subdomain}.semana.example`,
      'x-api-key': 'sandbox-demo-key',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  const send = (subdomain: string, path: string, input: RequestInput = {}): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const clientRequest = request(buildRequestOptions(subdomain, path, input), (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }));
        response.on('error', reject);
      });
      clientRequest.on('error', reject);
      clientRequest.end(input.body === undefined ? undefined : JSON.stringify(input.body));
    });
  const check = (guarantee: string, holds: boolean, result?: string) => {
    print(`  ${holds ? 'ok  ' : 'FAIL'} ${guarantee}${result === undefined ? '' : ` (${result})`}`);
    hasFailed ||= !holds;
  };

  print(`${name}:`);
  await waitFor(`${name} responds`, async () => (await send('api', '/healthz')).status === 200);
  check('partner API over TLS', (await send('api', '/public/merchants?limit=1')).status === 200);
  check('staff API', (await send('staff', '/readyz')).status === 200);
  const page = await send('www', '/');
  check('pages', page.status === 200 && page.text.includes('<html'));
  const plainResponse = await fetch(`http://127.0.0.1:${ports.http}/`, {
    redirect: 'manual',
    headers: { host: 'x' },
  });
  check('plain HTTP is sent to HTTPS', plainResponse.status === 301);

  // One lead more than is allowed.
  const leadResponses = [];
  for (let i = 0; i <= LEADS_PER_MINUTE; i++)
    leadResponses.push(
      await send('api', '/public/leads', {
        method: 'POST',
        headers: { 'x-forwarded-for': `203.0.113.${i}` },
        body: { kind: 'contact', name: 'Ada', email: `${name}${i}@example.com` },
      }),
    );
  const lastStatus = leadResponses.at(-1)!.status;
  check(
    'a forged client address is ignored: limits count the real address',
    lastStatus === 429,
    String(lastStatus),
  );

  const login = await send('api', '/wallet/auth/login', {
    method: 'POST',
    body: { phone: '+5511987650003', password: 'semana-demo-3' },
  });
  const { token } = JSON.parse(login.text) as { token: string };
  const streamInput = { headers: { 'x-token': token } };
  const delayMs = await measureEventDelay(buildRequestOptions('api', '/wallet/events', streamInput));
  check(
    'an event arrives without delay',
    delayMs === undefined || delayMs < 1_000,
    delayMs === undefined
      ? 'before the command that created the sale ended'
      : `${Math.round(delayMs)} ms after the command ended`,
  );

  const restartOutcomes = await sendLoadDuring(send, async () => {
    for (const node of NODES) {
      await stopNode(node, 'SIGTERM');
      await startNode(node);
      await sleep(2_500);
    }
  });
  check(
    `both nodes restarted, one after the other: at most ${maxFailedShare * 1_000} requests in a thousand fail`,
    computeFailedShare(restartOutcomes) <= maxFailedShare,
    formatOutcomes(restartOutcomes),
  );
  const killOutcomes = await sendLoadDuring(send, async () => {
    await stopNode(0, 'SIGKILL');
    await sleep(3_000);
  });
  print(`measured one node killed with kill -9 (${formatOutcomes(killOutcomes)})`);
  await startNode(0);
  agent.destroy();
  proxy.kill();
}

/**
 * Opens an event stream, runs a command that creates a sale when the stream is open, and returns the time from the end of the command to the
 * event of the sale. Returns undefined if the event arrives before the command ends.
 */
function measureEventDelay(streamOptions: RequestOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const stream = request(streamOptions, (response) => {
      let hasStartedSale = false;
      let commandEndedAtMs: number | undefined;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (!hasStartedSale && text.includes('retry:')) {
          hasStartedSale = true;
          const sale = ['--merchant', 'otica-lume', '--amount', '10', '--installments', '1'];
          spawn(
            process.execPath,
            ['bin/semana.js', 'checkouts', 'create', '--customer', '+5511987650003', ...sale, '--yes'],
            {
              cwd: join(DEPLOY_DIRECTORY, '..'),
              env: { PATH: process.env.PATH ?? '', SEMANA_URL: `http://127.0.0.1:${getPort(0, 'staff')}` },
              stdio: 'ignore',
            },
          ).once('exit', () => {
            commandEndedAtMs = performance.now();
          });
        }
        if (text.includes('event: checkout.created')) {
          stream.destroy();
          resolve(commandEndedAtMs === undefined ? undefined : performance.now() - commandEndedAtMs);
        }
      });
    });
    stream.on('error', reject).end();
    setTimeout(() => reject(new Error('no event arrived')), 20_000).unref();
  });
}

/** Sends reads and quotes continuously from several clients while `work` runs. Returns how often each status or error occurred. */
async function sendLoadDuring(
  send: (subdomain: string, path: string, input?: RequestInput) => Promise<HttpResponse>,
  work: () => Promise<void>,
): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  let isRunning = true;
  const quote = {
    method: 'POST',
    headers: { 'x-api-key': 'sandbox-merchant-key' },
    body: { amount: 100, installments: 4 },
  };
  const clients = Array.from({ length: CLIENTS }, async (_, i) => {
    while (isRunning) {
      const pendingResponse =
        i % 2 ? send('api', '/merchant/quotes', quote) : send('api', '/public/merchants?limit=5');
      const outcome = await pendingResponse.then(
        ({ status }) => String(status),
        (error: Error & { code?: string }) => error.code ?? error.message,
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await sleep(5);
    }
  });
  await sleep(500);
  await work();
  isRunning = false;
  await Promise.all(clients);
  return outcomes;
}

function computeFailedShare(outcomes: Map<string, number>): number {
  const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  return 1 - (outcomes.get('200') ?? 0) / total;
}

function formatOutcomes(outcomes: Map<string, number>): string {
  return [...outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(', ');
}

async function waitFor(description: string, isMet: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WAIT_TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    if (await isMet().catch(() => false)) return;
    await sleep(POLL_MS);
  }
  throw new Error(`Timed out waiting for: ${description}`);
}
