import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { explainError } from '#platform/command-line/explain-error.ts';
import { runCli } from './commands.ts';
import { eventually } from './harness.ts';
import { createCertificate, createLiveSettingsWithoutCertificate } from './live.ts';
import {
  createDataDir,
  createDemoDatabase,
  createUnmigratedDatabase,
  launchService,
  type ServiceProcess,
  startProgram,
  startService,
  waitForBanner,
} from './processes.ts';
import { PROJECT } from './project.ts';
import { query } from './query.ts';
import { findFreePort, listenOnFreePort } from './servers.ts';

// How the service starts or refuses to start: modes, settings, databases, ports, old versions of Node.

const DEMO_KEY = { 'x-api-key': 'sandbox-demo-key' };
const DEMO_MERCHANTS = 77;
const directory = mkdtempSync(join(tmpdir(), 'semana-modes-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const certificate = createCertificate(directory);
/** The reason to skip tests that require a certificate, or false. */
const skipWithoutOpenssl = certificate ? false : 'openssl is not installed, which creates the certificate';

const LIVE_SETTINGS = { ...createLiveSettingsWithoutCertificate(), ...certificate };

const get = (service: ServiceProcess, path: string, headers: Record<string, string> = DEMO_KEY) =>
  fetch(service.partnerUrl + path, { headers });

async function stopServices(...services: ServiceProcess[]): Promise<void> {
  for (const { child } of services) child.kill('SIGTERM');
  for (const { outcome } of services) assert.equal((await outcome).code, 0);
}

/** Starts the service, which must fail with a clear message, and returns its standard error. */
async function startRefused(env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await launchService(env).outcome;
  assert.equal(code, 1, stderr);
  assert.doesNotMatch(stdout, /is running/);
  assert.doesNotMatch(stderr, /\n {4}at /, 'no stack');
  return stderr;
}

test('live mode refuses to start and lists all missing and invalid settings together', async () => {
  const output = await startRefused({ SEMANA_MODE: 'live', PORT: 'abc', LOG_LEVEL: 'loud' });
  const [headline, ...errors] = output.trim().split('\n');
  assert.match(headline!, /^The configuration has \d+ errors:$/);
  for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'PUBLIC_URL']) {
    assert.equal(
      errors.filter((error) => error.startsWith(`  - ${name} is `)).length,
      1,
      `${name} in ${output}`,
    );
  }
  const env = {
    ...LIVE_SETTINGS,
    PUBLIC_URL: 'http://api.semana.example',
    DATABASE_URL: 'mysql://root:geheim@db',
  };
  const { stderr: insecureSettingsError } = await runCli(['audit'], env);
  assert.match(insecureSettingsError, / {2}- PUBLIC_URL is not a URL that begins with https:\/\/\./);
  assert.match(
    insecureSettingsError,
    / {2}- DATABASE_URL is not a URL that begins with postgres:\/\/ or postgresql:\/\/\./,
  );
  assert.doesNotMatch(insecureSettingsError, /geheim/);
});

test('live mode starts on a separate database, without demo data, known keys or demo media', {
  skip: skipWithoutOpenssl,
}, async () => {
  const DATABASE_URL = await createUnmigratedDatabase();
  const service = await startService({ ...LIVE_SETTINGS, DATABASE_URL, DATA_DIR: createDataDir() });
  assert.match(service.banner, /^Semana is running \(live\)/);
  assert.match(service.banner, new RegExp(`^  Public +${LIVE_SETTINGS.PUBLIC_URL}$`, 'm'));
  assert.match(
    service.banner,
    new RegExp(`Try: curl -H 'x-api-key: YOUR-KEY' '${LIVE_SETTINGS.PUBLIC_URL}/`),
  );
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

  const env = { ...LIVE_SETTINGS, DATABASE_URL };
  const staffAddOutcome = await runCli(['staff', 'add', '--name', 'Ada', '--role', 'admin'], env);
  const clientEnv = { SEMANA_URL: service.staffUrl, SEMANA_KEY: staffAddOutcome.stdout.trim() };
  await eventually('the key of the first admin works', async () => {
    const { code } = await runCli(['partners', 'create', '--name', 'Parceiro'], clientEnv);
    return code === 0;
  });
  const keyOptions = ['--partner', 'Parceiro', '--scopes', 'public'];
  const key = (await runCli(['keys', 'create', ...keyOptions], clientEnv)).stdout.trim();
  assert.match(key, /^semana_live_/);
  const merchantsResponse = await eventually('the first key works', async () => {
    const response = await get(service, '/public/merchants', { 'x-api-key': key });
    return response.status === 200 && response;
  });
  assert.deepEqual((await merchantsResponse.json()) as object, {
    data: [],
    pagination: { page: 1, limit: 20, total: 0, pages: 0 },
  });
  assert.match(merchantsResponse.headers.get('link')!, /^<https:\/\/api\.semana\.example\/public\/merchants/);

  for (const args of [['demo'], ['demo', '--reset', '--yes']]) {
    const { code, stderr } = await runCli(args, env);
    assert.deepEqual([code, stderr], [1, 'There is no demo data in live mode.\n']);
  }
  await stopServices(service);

  const modeError =
    'This database was set up in live mode and cannot be used in sandbox mode. Set SEMANA_MODE, or DATABASE_URL to another database.\n';
  assert.equal(await startRefused({ DATABASE_URL }), modeError);
  for (const args of [['demo'], ['demo', '--reset', '--yes'], ['token-key', 'list']]) {
    const { code, stderr } = await runCli(args, { DATABASE_URL });
    assert.deepEqual(
      [code, stderr],
      [1, modeError],
      `semana ${args.join(' ')}: no sandbox key is written to a live database`,
    );
  }
  const keys = await query(DATABASE_URL, 'select 1 from api_keys');
  assert.equal(keys.length, 2, 'the key of the admin and the key of the partner');
});

test('two nodes that start concurrently on an empty database both run, and the demo data exists once', async () => {
  const DATABASE_URL = await createUnmigratedDatabase();
  const nodes = await Promise.all([1, 2].map(() => launchService({ DATABASE_URL })).map(waitForBanner));
  for (const node of nodes) {
    const { pagination } = (await (await get(node, '/public/merchants')).json()) as {
      pagination: { total: number };
    };
    assert.equal(pagination.total, DEMO_MERCHANTS);
  }
  const counts = await query(
    DATABASE_URL,
    `select (select count(*)::int from partners) as partners, (select count(*)::int from api_keys) as keys,
            (select count(*)::int from faq_entries) as faq, (select count(*)::int from installation) as installations`,
  );
  // The counts of the demo data.
  assert.deepEqual(counts, [{ partners: 4, keys: 5, faq: 43, installations: 1 }]);

  await query(DATABASE_URL, `update merchants set name = 'Nos dois' where slug = 'farmacia-sao-jocundo'`);
  for (const node of nodes) {
    await eventually('both nodes show a change', async () =>
      (await (await get(node, '/public/merchants/farmacia-sao-jocundo')).text()).includes('Nos dois'),
    );
  }
  await stopServices(...nodes);
});

test('occupied ports are reported together, each with its setting', async () => {
  const DATABASE_URL = await createDemoDatabase();
  const names = ['PORT', 'STAFF_PORT', 'PSP_PORT'] as const;
  const blockingServers = names.map(() => createServer((socket) => socket.destroy()));
  const ports = (await Promise.all(blockingServers.map(listenOnFreePort))).map(String);
  const portSettings = Object.fromEntries(names.map((name, i) => [name, ports[i]!]));
  assert.equal(
    await startRefused({ DATABASE_URL, ...portSettings }),
    `${names.map((name, i) => `${name} (127.0.0.1:${ports[i]})`).join(' and ')} are in use by another program. ` +
      'Stop it, or set PORT and STAFF_PORT and PSP_PORT to another port.\n',
  );
  assert.equal(
    await startRefused({ DATABASE_URL, PSP_PORT: portSettings.PSP_PORT! }),
    `PSP_PORT (127.0.0.1:${portSettings.PSP_PORT}) is in use by another program. Stop it, or set PSP_PORT to another port.\n`,
  );
  for (const server of blockingServers) server.close();
});

test('only migrate changes the schema: other commands name the command to run, and check the mode first', {
  skip: skipWithoutOpenssl,
}, async () => {
  const DATABASE_URL = await createUnmigratedDatabase();
  const listTables = () => query(DATABASE_URL, `select 1 from pg_tables where schemaname = 'public'`);
  for (const args of [['demo'], ['token-key', 'list'], ['audit']]) {
    const { code, stderr } = await runCli(args, { DATABASE_URL });
    assert.deepEqual([code, stderr], [1, `This database is not set up. Run 'semana migrate' first.\n`]);
  }
  assert.deepEqual(await listTables(), []);

  assert.equal((await runCli(['migrate'], { DATABASE_URL })).code, 0);
  assert.equal((await runCli(['demo'], { DATABASE_URL })).code, 0);
  // The state after an update of the program, before its migrations were run.
  const [lastMigration] = await query<{ name: string }>(
    DATABASE_URL,
    'delete from schema_migrations where name = (select max(name) from schema_migrations) returning name',
  );
  const outdatedOutcome = await runCli(['token-key', 'list'], { DATABASE_URL });
  assert.deepEqual(
    [outdatedOutcome.code, outdatedOutcome.stderr],
    [
      1,
      `This database is older than this release: ${lastMigration!.name} is missing. Run 'semana migrate' first.\n`,
    ],
  );
  // 'semana demo' has filled the database in sandbox mode, so it must never be used in live mode.
  for (const args of [['migrate'], ['token-key', 'list']]) {
    const { code, stderr } = await runCli(args, { ...LIVE_SETTINGS, DATABASE_URL });
    assert.equal(code, 1);
    assert.match(stderr, /^This database was set up in sandbox mode and cannot be used in live mode\./);
  }
  assert.match(
    await startRefused({ ...LIVE_SETTINGS, DATABASE_URL, DATA_DIR: createDataDir() }),
    /^This database was set up in sandbox mode and cannot be used in live mode\./,
  );
  const names = await query<{ name: string }>(DATABASE_URL, 'select name from schema_migrations');
  assert.ok(!names.some(({ name }) => name === lastMigration!.name), 'nothing was migrated');
});

test('a database that was migrated in live mode stays live, even if it has served no request', {
  skip: skipWithoutOpenssl,
}, async () => {
  const DATABASE_URL = await createUnmigratedDatabase();
  assert.equal((await runCli(['migrate'], { ...LIVE_SETTINGS, DATABASE_URL })).code, 0);
  for (const args of [['migrate'], ['demo']]) {
    const { code, stderr } = await runCli(args, { DATABASE_URL });
    assert.equal(code, 1);
    assert.match(stderr, /^This database was set up in live mode and cannot be used in sandbox mode\./);
  }
});

test('an unusable database is explained without a stack or the password, by start and by commands', async () => {
  const server = new URL(process.env.TEST_DATABASE_URL!);
  const buildServerUrl = (parts: {
    password?: string;
    port?: string;
    hostname?: string;
    pathname?: string;
  }) => Object.assign(new URL(server), parts).href;
  const port = await findFreePort();
  const cases: Array<[url: string, expectedError: RegExp, options?: { isStartTested: true }]> = [
    [buildServerUrl({ port: String(port), password: 'geheim' }), /ECONNREFUSED 127\.0\.0\.1:\d+/],
    [buildServerUrl({ port: String(port), password: 'geheim', hostname: 'localhost' }), /ECONNREFUSED/],
    [buildServerUrl({ password: 'geheim' }), /password authentication failed/, { isStartTested: true }],
    [buildServerUrl({ pathname: '/nowhere' }), /database "nowhere" does not exist/],
  ];
  for (const [DATABASE_URL, expectedError, options] of cases) {
    const commandOutcome = await runCli(['audit'], { DATABASE_URL });
    assert.equal(commandOutcome.code, 1);
    const startErrors = options?.isStartTested ? [await startRefused({ DATABASE_URL })] : [];
    for (const text of [commandOutcome.stderr, ...startErrors]) {
      assert.match(text, expectedError);
      assert.match(text, /DATABASE_URL/);
      assert.ok(!text.includes('geheim') && !text.includes(server.password), text);
      assert.equal(text.trim().split('\n').length, 1, text);
    }
  }
});

test('an error about an unknown host names the host and the settings that may contain it', () => {
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
  const DATABASE_URL = await createUnmigratedDatabase();
  const role = `role_${new URL(DATABASE_URL).pathname.slice(1)}`;
  await query(DATABASE_URL, `create role ${role} login password 'geheim'`);
  const url = Object.assign(new URL(DATABASE_URL), { username: role, password: 'geheim' }).href;
  assert.equal(
    await startRefused({ DATABASE_URL: url }),
    'The database cannot be used: permission denied for schema public. Check DATABASE_URL.\n',
  );
  await query(DATABASE_URL, `drop role ${role}`);
});

const oldNode = findOldNode();
test('an old Node starts the Node of the project and forwards signals and exit codes', {
  skip: !oldNode && 'every Node on this machine is new enough',
}, async () => {
  const program = [oldNode!, join(PROJECT, 'bin/semana.js')];
  const help = await startProgram([...program, 'keys', 'create', '--help']).outcome;
  assert.equal(help.code, 0, help.stderr);
  assert.match(help.stdout, /^semana keys create: /);
  assert.equal((await startProgram([...program, 'bogus']).outcome).code, 2);

  const service = await startService({ DATABASE_URL: await createUnmigratedDatabase() }, [
    ...program,
    'start',
  ]);
  assert.equal((await get(service, '/public/categories')).status, 200);
  await stopServices(service);
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
