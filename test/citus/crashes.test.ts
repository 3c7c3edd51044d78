import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database/db.ts';
import { runCli } from '../commands.ts';
import { enqueueTask, eventually, openService } from '../harness.ts';
import { createPixDriver } from '../pix-driver.ts';
import type { TestCustomer } from '../purchase-driver.ts';
import { query } from '../query.ts';
import { waitForProcessEnd } from '../support/postgres.ts';

// Kills servers of the cluster, so npm run test:citus runs this file alone.

const coordinator = process.env.CITUS_URL!;
const service = await openService();
const pixDriver = createPixDriver(service);
// Without a checkpoint after the database was copied, a crash of the server would set the sequences back.
await query(coordinator, 'checkpoint');
const getAsCustomer = async (customer: TestCustomer, path: string) =>
  service.get(path, { token: await pixDriver.createToken(customer) });

/** The port of the worker that is killed. */
const WORKER_PORT = '9702';
const buildWorkerUrl = () => Object.assign(new URL(coordinator), { port: WORKER_PORT }).href;
const readDataDir = async (url: string) =>
  (await query<{ data_directory: string }>(url, 'show data_directory'))[0]!.data_directory;
/** Kills a server, and waits until its process has ended. */
async function killServer(directory: string): Promise<void> {
  const pid = Number.parseInt(readFileSync(join(directory, 'postmaster.pid'), 'utf8'), 10); // its first line
  process.kill(pid, 'SIGQUIT');
  await waitForProcessEnd(pid);
}
const waitUntilWorkerIsDown = () =>
  eventually('the worker is down', () =>
    query(buildWorkerUrl(), 'select 1').then(
      () => false,
      () => true,
    ),
  );
const restartServer = (directory: string) =>
  execFileSync(join(import.meta.dirname, 'cluster.sh'), ['up', dirname(directory)]);
const waitUntilReady = () =>
  eventually('the service is ready', async () => (await service.staff('GET', '/readyz')).status === 200);

test('if the coordinator dies after it has committed and before the workers commit, the purchase exists once, and the audit finds no mismatch', async () => {
  const customer = await pixDriver.createCustomer();
  const directory = await readDataDir(coordinator);
  // From now on a commit waits when the coordinator has written it to disk and the workers have only prepared it.
  await query(coordinator, `alter system set synchronous_standby_names = 'nobody'`);
  await query(coordinator, 'select pg_reload_conf()');
  await eventually('commits wait', async () => {
    // Not awaited: this commit waits until the server is killed, and then fails.
    query(coordinator, `select pg_logical_emit_message(true, 'a commit', '')`).catch(() => undefined);
    const waitingSessions = `select from pg_stat_activity where wait_event = 'SyncRep'`;
    return (await query(coordinator, waitingSessions)).length > 0;
  });
  // The reset takes effect at the next start.
  await query(coordinator, 'alter system reset synchronous_standby_names');
  const headers = { 'idempotency-key': 'in the window' };
  const requestPurchase = () => pixDriver.requestCheckout(customer, {}, { headers }).catch(() => undefined);
  const firstRequest = requestPurchase();
  const database = new URL(service.databaseUrl).pathname.slice(1);
  await eventually('a worker has prepared the commit', async () => {
    const counts = await query<{ result: string }>(
      coordinator,
      `select result from run_command_on_workers(
         'select count(*) from pg_prepared_xacts where database = ''${database}''')`,
    );
    return counts.some(({ result }) => Number(result) > 0);
  });
  await killServer(directory);
  assert.notEqual((await firstRequest)?.status, 201);
  restartServer(directory);
  await waitUntilReady();
  const repeatedResponse = await eventually('the purchase is created', async () => {
    const response = await requestPurchase();
    return response?.status === 201 && response;
  });
  await eventually('the workers have committed', async () => {
    const { body } = await getAsCustomer(customer, '/wallet/checkouts');
    return body.pagination?.total === 1 && body.data[0].hash === repeatedResponse.body.hash;
  });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

type FeedEvent = { type: string; data: { checkout_hash?: string } };
/** Finds the port of the worker that stores a customer. */
const findWorkerPort = async (customerId: string): Promise<string> => {
  const row = await service.db.row<{ nodeport: number }>(sql`
    select nodeport from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('customers', ${customerId}::text)`);
  return String(row!.nodeport);
};

/** Creates a customer, on the worker that is killed or on another one, with a purchase and a charge. */
async function newDebtor({ isOnKilledWorker }: { isOnKilledWorker: boolean }) {
  for (;;) {
    const customer = await pixDriver.createCustomer();
    if (((await findWorkerPort(customer.id)) === WORKER_PORT) !== isOnKilledWorker) continue;
    const { hash, installments } = await pixDriver.sell(customer, { terms: { cashback_percent: 5 } });
    return { customer, hash, charge: await pixDriver.createCharge(customer, installments[0].id, 'settle') };
  }
}

test('while a worker is down, customers on other workers are served, their payments settle and partners get events; other payments settle when the worker is back', async () => {
  const directory = await readDataDir(buildWorkerUrl());
  const debtorOnKilledWorker = await newDebtor({ isOnKilledWorker: true });
  const debtorOnOtherWorker = await newDebtor({ isOnKilledWorker: false });
  const tokenOnKilledWorker = await pixDriver.createToken(debtorOnKilledWorker.customer);
  const cursorBefore = (await service.get('/events?limit=100')).body.after;
  await killServer(directory);
  await waitUntilWorkerIsDown();

  assert.equal((await service.get('/wallet/checkouts', { token: tokenOnKilledWorker })).status, 503);
  // Both callbacks may be processed in one batch: the payment on the killed worker must not prevent the other one.
  await Promise.all(
    [debtorOnKilledWorker, debtorOnOtherWorker].map(({ charge }) => pixDriver.payCharge(charge.txid)),
  );
  await pixDriver.waitForStatus(debtorOnOtherWorker.customer, debtorOnOtherWorker.charge.id, 'paid');
  const checkout = await getAsCustomer(
    debtorOnOtherWorker.customer,
    `/wallet/checkouts/${debtorOnOtherWorker.hash}`,
  );
  assert.deepEqual([checkout.status, checkout.body.status], [200, 'paid']);
  assert.equal(
    (await getAsCustomer(debtorOnOtherWorker.customer, '/wallet/cashback/balance')).body.available,
    5,
  );
  // This customer can also log in and buy.
  await pixDriver.logIn(debtorOnOtherWorker.customer);
  assert.equal((await pixDriver.requestCheckout(debtorOnOtherWorker.customer)).status, 201);
  await eventually('partners get their events', async () => {
    const { body } = await service.get(`/events?limit=100&after=${cursorBefore}`);
    const types = body.data
      .filter((event: FeedEvent) => event.data.checkout_hash === debtorOnOtherWorker.hash)
      .map((event: FeedEvent) => event.type);
    return ['pix.paid', 'installment.paid', 'checkout.paid'].every((type) => types.includes(type));
  });
  assert.equal((await service.get('/wallet/checkouts', { token: tokenOnKilledWorker })).status, 503);
  // A node that starts while the worker is down serves this customer, too.
  const otherNode = await service.startNode();
  assert.equal(
    (await otherNode.get('/wallet/me', { token: await pixDriver.createToken(debtorOnOtherWorker.customer) }))
      .status,
    200,
  );
  for (const node of [service, otherNode]) assert.equal((await node.staff('GET', '/readyz')).status, 200);

  restartServer(directory);
  await eventually('customers on the worker are served again', async () => {
    return (await service.get('/wallet/checkouts', { token: tokenOnKilledWorker })).status === 200;
  });
  // The sweep settles the payment, because the job of the callback waits longer after each failure.
  await enqueueTask(service, 'pix_sweep');
  await pixDriver.waitForStatus(debtorOnKilledWorker.customer, debtorOnKilledWorker.charge.id, 'paid');
  const { code, stdout } = await runCli(['audit'], { DATABASE_URL: service.databaseUrl });
  assert.equal(code, 0, stdout);
  assert.match(stdout, /everything agrees/);
});

test('when a worker dies and returns, callers get 503 at worst, no restart is needed, and no acknowledged write is lost', async () => {
  const directory = await readDataDir(buildWorkerUrl());
  const customers = await Promise.all(Array.from({ length: 8 }, () => pixDriver.createCustomer()));
  const soldHashes: string[] = [];
  /** The statuses of the responses to each customer while the worker is down. */
  const statuses = new Map<string, Set<number>>(customers.map(({ id }) => [id, new Set()]));
  let isLoadRunning = true;
  let isDown = false;
  const load = customers.map(async (customer) => {
    while (isLoadRunning) {
      const { status, body } = await pixDriver.requestCheckout(customer, { amount: 10 });
      if (isDown) statuses.get(customer.id)!.add(status);
      if (status === 201) soldHashes.push(body.hash);
      await sleep(20);
    }
  });
  await eventually('there are sales', async () => soldHashes.length > 16);
  await killServer(directory);
  await sleep(500); // running requests end
  isDown = true;
  await eventually('some requests are refused', async () =>
    [...statuses.values()].some((statusesOfCustomer) => statusesOfCustomer.has(503)),
  );
  isDown = false;
  restartServer(directory);
  for (const customer of customers)
    await eventually(
      'every customer is served again',
      async () => (await pixDriver.requestCheckout(customer)).status === 201,
    );
  isLoadRunning = false;
  await Promise.all(load);
  const allStatuses = [...statuses.values()].flatMap((statusesOfCustomer) => [...statusesOfCustomer]);
  assert.deepEqual(
    [...new Set(allStatuses)].filter((status) => ![201, 503].includes(status)),
    [],
  );
  const storedRows = await service.db.rows<{ hash: string }>(sql`select hash from checkouts`);
  const hashes = new Set(storedRows.map(({ hash }) => hash));
  assert.deepEqual(
    soldHashes.filter((hash) => !hashes.has(hash)),
    [],
  );
  assert.deepEqual(await pixDriver.listMismatches(), []);
});
