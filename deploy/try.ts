import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';

// npm run deploy:try: runs nginx.conf and haproxy.cfg as they are, but for addresses, before two nodes on loopback, and says what
// it saw. Needs nginx, haproxy and openssl; on Debian, as root, it installs what is missing.

const HERE = import.meta.dirname;
const NODES = [0, 1];
const CALLERS = 8;
const dir = mkdtempSync(join(tmpdir(), 'semana-deploy-'));
chmodSync(dir, 0o755);
const children: ChildProcess[] = [];
const nodes = new Map<number, ChildProcess>();
const say = (text: string) => void process.stdout.write(`${text}\n`);

const missing = ['nginx', 'haproxy', 'openssl'].filter((name) => spawnSync(name, ['-v']).error);
if (missing.length > 0) {
  say(`Installing ${missing.join(', ')} ...`);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    stdio: 'ignore',
  });
}
for (const [name, flag] of [
  ['nginx', '-v'],
  ['haproxy', '-v'],
] as const)
  say(String(spawnSync(name, [flag], { encoding: 'utf8' }).output.join('')).split('\n')[0]!);

const names = ['api', 'staff', 'www'].map((name) => `DNS:${name}.semana.example`).join(',');
const [certificate, key] = [join(dir, 'fullchain.pem'), join(dir, 'privkey.pem')];
execFileSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=semana.example'],
    ...['-addext', `subjectAltName=${names}`, '-keyout', key, '-out', certificate],
  ],
  { stdio: 'ignore' },
);
writeFileSync(join(dir, 'bundle.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));

const postgres = await openEmbeddedPostgres({
  dataDir: join(dir, 'data'),
  owner: 'service',
  label: 'deploy:try',
  log: () => undefined,
  settings: { fsync: 'off' },
});
let failed = false;
try {
  for (const node of NODES) await startNode(node);
  await tryProxy('nginx', startNginx(), 24443);
  await tryProxy('haproxy', startHaproxy(), 25443);
} catch (error) {
  failed = true;
  say(String((error as Error).stack));
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(failed ? 1 : 0);

function run(name: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(name, args, {
    cwd: join(HERE, '..'),
    env: { PATH: process.env.PATH ?? '', HOME: dir, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return child;
}

async function startNode(node: number): Promise<void> {
  const port = (of: number) => String(24000 + node * 10 + of);
  const child = run(process.execPath, ['bin/semana.js', 'start'], {
    DATABASE_URL: postgres.url,
    HOST: '127.0.0.1',
    WEB_HOST: '127.0.0.1',
    PSP_PORT: '24002',
    PORT: port(0),
    STAFF_PORT: port(1),
    WEB_PORT: port(3),
    OFFICE_PORT: port(4),
    // As in live: a tenth of it in a minute with one key.
    LEADS_PER_ADDRESS: '100',
    TRUST_PROXY: '127.0.0.1',
    WEB_TRUST_PROXY: '127.0.0.1',
    DRAIN_MS: '4000',
    LOG_LEVEL: 'error',
  });
  nodes.set(node, child);
  await until(`node ${node} is ready`, async () => (await fetch(`http://127.0.0.1:${port(1)}/readyz`)).ok);
}

async function stopNode(node: number, signal: NodeJS.Signals): Promise<void> {
  const child = nodes.get(node)!;
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** The file with other addresses. */
function adapted(file: string): string {
  return readFileSync(join(HERE, file), 'utf8')
    .replaceAll('/etc/semana/tls', dir)
    .replace(/127\.0\.0\.1:30(\d\d)/g, '127.0.0.1:240$1')
    .replace(/10\.0\.0\.1(\d):30.(\d)(?: check port 3001)?/g, (line, node: string, of: string) => {
      const at = `127.0.0.1:240${node}${of}`;
      return line.includes('check') ? `${at} check port 240${node}1` : at;
    })
    .replace(/listen (443|80)\b/g, (_, port: string) => `listen 127.0.0.1:24${port.padStart(3, '0')}`)
    .replace(/bind :(443|80)\b/g, (_, port: string) => `bind 127.0.0.1:25${port.padStart(3, '0')}`);
}

function startNginx(): ChildProcess {
  writeFileSync(join(dir, 'semana.conf'), adapted('nginx.conf'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir}/${name};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(dir, 'nginx.conf'),
    `${user} daemon off; pid ${dir}/nginx.pid; error_log ${dir}/nginx.log;
     events { worker_connections 2048; }
     http { access_log off; ${temporary} include ${dir}/semana.conf; }`,
  );
  return run('nginx', ['-c', join(dir, 'nginx.conf')]);
}

function startHaproxy(): ChildProcess {
  writeFileSync(join(dir, 'haproxy.cfg'), adapted('haproxy.cfg'));
  return run('haproxy', ['-db', '-q', '-f', join(dir, 'haproxy.cfg')]);
}

type Answer = { status: number; text: string; headers: NodeJS.Dict<string | string[]> };
type Wish = { method?: string; headers?: Record<string, string>; body?: unknown };

async function tryProxy(name: string, proxy: ChildProcess, port: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const options = (
    host: string,
    path: string,
    { method = 'GET', headers = {}, body }: Wish,
  ): RequestOptions => ({
    agent,
    host: '127.0.0.1',
    port,
    servername: `${host}.semana.example`,
    ca: readFileSync(certificate),
    method,
    path,
    headers: {
      host: `${host}.semana.example`,
      'x-api-key': 'sandbox-demo-key',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  const ask = (host: string, path: string, wish: Wish = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = request(options(host, path, wish), (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }));
        response.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(wish.body === undefined ? undefined : JSON.stringify(wish.body));
    });
  const see = (what: string, holds: boolean, found: unknown = '') => {
    say(`  ${holds ? 'ok  ' : 'FAIL'} ${what}${found === '' ? '' : ` (${String(found)})`}`);
    failed ||= !holds;
  };

  say(`${name}:`);
  await until(`${name} answers`, async () => (await ask('api', '/healthz')).status === 200);
  see('front door over TLS', (await ask('api', '/public/merchants?limit=1')).status === 200);
  see('staff door', (await ask('staff', '/readyz')).status === 200);
  const page = await ask('www', '/');
  see('pages', page.status === 200 && page.text.includes('<html'));
  const plain = await fetch(`http://127.0.0.1:${port - 363}/`, {
    redirect: 'manual',
    headers: { host: 'x' },
  });
  see('plain HTTP is sent to HTTPS', plain.status === 301);

  const leads = [];
  for (let i = 0; i < 11; i++)
    leads.push(
      await ask('api', '/public/leads', {
        method: 'POST',
        headers: { 'x-forwarded-for': `203.0.113.${i}` },
        body: { kind: 'contact', name: 'Ada', email: `${name}${i}@example.com` },
      }),
    );
  const last = leads.at(-1)!.status;
  see('an address that the caller makes up is not believed: limits count the real one', last === 429, last);

  const entered = await ask('api', '/wallet/auth/login', {
    method: 'POST',
    body: { phone: '+5511987650003', password: 'semana-demo-3' },
  });
  const { token } = JSON.parse(entered.text) as { token: string };
  const tookMs = await new Promise<number>((resolve, reject) => {
    const wish = { headers: { 'x-token': token } };
    const stream = request(options('api', '/wallet/events', wish), (response) => {
      let soldAtMs = 0;
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (soldAtMs === 0 && text.includes('retry:')) {
          const sale = ['--merchant', 'otica-lume', '--amount', '10', '--installments', '1'];
          spawn(
            process.execPath,
            ['bin/semana.js', 'checkout', 'create', '--customer', '+5511987650003', ...sale],
            {
              cwd: join(HERE, '..'),
              env: { PATH: process.env.PATH ?? '', DATABASE_URL: postgres.url },
              stdio: 'ignore',
            },
          ).once('exit', () => {
            soldAtMs ||= performance.now();
          });
        }
        if (text.includes('event: checkout.created')) {
          stream.destroy();
          resolve(soldAtMs === 0 ? 0 : performance.now() - soldAtMs);
        }
      });
    });
    stream.on('error', reject).end();
    setTimeout(() => reject(new Error('no event came through')), 20_000).unref();
  });
  see(
    'an event comes through as it happens',
    tookMs < 1_000,
    tookMs === 0 ? 'before the command that sold had ended' : `${Math.round(tookMs)} ms after the sale`,
  );

  const outcomes = await underLoad(ask, async () => {
    for (const node of NODES) {
      await stopNode(node, 'SIGTERM');
      await startNode(node);
      await sleep(2_500);
    }
  });
  // nginx does not know that a node is about to leave: see docs/deploying.md.
  const [words, mostFailed] =
    name === 'nginx' ? ['at most one request in a thousand fails', 0.001] : ['no request fails', 0];
  see(
    `both nodes restarted, one after the other: ${words}`,
    failedOf(outcomes) <= mostFailed,
    told(outcomes),
  );
  const killed = await underLoad(ask, async () => {
    await stopNode(0, 'SIGKILL');
    await sleep(3_000);
  });
  say(`  seen one node killed with kill -9 (${told(killed)})`);
  await startNode(0);
  agent.destroy();
  proxy.kill();
}

/** Reads and quotes without pause from several callers while something is done. */
async function underLoad(
  ask: (host: string, path: string, wish?: Wish) => Promise<Answer>,
  work: () => Promise<void>,
): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  let going = true;
  const quote = {
    method: 'POST',
    headers: { 'x-api-key': 'sandbox-merchant-key' },
    body: { amount: 100, installments: 4 },
  };
  const callers = Array.from({ length: CALLERS }, async (_, i) => {
    while (going) {
      const asked = i % 2 ? ask('api', '/merchant/quotes', quote) : ask('api', '/public/merchants?limit=5');
      const outcome = await asked.then(
        ({ status }) => String(status),
        (error: Error & { code?: string }) => error.code ?? error.message,
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await sleep(5);
    }
  });
  await sleep(500);
  await work();
  going = false;
  await Promise.all(callers);
  return outcomes;
}

function failedOf(outcomes: Map<string, number>): number {
  const all = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  return 1 - (outcomes.get('200') ?? 0) / all;
}

function told(outcomes: Map<string, number>): string {
  return [...outcomes].map(([what, count]) => `${count} × ${what}`).join(', ');
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (await check().catch(() => false)) return;
    await sleep(100);
  }
  throw new Error(`It did not come about: ${what}`);
}
