import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseUnavailable, openDb, sql } from '#platform/database/db.ts';
import { runCli } from './commands.ts';
import { eventually } from './harness.ts';
import { createDataDir, startService } from './processes.ts';
import { query } from './query.ts';
import { BEHIND_PROXY, newIpAddressOptions } from './support/customers.ts';
import { findPostmasterPid, openTestPostgres, waitForProcessEnd } from './support/postgres.ts';

// The service on two PostgreSQL servers, a primary and a streaming replica: the primary dies, and the replica is promoted.

const settings = { max_connections: '100' };
const [primaryDir, replicaDir] = [createDataDir(), createDataDir()];
await (await openTestPostgres({ dataDir: primaryDir, settings })).stop();
mkdirSync(replicaDir, { recursive: true });
execFileSync('cp', ['-a', join(primaryDir, 'postgres'), replicaDir]);
const primary = await openTestPostgres({ dataDir: primaryDir, settings });
const { port, username, password } = new URL(primary.url);
writeFileSync(join(replicaDir, 'postgres/standby.signal'), '');
const replica = await openTestPostgres({
  dataDir: replicaDir,
  settings: {
    ...settings,
    primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)} application_name=replica`,
  },
});
// Synchronous replication from here on: no commit is acknowledged before the replica has it.
await query(primary.url, `alter system set synchronous_standby_names = 'replica'`);
await query(primary.url, 'select pg_reload_conf()');
await eventually('the replication is synchronous', async () => {
  const rows = await query(primary.url, `select from pg_stat_replication where sync_state = 'sync'`);
  return rows.length === 1;
});

/** A URL with both servers. The replica is first, because their order does not matter. */
const urlOfBothServers = Object.assign(new URL(replica.url), { pathname: '/semana' }).href.replace(
  /(:\d+)\//,
  `$1,127.0.0.1:${port}/`,
);

test('a replica is refused with an explanation, by the service and by commands, and is never written to', async () => {
  const { code, stderr } = await runCli(['migrate'], { DATABASE_URL: replica.url });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /127\.0\.0\.1:\d+ is read-only: it is a replica, or configured as read-only\. Set DATABASE_URL to/,
  );
  assert.doesNotMatch(stderr, /\n {4}at /);
  const db = openDb({ url: replica.url, poolSize: 1, applicationName: 'test' });
  await assert.rejects(
    db.run(sql`select 1`),
    (error) =>
      (error as DatabaseUnavailable).reason === '25006' &&
      /is read-only/.test(String((error as Error).cause)),
  );
  await db.close();
});

test('if the primary dies under load, nodes become not ready, then use the promoted replica without a restart, and no committed data is lost', async () => {
  const service = await startService({ DATABASE_URL: urlOfBothServers, ...BEHIND_PROXY.env });
  assert.match(service.banner, new RegExp(`Database +127\\.0\\.0\\.1:\\d+, 127\\.0\\.0\\.1:${port}`));
  const acknowledgedIds: string[] = [];
  const statuses = new Set<number>();
  const postLead = async () => {
    const body = JSON.stringify({
      kind: 'contact',
      name: 'Ada',
      email: `${randomUUID()}@example.com`,
    });
    const headers = {
      'x-api-key': 'sandbox-demo-key',
      'content-type': 'application/json',
      ...newIpAddressOptions().headers,
    };
    const response = await fetch(`${service.partnerUrl}/public/leads`, { method: 'POST', headers, body });
    statuses.add(response.status);
    const { id } = (await response.json()) as { id: string };
    if (response.status === 201) acknowledgedIds.push(id);
    return response.status;
  };
  const readReadiness = async () => (await fetch(`${service.staffUrl}/readyz`)).status;
  let isLoadRunning = true;
  const load = Array.from({ length: 6 }, async () => {
    while (isLoadRunning) {
      await postLead();
      await sleep(10);
    }
  });
  await eventually('leads are stored', async () => acknowledgedIds.length > 50);

  const pid = (await findPostmasterPid(primaryDir))!;
  process.kill(pid, 'SIGQUIT');
  await waitForProcessEnd(pid);
  const countBefore = acknowledgedIds.length;
  await eventually('the service is not ready', async () => (await readReadiness()) === 503);
  await eventually('no lead is stored', async () => (await postLead()) === 503);
  await query(replica.url, 'select pg_promote()');
  await eventually('the service is ready again', async () => (await readReadiness()) === 200);
  await eventually('leads are stored again', async () => acknowledgedIds.length > countBefore + 50);
  isLoadRunning = false;
  await Promise.all(load);

  assert.deepEqual([...statuses].sort(), [201, 503]);
  const storedRows = await query<{ id: string }>(replica.url, 'select id from leads');
  const storedIds = new Set(storedRows.map(({ id }) => id));
  assert.deepEqual(
    acknowledgedIds.filter((id) => !storedIds.has(id)),
    [],
    'every acknowledged lead is stored',
  );
  // Jobs and the change feed use the new primary, too.
  await query(replica.url, `select graphile_worker.add_job('pix_reconcile', job_key => 'after')`);
  await eventually('jobs are done', async () => {
    return (await query(replica.url, `select from graphile_worker.jobs where key = 'after'`)).length === 0;
  });
  await query(
    replica.url,
    `update faq_entries set question = 'Promoted?' where id = (select min(id) from faq_entries)`,
  );
  await eventually('the change feed reports a change', async () => {
    const response = await fetch(`${service.partnerUrl}/public/faq`, {
      headers: { 'x-api-key': 'sandbox-demo-key' },
    });
    return (await response.text()).includes('Promoted?');
  });
  const metrics = await (await fetch(`${service.staffUrl}/metrics`)).text();
  assert.doesNotMatch(metrics, /uncaught_errors_total\{kind="\w+"\} [1-9]/, service.stdout());
  service.child.kill('SIGTERM');
  assert.equal((await service.outcome).code, 0);
  await replica.stop();
});
