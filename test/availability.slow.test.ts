import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database/db.ts';
import { openLink } from './database-link.ts';
import { eventually, openService } from './harness.ts';
import { createDataDir, startService } from './processes.ts';
import { query } from './query.ts';
import { BEHIND_PROXY, newIpAddressOptions } from './support/customers.ts';
import { openTestPostgres } from './support/postgres.ts';

// How the service behaves while its database is unreachable, and how it recovers.

const LEAD = { kind: 'contact', name: 'Away', email: 'away@example.com' };
const service = await openService(BEHIND_PROXY);

test('when packets are silently lost, every request gets a response, and new connections are used immediately', async () => {
  const link = await service.openLink();
  const node = await service.startNode({ link });
  const postLead = (i: number) =>
    node.post('/public/leads', { ...LEAD, name: `Lost ${i}` }, newIpAddressOptions());
  await Promise.all(Array.from({ length: 20 }, (_, i) => postLead(i)));

  // Existing connections lose all packets; new ones work.
  link.dropPackets();
  const pendingResponses = Array.from({ length: 30 }, (_, i) => postLead(i));
  assert.equal((await node.staff('GET', '/readyz')).status, 503);
  // Without timeouts these requests would never get a response.
  for (const { status } of await Promise.all(pendingResponses))
    assert.ok([201, 503].includes(status), `${status}`);
  // The node recovers automatically, without a request that uses the database.
  await eventually(
    'the node is ready again',
    async () => (await node.staff('GET', '/readyz')).status === 200,
  );
  assert.equal((await postLead(100)).status, 201);

  // New connections lose all packets, too.
  link.dropPackets({ includesNewConnections: true });
  for (const { status, headers } of await Promise.all(Array.from({ length: 30 }, (_, i) => postLead(i)))) {
    assert.equal(status, 503);
    assert.match(headers.get('retry-after')!, /^\d+$/);
  }
  assert.equal((await node.staff('GET', '/readyz')).status, 503);
  assert.equal((await node.get('/healthz')).status, 200);
  link.restore();
  await eventually('the node serves again', async () => (await postLead(101)).status === 201);
  await eventually(
    'the node is ready again',
    async () => (await node.staff('GET', '/readyz')).status === 200,
  );
});

test('503 with Retry-After for writes when the database has no disk, memory or connections left; nodes stay ready for reads', async () => {
  const node = await service.startNode();
  const statusByCode: Record<string, number> = {};
  // disk_full, out_of_memory, too_many_connections, cannot_connect_now, io_error
  for (const code of ['53100', '53200', '53300', '57P03', '58030']) {
    await service.db.run(sql`
      create function refuse() returns trigger language plpgsql as
      $$ begin raise exception using errcode = current_setting('test.code'), message = 'No.'; end $$`);
    await service.db.run(sql`
      create trigger refuse before insert on leads for each row execute function refuse()`);
    await query(service.databaseUrl, `alter function refuse() set test.code = '${code}'`);
    const { status, headers, body } = await node.post('/public/leads', { ...LEAD, name: code });
    statusByCode[code] = status;
    assert.equal(body.code, 'unavailable');
    assert.match(headers.get('retry-after')!, /^\d+$/);
    await service.db.run(sql`drop trigger refuse on leads`);
    await service.db.run(sql`drop function refuse()`);
  }
  assert.deepEqual(new Set(Object.values(statusByCode)), new Set([503]));
  const { status, body } = await node.staff('GET', '/readyz');
  assert.equal(status, 200);
  assert.deepEqual(body.checks, { accepting: true, database: true, change_feed: true, catalog: true });
  const metrics = (await node.staff('GET', '/metrics')).text;
  assert.match(metrics, /database_away_total\{reason="53100"\} 1/);
  await eventually('the node reports the database as writable again', async () => {
    const isWritable = (await node.staff('GET', '/readyz')).body.writable;
    return isWritable && /^database_writable 1$/m.test((await node.staff('GET', '/metrics')).text);
  });
});

test('a database that becomes read-only is never written to: nodes respond 503, are not ready until it is writable, and a metric reports it', async () => {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  const node = await service.startNode();
  const setReadOnly = async (value: 'on' | 'off') => {
    const server = process.env.TEST_DATABASE_URL!;
    await query(server, `alter database ${name} set default_transaction_read_only = ${value}`);
    await query(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'semana' and datname = '${name}'`,
    );
  };
  await setReadOnly('on');
  const refusedResponse = await eventually('the node has new connections', async () => {
    const response = await node.post('/public/leads', { ...LEAD, name: 'Read only' }, newIpAddressOptions());
    return node.readLog().includes('25006') && response; // read_only_sql_transaction
  });
  assert.equal(refusedResponse.status, 503);
  assert.equal(
    (await node.staff('GET', '/readyz')).status,
    503,
    'a node with a read-only database is not ready',
  );
  assert.match((await node.staff('GET', '/metrics')).text, /^database_writable 0$/m);
  await setReadOnly('off');
  await eventually('the node writes again', async () => {
    return (
      (await node.post('/public/leads', { ...LEAD, name: 'Written again' }, newIpAddressOptions())).status ===
      201
    );
  });
});

test('when database connections break and the database restarts under load, the process survives, returns 503 at worst, and recovers automatically', async () => {
  const dataDir = createDataDir();
  const startPostgres = () => openTestPostgres({ dataDir, settings: { max_connections: '100' } });
  let postgres = await startPostgres();
  const link = await openLink(postgres.url);
  const node = await startService({ DATABASE_URL: link.url, ...BEHIND_PROXY.env });
  const statuses = new Map<number, number>();
  let isLoadRunning = true;
  const postLead = async (name: string) => {
    const body = JSON.stringify({ ...LEAD, name });
    const headers = {
      'x-api-key': 'sandbox-demo-key',
      'content-type': 'application/json',
      ...newIpAddressOptions().headers,
    };
    const { status } = await fetch(`${node.partnerUrl}/public/leads`, { method: 'POST', headers, body });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return status;
  };
  const load = Array.from({ length: 8 }, async (_, i) => {
    for (let count = 0; isLoadRunning; count++) {
      await postLead(`Load ${i} ${count}`);
      await sleep(50);
    }
  });
  const breakAllConnections = () =>
    query(
      postgres.url,
      `select graphile_worker.add_job('pix_reconcile') from generate_series(1, 30);
       select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null`,
    );

  for (let round = 0; round < 15; round++) {
    await breakAllConnections();
    await sleep(100 + 300 * Math.random());
  }
  for (let round = 0; round < 2; round++) {
    await query(postgres.url, `select graphile_worker.add_job('pix_reconcile') from generate_series(1, 200)`);
    await postgres.stop();
    await sleep(500);
    postgres = await startPostgres();
    link.redirect(postgres.url);
    await eventually('the node serves again', async () => (await postLead('After a restart')) === 201);
  }
  isLoadRunning = false;
  await Promise.all(load);
  assert.equal(node.child.exitCode, null, node.stderr());
  assert.deepEqual(
    [...statuses.keys()].filter((status) => ![201, 503].includes(status)),
    [],
  );
  await eventually('the node is ready', async () => (await fetch(`${node.staffUrl}/readyz`)).status === 200);
  const metrics = await (await fetch(`${node.staffUrl}/metrics`)).text();
  assert.doesNotMatch(metrics, /uncaught_errors_total\{kind="\w+"\} [1-9]/, node.stdout());
  node.child.kill('SIGTERM');
  assert.equal((await node.outcome).code, 0);
  link.close();
  await postgres.stop();
});
