import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database/db.ts';
import { commandLine } from '../commands.ts';
import { eventually, openService } from '../harness.ts';
import { openPixShop } from '../pix-shop.ts';
import { query } from '../processes.ts';
import type { Shopper } from '../shop.ts';

// Servers of the cluster are killed. Run alone, by npm run test:citus.

const coordinator = process.env.CITUS_URL!;
const service = await openService();
const pixShop = openPixShop(service);
// Without a checkpoint after the database was copied, sequences go back when the server crashes.
await query(coordinator, 'checkpoint');
const ask = async (shopper: Shopper, path: string) =>
  service.get(path, { token: await pixShop.createToken(shopper) });

/** The port of the worker that is killed. */
const WORKER = '9702';
const worker = () => Object.assign(new URL(coordinator), { port: WORKER }).href;
const dataDir = async (url: string) =>
  (await query<{ data_directory: string }>(url, 'show data_directory'))[0]!.data_directory;
const kill = (directory: string) =>
  process.kill(Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
const untilDown = () =>
  eventually('it is down', () =>
    query(worker(), 'select 1').then(
      () => false,
      () => true,
    ),
  );
const startAgain = (directory: string) =>
  execFileSync(join(import.meta.dirname, 'cluster.sh'), ['up', dirname(directory)]);
const whenServed = () =>
  eventually('it is ready', async () => (await service.staff('GET', '/readyz')).status === 200);

test('if the coordinator dies after its commit and before those of the workers, the purchase exists once, and the audit finds no mismatch', async () => {
  const customer = await pixShop.newShopper();
  const directory = await dataDir(coordinator);
  // A commit now stops when it is on the coordinator's disk and the workers have only prepared it.
  await query(coordinator, `alter system set synchronous_standby_names = 'nobody'`);
  await query(coordinator, 'select pg_reload_conf()');
  await eventually('commits wait', async () => {
    query(coordinator, `select pg_logical_emit_message(true, 'a commit', '')`).catch(() => undefined); // dies waiting
    const waiting = `select from pg_stat_activity where wait_event = 'SyncRep'`;
    return (await query(coordinator, waiting)).length > 0;
  });
  // Not read until the next start.
  await query(coordinator, 'alter system reset synchronous_standby_names');
  const headers = { 'idempotency-key': 'in the window' };
  const order = () => pixShop.requestCheckout(customer, {}, { headers }).catch(() => undefined);
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
  const repeatedResponse = await eventually('it is answered', async () => {
    const response = await order();
    return response?.status === 201 && response;
  });
  await eventually('the workers have committed', async () => {
    const { body } = await ask(customer, '/wallet/checkouts');
    return body.pagination?.total === 1 && body.data[0].hash === repeatedResponse.body.hash;
  });
  assert.deepEqual(await pixShop.listMismatches(), []);
});

type FeedEvent = { type: string; data: { checkout_hash?: string } };
/** The port of the worker that holds a customer. */
const homeOf = async (customerId: string): Promise<string> => {
  const row = await service.db.row<{ nodeport: number }>(sql`
    select nodeport from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('customers', ${customerId}::text)`);
  return String(row!.nodeport);
};

/** A customer on this worker, or on the other, with a purchase and a code to pay it. */
async function newDebtor(isOnWorker: boolean) {
  for (;;) {
    const shopper = await pixShop.newShopper();
    if (((await homeOf(shopper.id)) === WORKER) !== isOnWorker) continue;
    const { hash, installments } = await pixShop.sell(shopper, { terms: { cashback_percent: 5 } });
    return { shopper, hash, charge: await pixShop.createCharge(shopper, installments[0].id, 'settle') };
  }
}

test('while a worker is down, customers on other workers are served, their payments settle and partners get events; the rest settles when it is back', async () => {
  const directory = await dataDir(worker());
  const [away, here] = [await newDebtor(true), await newDebtor(false)];
  const tokenAway = await pixShop.createToken(away.shopper);
  const before = (await service.get('/events?limit=100')).body.after;
  kill(directory);
  await untilDown();

  assert.equal((await service.get('/wallet/checkouts', { token: tokenAway })).status, 503);
  // Both notices may come in one batch.
  const paid = await Promise.all([away, here].map(({ charge }) => pixShop.payCharge(charge.txid)));
  assert.equal(paid.length, 2);
  await pixShop.waitForStatus(here.shopper, here.charge.id, 'paid');
  const detail = await ask(here.shopper, `/wallet/checkouts/${here.hash}`);
  assert.deepEqual([detail.status, detail.body.status], [200, 'paid']);
  assert.equal((await ask(here.shopper, '/wallet/cashback/balance')).body.available, 5);
  // Logging in and buying as well.
  await pixShop.logIn(here.shopper);
  assert.equal((await pixShop.requestCheckout(here.shopper)).status, 201);
  await eventually('partners get their events', async () => {
    const { body } = await service.get(`/events?limit=100&after=${before}`);
    const types = body.data
      .filter((event: FeedEvent) => event.data.checkout_hash === here.hash)
      .map((event: FeedEvent) => event.type);
    return ['pix.paid', 'installment.paid', 'checkout.paid'].every((type) => types.includes(type));
  });
  assert.equal((await service.get('/wallet/checkouts', { token: tokenAway })).status, 503);
  // And a node that starts meanwhile serves them, too.
  const otherNode = await service.startNode();
  assert.equal(
    (await otherNode.get('/wallet/me', { token: await pixShop.createToken(here.shopper) })).status,
    200,
  );
  for (const node of [service, otherNode]) assert.equal((await node.staff('GET', '/readyz')).status, 200);

  startAgain(directory);
  await eventually('it is served again', async () => {
    return (await service.get('/wallet/checkouts', { token: tokenAway })).status === 200;
  });
  // By the sweep: the notice's own job waits longer after each failure.
  await service.db.run(sql`select 1 from graphile_worker.add_job('pix_sweep')`);
  await pixShop.waitForStatus(away.shopper, away.charge.id, 'paid');
  const { code, stdout } = await commandLine(['audit'], { DATABASE_URL: service.databaseUrl });
  assert.equal(code, 0, stdout);
  assert.match(stdout, /everything agrees/);
});

test('when a worker dies and returns, callers get 503 at worst, no restart is needed, and no acknowledged write is lost', async () => {
  const directory = await dataDir(worker());
  const customers = await Promise.all(Array.from({ length: 8 }, () => pixShop.newShopper()));
  const sold: string[] = [];
  const statuses = new Map<string, Set<number>>(customers.map(({ id }) => [id, new Set()]));
  let going = true;
  let down = false;
  const load = customers.map(async (customer) => {
    while (going) {
      const { status, body } = await pixShop.requestCheckout(customer, { amount: 10 });
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
    await eventually(
      'they are served again',
      async () => (await pixShop.requestCheckout(customer)).status === 201,
    );
  going = false;
  await Promise.all(load);
  const all = [...statuses.values()].flatMap((one) => [...one]);
  assert.deepEqual(
    [...new Set(all)].filter((status) => ![201, 503].includes(status)),
    [],
  );
  const storedRows = await service.db.rows<{ hash: string }>(sql`select hash from checkouts`);
  const hashes = new Set(storedRows.map(({ hash }) => hash));
  assert.deepEqual(
    sold.filter((hash) => !hashes.has(hash)),
    [],
  );
  assert.deepEqual(await pixShop.listMismatches(), []);
});
