import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/db.ts';
import { eventually, openService } from '../harness.ts';
import { query } from '../processes.ts';
import { openShop } from '../shop.ts';

// Servers of the cluster are killed. Run alone, by npm run test:citus.

const coordinator = process.env.CITUS_URL!;
const service = await openService();
const shop = openShop(service);

const worker = () => Object.assign(new URL(coordinator), { port: '9702' }).href;
const dataDir = async (url: string) =>
  (await query<{ data_directory: string }>(url, 'show data_directory'))[0]!.data_directory;
const kill = (directory: string) =>
  process.kill(Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
const startAgain = (directory: string) =>
  execFileSync(join(import.meta.dirname, 'cluster.sh'), ['up', dirname(directory)]);
const whenServed = () =>
  eventually('it is ready', async () => (await service.staff('GET', '/readyz')).status === 200);

test('the coordinator dies after its commit and before those of the workers: the purchase is there once, and the books agree', async () => {
  const customer = await shop.newShopper();
  const directory = await dataDir(coordinator);
  // A commit now stops where it is on the coordinator's disk and the workers are only prepared for it.
  await query(coordinator, `alter system set synchronous_standby_names = 'nobody'`);
  await query(coordinator, 'select pg_reload_conf()');
  // Not read until the next start.
  await query(coordinator, 'alter system reset synchronous_standby_names');
  const headers = { 'idempotency-key': 'in the window' };
  const order = () => shop.order(customer, {}, { headers }).catch(() => undefined);
  const first = order();
  const database = new URL(service.databaseUrl).pathname.slice(1);
  await eventually('a worker is prepared', async () => {
    const counts = await query<{ result: string }>(
      coordinator,
      `select result from run_command_on_workers(
         'select count(*) from pg_prepared_xacts where database = ''${database}''')`,
    );
    return counts.some(({ result }) => Number(result) > 0);
  });
  kill(directory);
  assert.notEqual((await first)?.status, 201);
  await sleep(500); // it takes a moment to end
  startAgain(directory);
  await whenServed();
  const again = await eventually('it is answered', async () => {
    const answer = await order();
    return answer?.status === 201 && answer;
  });
  await eventually('the workers have committed', async () => {
    const { body } = await shop.ask(customer, '/wallet/checkouts');
    return body.pagination?.total === 1 && body.data[0].hash === again.body.hash;
  });
  assert.deepEqual(await shop.disagreements(), []);
});

test('a worker dies and comes back: nobody gets worse than 503 meanwhile, nothing needs a restart, and nothing acknowledged is lost', async () => {
  const directory = await dataDir(worker());
  const customers = await Promise.all(Array.from({ length: 8 }, () => shop.newShopper()));
  const sold: string[] = [];
  const statuses = new Map<string, Set<number>>(customers.map(({ id }) => [id, new Set()]));
  let going = true;
  let down = false;
  const load = customers.map(async (customer) => {
    while (going) {
      const { status, body } = await shop.order(customer, { amount: 10 });
      if (down) statuses.get(customer.id)!.add(status);
      if (status === 201) sold.push(body.hash);
      await sleep(20);
    }
  });
  await eventually('there are sales', async () => sold.length > 16);
  kill(directory);
  await sleep(500); // what was under way ends
  down = true;
  await eventually('some are refused', async () => [...statuses.values()].some((one) => one.has(503)));
  down = false;
  startAgain(directory);
  for (const customer of customers)
    await eventually('they are served again', async () => (await shop.order(customer)).status === 201);
  going = false;
  await Promise.all(load);
  const all = [...statuses.values()].flatMap((one) => [...one]);
  assert.deepEqual(
    [...new Set(all)].filter((status) => ![201, 503].includes(status)),
    [],
  );
  const kept = await service.db.rows<{ hash: string }>(sql`select hash from checkouts`);
  const hashes = new Set(kept.map(({ hash }) => hash));
  assert.deepEqual(
    sold.filter((hash) => !hashes.has(hash)),
    [],
  );
  assert.deepEqual(await shop.disagreements(), []);
});
