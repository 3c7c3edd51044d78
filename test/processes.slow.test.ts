import assert from 'node:assert/strict';
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readPostmasterFile } from '#platform/postgres/processes.ts';
import { buildDatabaseUrl } from '#platform/postgres/server.ts';
import { eventually } from './harness.ts';
import {
  createDataDir,
  isAlive,
  launchService,
  runSemana,
  type ServiceProcess,
  startProgram,
  startService,
  waitForOutput,
} from './processes.ts';
import { query } from './query.ts';
import { findPostmasterPid } from './support/postgres.ts';

// The service as operators run it, with its embedded PostgreSQL. The tests use one data directory, each after the other.

const DATA_DIR = createDataDir();
const KEY_HEADER = { 'x-api-key': 'sandbox-demo-key' };
/** The running service. The first test starts it; tests that stop it start another. */
let service: ServiceProcess;

/** Builds the URL of the embedded database for other processes. */
async function buildEmbeddedUrl(dataDir: string): Promise<string> {
  const cluster = realpathSync(join(dataDir, 'postgres'));
  const file = await readPostmasterFile(cluster);
  assert.ok(file !== null && file !== 'incomplete');
  const password = await readFile(join(cluster, 'semana-password'), 'utf8');
  return buildDatabaseUrl(file.port, password.trim(), 'semana');
}

let leadCount = 0;
/** The lead that was being created when the service was stopped. A later test checks that it is stored. */
let idOfLeadDuringStop = '';

/** Sends a lead from a new IP address, by X-Forwarded-For, because leads per IP address are limited. */
function postLead(url: string, name: string, agent?: Agent): Promise<{ status: number; id: string }> {
  const body = JSON.stringify({ kind: 'test', name, email: 'a@example.com' });
  return new Promise((resolve, reject) => {
    const ipAddress = `198.18.0.${leadCount++ % 256}`;
    const headers = { ...KEY_HEADER, 'content-type': 'application/json', 'x-forwarded-for': ipAddress };
    const leadRequest = request(
      `${url}/public/leads`,
      { method: 'POST', headers, ...(agent && { agent }) },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, id: JSON.parse(text).id }));
      },
    );
    leadRequest.on('error', reject);
    leadRequest.end(body);
  });
}

/** Blocks requests that create leads, by a lock on the table of fingerprints. Returns a function that removes the lock. */
async function lockLeads(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin; lock table lead_fingerprints in access exclusive mode');
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

const waitForLockWait = (url: string) =>
  eventually('the request waits for the lock', async () => {
    const waitingSessions = await query(url, `select 1 from pg_stat_activity where wait_event_type = 'Lock'`);
    return waitingSessions.length > 0;
  });

test('the first start reports its progress, then prints a banner with APIs, PSP simulator, documentation, database, keys and an example, all of which work', async () => {
  service = await startService({ DATA_DIR });
  const { banner, partnerUrl, staffUrl } = service;
  for (const line of [
    'Semana is running (sandbox)',
    `  Partners     ${partnerUrl}`,
    `  Staff        ${staffUrl}`,
    `  API docs     ${partnerUrl}/docs`,
    `  Database     embedded, data in ${DATA_DIR}`,
    `  PSP          ${staffUrl}/sandbox/psp (simulator: pay codes, inject faults)`,
    "  Online shop  http://localhost:3005 (example; start it with 'npm run shop')",
    '  Partner key  sandbox-demo-key',
    '  Operator key sandbox-operator-key',
    `  Try: curl -H 'x-api-key: sandbox-demo-key' '${partnerUrl}/public/merchants?q=farmacia&limit=3'`,
  ]) {
    assert.ok(banner.split('\n').includes(line), `${line} in ${banner}`);
  }
  assert.match(
    service.stdout(),
    /Creating a database in [\s\S]*\nMigrating the database \.\.\.\nWriting the demo data \.\.\.\nStarting the API servers \.\.\.\n/,
  );
  assert.equal(service.stderr(), '');
  for (const url of [
    `${staffUrl}/sandbox/psp`,
    `${partnerUrl}/docs`,
    `${partnerUrl}/healthz`,
    `${staffUrl}/healthz`,
    `${staffUrl}/readyz`,
  ]) {
    assert.equal((await fetch(url)).status, 200, url);
  }
  const [, line] = /Try: (curl .*)\n/.exec(banner)!;
  const curlOutcome = await startProgram(['/bin/sh', '-c', line!]).outcome;
  assert.equal(curlOutcome.code, 0, curlOutcome.stderr);
  const merchants = JSON.parse(curlOutcome.stdout);
  assert.equal(merchants.data.length, 3);
  assert.match(merchants.data[0].name, /^Farmácia/);
});

test('a second start on the same data directory names the process that uses it and exits; the first is not disturbed', async () => {
  const postmasterPid = await findPostmasterPid(DATA_DIR);
  const secondOutcome = await launchService({ DATA_DIR }).outcome;
  assert.equal(secondOutcome.code, 1);
  assert.equal(
    secondOutcome.stderr,
    `Another Semana (npm start, process ${service.child.pid}) is already using ${DATA_DIR}. ` +
      'Stop it first, or set DATA_DIR to another directory.\n',
  );
  assert.equal(secondOutcome.stdout, '');
  assert.equal(await findPostmasterPid(DATA_DIR), postmasterPid);
  assert.equal((await fetch(`${service.partnerUrl}/public/categories`, { headers: KEY_HEADER })).status, 200);
});

test('local commands work beside the running service, on the same embedded database', async () => {
  const postmasterPid = await findPostmasterPid(DATA_DIR);
  const exportOutcome = await runSemana(['export', 'categories'], { DATA_DIR });
  assert.equal(exportOutcome.code, 0, exportOutcome.stderr);
  assert.match(exportOutcome.stdout, /"slug":"padarias"/);
  assert.equal(await findPostmasterPid(DATA_DIR), postmasterPid);
  assert.equal((await fetch(`${service.partnerUrl}/public/categories`, { headers: KEY_HEADER })).status, 200);
});

test('SIGTERM: a running request gets its response, then the embedded server stops and the process exits', async () => {
  const url = await buildEmbeddedUrl(DATA_DIR);
  const postmasterPid = (await findPostmasterPid(DATA_DIR))!;
  const unlockLeads = await lockLeads(url);
  // A keep-alive connection must not keep the service from stopping.
  const agent = new Agent({ keepAlive: true });
  const pendingResponse = postLead(service.partnerUrl, 'Em voo', agent);
  await waitForLockWait(url);

  service.child.kill('SIGTERM');
  await eventually('no new connections are accepted', async () =>
    fetch(`${service.partnerUrl}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  assert.ok(
    isAlive(service.child.pid!) && isAlive(postmasterPid),
    'the service and its database wait for the request',
  );
  await unlockLeads();
  const { status, id } = await pendingResponse;
  assert.equal(status, 201);
  idOfLeadDuringStop = id;
  const { code, stdout, stderr } = await service.outcome;
  agent.destroy();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /SIGTERM: waiting for running requests\.\n/);
  assert.doesNotMatch(
    stdout,
    /change feed lost/,
    'the service closes its connections before the database server stops',
  );
  assert.equal(stderr, '');
  assert.ok(!isAlive(postmasterPid), 'the embedded server has stopped');
});

test('after kill -9 the next start takes over, and every lead that got a 201 is stored', async () => {
  service = await startService({ DATA_DIR, TRUST_PROXY: '127.0.0.1' });
  const { id: firstId } = await postLead(service.partnerUrl, 'Depois da parada');
  const url = await buildEmbeddedUrl(DATA_DIR);
  const leads = await query<{ id: string }>(url, 'select id from leads');
  assert.ok(
    leads.some(({ id }) => id === idOfLeadDuringStop),
    'the lead that was sent before the stop is stored, too',
  );

  const acceptedIds = [firstId];
  const load = (async () => {
    for (let i = 0; ; i++) acceptedIds.push((await postLead(service.partnerUrl, `Lead ${i}`)).id);
  })();
  await eventually('some leads were accepted', async () => acceptedIds.length > 20);
  service.child.kill('SIGKILL');
  await assert.rejects(load);
  await service.outcome;

  service = await startService({ DATA_DIR });
  const storedRows = await query<{ id: string }>(await buildEmbeddedUrl(DATA_DIR), 'select id from leads');
  const lostIds = acceptedIds.filter((id) => !storedRows.some((lead) => lead.id === id));
  assert.deepEqual(lostIds, []);
  // The same lead, sent again within ten minutes, gets the same id.
  assert.equal((await postLead(service.partnerUrl, 'Depois da parada')).id, firstId);
});

test('after kill -9 of the service and its database server the next start recovers automatically', async () => {
  const { id } = await postLead(service.partnerUrl, 'Queda de energia');
  const postmasterPid = (await findPostmasterPid(DATA_DIR))!;
  service.child.kill('SIGKILL');
  process.kill(postmasterPid, 'SIGKILL');
  await service.outcome;
  service = await startService({ DATA_DIR });
  const storedRows = await query(await buildEmbeddedUrl(DATA_DIR), `select 1 from leads where id = '${id}'`);
  assert.equal(storedRows.length, 1);
  assert.equal((await postLead(service.partnerUrl, 'Queda de energia')).id, id);
});

test('when the database server ends unexpectedly, the service exits with an error', async () => {
  process.kill((await findPostmasterPid(DATA_DIR))!, 'SIGQUIT');
  const { code, stdout } = await service.outcome;
  assert.equal(code, 1);
  assert.match(stdout, /the embedded PostgreSQL ended unexpectedly/);
});

test('SIGTERM to npm start: running requests finish, the server stops, npm exits', async () => {
  const npmService = await startService({ DATA_DIR }, ['npm', 'start']);
  const url = await buildEmbeddedUrl(DATA_DIR);
  const postmasterPid = (await findPostmasterPid(DATA_DIR))!;
  const unlockLeads = await lockLeads(url);
  const pendingResponse = postLead(npmService.partnerUrl, 'Por npm');
  await waitForLockWait(url);
  npmService.child.kill('SIGTERM');
  await eventually('the stop was reported', async () =>
    npmService.stdout().includes('SIGTERM: waiting for running requests.'),
  );
  await unlockLeads();
  assert.equal((await pendingResponse).status, 201);
  await npmService.outcome;
  await eventually('the embedded server has stopped', async () => !isAlive(postmasterPid));
});

test('local commands work without a service, and leave no database server behind', async () => {
  assert.equal(await findPostmasterPid(DATA_DIR), null);
  const exportOutcome = await runSemana(['export', 'categories'], { DATA_DIR });
  assert.equal(exportOutcome.code, 0, exportOutcome.stderr);
  assert.match(exportOutcome.stdout, /"slug":"padarias"/);
  assert.equal(await findPostmasterPid(DATA_DIR), null);
});

test('SIGTERM during the start leaves no database server behind', async () => {
  const newDataDir = createDataDir();
  // The first file exists before the cluster is created, the second once the database server starts.
  for (const startedFile of [join(newDataDir, 'postgres.log'), join(newDataDir, 'postgres/postmaster.pid')]) {
    const program = launchService({ DATA_DIR: newDataDir });
    while (!existsSync(startedFile) && isAlive(program.child.pid!)) await sleep(10);
    program.child.kill('SIGTERM');
    const { code, signal, stderr } = await program.outcome;
    assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' });
    assert.equal(await findPostmasterPid(newDataDir), null);
  }
  const nextService = await startService({ DATA_DIR: newDataDir });
  assert.equal(
    (await fetch(`${nextService.partnerUrl}/public/categories`, { headers: KEY_HEADER })).status,
    200,
  );
  nextService.child.kill('SIGINT');
  assert.equal((await nextService.outcome).code, 0, 'SIGINT ends the service like SIGTERM');
});

test('with --json a start prints one line with URLs, ports and demo keys; two sandboxes can run in parallel', async () => {
  const startSandbox = () =>
    launchService({ DATA_DIR: createDataDir(), WEB_PORT: '0' }, [
      process.execPath,
      'bin/semana.js',
      'start',
      '--json',
    ]);
  for (const program of [startSandbox(), startSandbox()]) {
    const { mode, addresses, ports, keys } = JSON.parse(await waitForOutput(program, /^\{"mode".*\}$/m));
    assert.equal(mode, 'sandbox');
    assert.equal(ports.partner, Number(new URL(addresses.partner).port));
    const headers = { 'x-api-key': keys.partner };
    assert.equal((await fetch(`${addresses.partner}/events`, { headers })).status, 200);
    const offer = await fetch(`${addresses.partner}/merchant/offers`, {
      method: 'POST',
      headers: { 'x-api-key': keys.merchant, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 50, installments: 2 }),
    });
    const { origin, port } = new URL(((await offer.json()) as { link: string }).link);
    assert.ok(
      Object.values(ports).includes(Number(port)),
      `the link of an offer leads to the site: ${origin}`,
    );
    program.child.kill('SIGTERM');
    assert.equal((await program.outcome).code, 0);
  }
});
