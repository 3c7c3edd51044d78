import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { explainError } from '#platform/command-line/explain-error.ts';
import { commandLine } from './commands.ts';
import { eventually } from './harness.ts';
import { createCertificate, createLiveSettingsWithoutCertificate } from './live.ts';
import {
  copyDemoDatabase,
  createDataDir,
  createEmptyDatabase,
  launchService,
  PROJECT,
  query,
  type Service,
  startProgram,
  startService,
  waitForBanner,
} from './processes.ts';

// How the service starts, or why it does not: modes, settings, databases, ports, old Nodes.

const DEMO_KEY = { 'x-api-key': 'sandbox-demo-key' };
const directory = mkdtempSync(join(tmpdir(), 'semana-modes-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const certificate = createCertificate(directory);
const withoutOpenssl = certificate ? false : 'openssl is not installed, and the certificate is made with it';

const LIVE = { ...createLiveSettingsWithoutCertificate(), ...certificate };

const get = (service: Service, path: string, headers: Record<string, string> = DEMO_KEY) =>
  fetch(service.partnerUrl + path, { headers });

async function stop(...services: Service[]): Promise<void> {
  for (const { child } of services) child.kill('SIGTERM');
  for (const { outcome } of services) assert.equal((await outcome).code, 0);
}

/** The standard error of a start that must fail with a clear message. */
async function refusal(env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await launchService(env).outcome;
  assert.equal(code, 1, stderr);
  assert.doesNotMatch(stdout, /is running/);
  assert.doesNotMatch(stderr, /\n {4}at /, 'no stack');
  return stderr;
}

test('live mode refuses to start and lists all missing and invalid settings together', async () => {
  const output = await refusal({ SEMANA_MODE: 'live', PORT: 'abc', LOG_LEVEL: 'loud' });
  const [headline, ...faults] = output.trim().split('\n');
  assert.match(headline!, /^The configuration has \d+ errors:$/);
  for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'PUBLIC_URL']) {
    assert.equal(
      faults.filter((fault) => fault.startsWith(`  - ${name} is `)).length,
      1,
      `${name} in ${output}`,
    );
  }
  const env = { ...LIVE, PUBLIC_URL: 'http://api.semana.example', DATABASE_URL: 'mysql://root:geheim@db' };
  const { stderr: insecure } = await commandLine(['audit'], env);
  assert.match(insecure, / {2}- PUBLIC_URL is not a URL that begins with https:\/\/\./);
  assert.match(
    insecure,
    / {2}- DATABASE_URL is not a URL that begins with postgres:\/\/ or postgresql:\/\/\./,
  );
  assert.doesNotMatch(insecure, /geheim/);
});

test('live mode starts on a separate database, without demo data, known keys or demo media', {
  skip: withoutOpenssl,
}, async () => {
  const DATABASE_URL = await createEmptyDatabase();
  const service = await startService({ ...LIVE, DATABASE_URL, DATA_DIR: createDataDir() });
  assert.match(service.banner, /^Semana is running \(live\)/);
  assert.match(service.banner, new RegExp(`^  Public +${LIVE.PUBLIC_URL}$`, 'm'));
  assert.match(service.banner, new RegExp(`Try: curl -H 'x-api-key: YOUR-KEY' '${LIVE.PUBLIC_URL}/`));
  assert.doesNotMatch(service.banner, /sandbox|semana-demo/);
  assert.ok(
    !service.banner.includes(new URL(DATABASE_URL).password),
    'the banner does not show the password',
  );
  for (const key of ['sandbox-demo-key', 'sandbox-operator-key']) {
    assert.equal((await get(service, '/public/merchants', { 'x-api-key': key })).status, 401);
  }
  assert.equal((await get(service, '/media/logos/farmacia-sao-jocundo.svg')).status, 404);
  assert.ok((await get(service, '/healthz')).headers.has('strict-transport-security'));
  for (const path of ['/openapi.json', '/docs/', '/docs/pt', '/docs/en/website', '/docs/reference/'])
    assert.doesNotMatch(await (await get(service, path)).text(), /sandbox-\w+-key|localhost/, path);

  const env = { ...LIVE, DATABASE_URL };
  const addedOutcome = await commandLine(['staff', 'add', '--name', 'Ada', '--role', 'admin'], env);
  const client = { SEMANA_URL: service.staffUrl, SEMANA_KEY: addedOutcome.stdout.trim() };
  await eventually('the key of the first admin works', async () => {
    const { code } = await commandLine(['partners', 'create', '--name', 'Parceiro'], client);
    return code === 0;
  });
  const keyOptions = ['--partner', 'Parceiro', '--scopes', 'public'];
  const key = (await commandLine(['keys', 'create', ...keyOptions], client)).stdout.trim();
  assert.match(key, /^semana_live_/);
  const apiResponse = await eventually('the first key works', async () => {
    const response = await get(service, '/public/merchants', { 'x-api-key': key });
    return response.status === 200 && response;
  });
  assert.deepEqual((await apiResponse.json()) as object, {
    data: [],
    pagination: { page: 1, limit: 20, total: 0, pages: 0 },
  });
  assert.match(apiResponse.headers.get('link')!, /^<https:\/\/api\.semana\.example\/public\/merchants/);

  for (const words of [['demo'], ['demo', '--reset', '--yes']]) {
    const { code, stderr } = await commandLine(words, env);
    assert.deepEqual([code, stderr], [1, 'There is no demo data in live mode.\n']);
  }
  await stop(service);

  const wrong =
    'This database was set up in live mode and cannot be used in sandbox mode. Set SEMANA_MODE, or DATABASE_URL to another database.\n';
  assert.equal(await refusal({ DATABASE_URL }), wrong);
  for (const words of [['demo'], ['demo', '--reset', '--yes'], ['token-key', 'list']]) {
    const { code, stderr } = await commandLine(words, { DATABASE_URL });
    assert.deepEqual(
      [code, stderr],
      [1, wrong],
      `semana ${words.join(' ')}: no known key gets into a live database`,
    );
  }
  const keys = await query(DATABASE_URL, 'select 1 from api_keys');
  assert.equal(keys.length, 2, 'that of the admin, and that of the partner');
});

test('two nodes that start concurrently on an empty database both run, and the demo data exists once', async () => {
  const DATABASE_URL = await createEmptyDatabase();
  const nodes = await Promise.all([1, 2].map(() => launchService({ DATABASE_URL })).map(waitForBanner));
  for (const node of nodes) {
    const { pagination } = (await (await get(node, '/public/merchants')).json()) as {
      pagination: { total: number };
    };
    assert.equal(pagination.total, 77);
  }
  const counts = await query(
    DATABASE_URL,
    `select (select count(*)::int from partners) as partners, (select count(*)::int from api_keys) as keys,
            (select count(*)::int from faq_entries) as faq, (select count(*)::int from installation) as installations`,
  );
  assert.deepEqual(counts, [{ partners: 4, keys: 5, faq: 43, installations: 1 }]);

  await query(DATABASE_URL, `update merchants set name = 'Nos dois' where slug = 'farmacia-sao-jocundo'`);
  for (const node of nodes) {
    await eventually('both nodes show a change', async () =>
      (await (await get(node, '/public/merchants/farmacia-sao-jocundo')).text()).includes('Nos dois'),
    );
  }
  await stop(...nodes);
});

test('occupied ports are reported together, each with its setting', async () => {
  const DATABASE_URL = await copyDemoDatabase();
  const names = ['PORT', 'STAFF_PORT', 'PSP_PORT'] as const;
  const blockers = await Promise.all(
    names.map(async () => {
      const blocker = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      await once(blocker, 'listening');
      return blocker;
    }),
  );
  const ports = blockers.map((blocker) => String((blocker.address() as { port: number }).port));
  const all = Object.fromEntries(names.map((name, i) => [name, ports[i]!]));
  assert.equal(
    await refusal({ DATABASE_URL, ...all }),
    `${names.map((name, i) => `${name} (127.0.0.1:${ports[i]})`).join(' and ')} are in use by another program. ` +
      'Stop it, or set PORT and STAFF_PORT and PSP_PORT to another port.\n',
  );
  assert.equal(
    await refusal({ DATABASE_URL, PSP_PORT: all.PSP_PORT! }),
    `PSP_PORT (127.0.0.1:${all.PSP_PORT}) is in use by another program. Stop it, or set PSP_PORT to another port.\n`,
  );
  for (const blocker of blockers) blocker.close();
});

// The database only ever saw semana demo, and never serves live mode.
test('only migrate changes the schema: other commands say what to run, and check the mode first', {
  skip: withoutOpenssl,
}, async () => {
  const DATABASE_URL = await createEmptyDatabase();
  const tables = () => query(DATABASE_URL, `select 1 from pg_tables where schemaname = 'public'`);
  for (const words of [['demo'], ['token-key', 'list'], ['audit']]) {
    const { code, stderr } = await commandLine(words, { DATABASE_URL });
    assert.deepEqual([code, stderr], [1, `This database is not set up. Run 'semana migrate' first.\n`]);
  }
  assert.deepEqual(await tables(), []);

  assert.equal((await commandLine(['migrate'], { DATABASE_URL })).code, 0);
  assert.equal((await commandLine(['demo'], { DATABASE_URL })).code, 0);
  // As after an update of the program, before its migrations ran.
  const [last] = await query<{ name: string }>(
    DATABASE_URL,
    'delete from schema_migrations where name = (select max(name) from schema_migrations) returning name',
  );
  const behind = await commandLine(['token-key', 'list'], { DATABASE_URL });
  assert.deepEqual(
    [behind.code, behind.stderr],
    [1, `This database is older than this release: ${last!.name} is missing. Run 'semana migrate' first.\n`],
  );
  for (const words of [['migrate'], ['token-key', 'list']]) {
    const { code, stderr } = await commandLine(words, { ...LIVE, DATABASE_URL });
    assert.equal(code, 1);
    assert.match(stderr, /^This database was set up in sandbox mode and cannot be used in live mode\./);
  }
  assert.match(
    await refusal({ ...LIVE, DATABASE_URL, DATA_DIR: createDataDir() }),
    /^This database was set up in sandbox mode and cannot be used in live mode\./,
  );
  const names = await query<{ name: string }>(DATABASE_URL, 'select name from schema_migrations');
  assert.ok(!names.some(({ name }) => name === last!.name), 'nothing was migrated');
});

test('a database that was migrated in live mode stays live, even if it has not been served', {
  skip: withoutOpenssl,
}, async () => {
  const DATABASE_URL = await createEmptyDatabase();
  assert.equal((await commandLine(['migrate'], { ...LIVE, DATABASE_URL })).code, 0);
  for (const words of [['migrate'], ['demo']]) {
    const { code, stderr } = await commandLine(words, { DATABASE_URL });
    assert.equal(code, 1);
    assert.match(stderr, /^This database was set up in live mode and cannot be used in sandbox mode\./);
  }
});

test('an unusable database is explained without a stack or the password, by start and by commands', async () => {
  const server = new URL(process.env.TEST_DATABASE_URL!);
  const at = (parts: { password?: string; port?: string; hostname?: string; pathname?: string }) =>
    Object.assign(new URL(server), parts).href;
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as { port: number };
  closed.close();
  const cases: Array<[string, RegExp]> = [
    [at({ port: String(port), password: 'geheim' }), /ECONNREFUSED 127\.0\.0\.1:\d+/],
    [at({ port: String(port), password: 'geheim', hostname: 'localhost' }), /ECONNREFUSED/],
    [at({ password: 'geheim' }), /password authentication failed/],
    [at({ pathname: '/nowhere' }), /database "nowhere" does not exist/],
  ];
  for (const [DATABASE_URL, output] of cases) {
    const byCommand = await commandLine(['audit'], { DATABASE_URL });
    assert.equal(byCommand.code, 1);
    const byStart = DATABASE_URL === cases[2]![0] ? [await refusal({ DATABASE_URL })] : [];
    for (const text of [byCommand.stderr, ...byStart]) {
      assert.match(text, output);
      assert.match(text, /DATABASE_URL/);
      assert.ok(!text.includes('geheim') && !text.includes(server.password), text);
      assert.equal(text.trim().split('\n').length, 1, text);
    }
  }
});

test('an unknown host is named, with the settings that may contain it', () => {
  const error = Object.assign(new Error('getaddrinfo ENOTFOUND db.example'), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: 'db.example',
  });
  assert.equal(
    explainError(error),
    "The host 'db.example' was not found (ENOTFOUND). Check DATABASE_URL, HOST and STAFF_HOST.",
  );
});

test('a database user who may not create tables is refused with the reason', async () => {
  const DATABASE_URL = await createEmptyDatabase();
  const role = `role_${new URL(DATABASE_URL).pathname.slice(1)}`;
  await query(DATABASE_URL, `create role ${role} login password 'geheim'`);
  const url = Object.assign(new URL(DATABASE_URL), { username: role, password: 'geheim' }).href;
  assert.equal(
    await refusal({ DATABASE_URL: url }),
    'The database cannot be used: permission denied for schema public. Check DATABASE_URL.\n',
  );
  await query(DATABASE_URL, `drop role ${role}`);
});

const oldNode = findOldNode();
test('an old Node starts the Node of the project and forwards signals and exit codes', {
  skip: !oldNode && 'every Node on this machine is new enough',
}, async () => {
  const words = [oldNode!, join(PROJECT, 'bin/semana.js')];
  const help = await startProgram([...words, 'keys', 'create', '--help']).outcome;
  assert.equal(help.code, 0, help.stderr);
  assert.match(help.stdout, /^semana keys create: /);
  assert.equal((await startProgram([...words, 'bogus']).outcome).code, 2);

  const service = await startService({ DATABASE_URL: await createEmptyDatabase() }, [...words, 'start']);
  assert.equal((await get(service, '/public/categories')).status, 200);
  await stop(service);
});

function findOldNode(): string | undefined {
  const paths = execFileSync('/bin/sh', ['-c', 'which -a node || true'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return paths.find((path) => {
    if (!path) return false;
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
    return Number(/^v(\d+)/.exec(version)?.[1]) < 24;
  });
}
