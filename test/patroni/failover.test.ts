import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from '../commands.ts';
import { type ApiResponse, openService } from '../harness.ts';
import { createPixDriver } from '../pix-driver.ts';
import type { TestCustomer } from '../purchase-driver.ts';
import { query } from '../query.ts';

// Kills the leader permanently. npm run test:patroni runs this file.

const service = await openService();
const pixDriver = createPixDriver(service);
// Without a checkpoint after the database was copied, the takeover by another server would set the sequences back.
await query(service.databaseUrl, 'checkpoint');
const refusedStatuses = new Set<number>();
let longestRequestMs = 0;

/** Retries a request until it is accepted, which an Idempotency-Key makes safe. Without a primary the response is 503. */
async function retryUntilAccepted(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const startedAtMs = performance.now();
  for (let retries = 0; ; retries++) {
    const response = await send();
    longestRequestMs = Math.max(longestRequestMs, performance.now() - startedAtMs);
    // A retry gets 409 if the simulated bank was paid and the response was lost.
    if (response.status < 300 || (retries > 0 && response.status === 409)) return response;
    refusedStatuses.add(response.status);
    assert.equal(response.status, 503, response.text);
    await sleep(100);
  }
}

type Purchase = { hash: string; chargeId: string };

/** Creates a purchase, requests a charge, and pays it. */
async function buyAndPay(customer: TestCustomer, number: number): Promise<Purchase> {
  const headers = { 'idempotency-key': `${customer.id} ${number}` };
  const checkoutResponse = await retryUntilAccepted(() =>
    pixDriver.requestCheckout(customer, { amount: 20 }, { headers }),
  );
  const { hash, installments } = checkoutResponse.body;
  const chargeResponse = await retryUntilAccepted(() =>
    pixDriver.requestCharge(customer, installments[0].id, { type: 'settle' }, { headers }),
  );
  await retryUntilAccepted(() =>
    pixDriver.callStaff('POST', `/sandbox/pix/${chargeResponse.body.txid}/pay`, {}),
  );
  return { hash, chargeId: chargeResponse.body.id };
}

test('if the leader dies while customers buy and pay, nodes respond 503 until another server is the leader, and every acknowledged write exists once and settles', async () => {
  const customers = await Promise.all(Array.from({ length: 4 }, () => pixDriver.createCustomer()));
  for (const customer of customers) await pixDriver.createToken(customer);
  const purchases = new Map<TestCustomer, Purchase[]>(customers.map((customer) => [customer, []]));
  const countPurchases = () => [...purchases.values()].reduce((sum, list) => sum + list.length, 0);
  let isLoadRunning = true;
  const load = customers.map(async (customer) => {
    for (let number = 0; isLoadRunning; number++)
      purchases.get(customer)!.push(await buyAndPay(customer, number));
  });
  const waitForPurchases = async (minCount: number) => {
    while (countPurchases() < minCount) await Promise.race([sleep(50), ...load]);
  };
  await waitForPurchases(20);
  const [setting] = await query<{ data_directory: string }>(service.databaseUrl, 'show data_directory');
  const killedLeader = execFileSync(join(import.meta.dirname, 'cluster.sh'), [
    'kill-leader',
    dirname(setting!.data_directory),
  ]);
  const countBefore = countPurchases();
  await waitForPurchases(countBefore + 20);
  isLoadRunning = false;
  await Promise.all(load);
  process.stdout.write(
    `${killedLeader.toString().trim()} killed: of ${countPurchases()} purchases one took ${(longestRequestMs / 1_000).toFixed(1)} s\n`,
  );
  assert.deepEqual([...refusedStatuses], [503]);

  await pixDriver.runJob('pix_reconcile');
  for (const [customer, ownPurchases] of purchases) {
    for (const { chargeId } of ownPurchases) await pixDriver.waitForStatus(customer, chargeId, 'paid');
    const token = await pixDriver.createToken(customer);
    const { body } = await service.get('/wallet/checkouts?status=paid&limit=100', { token });
    const hashes = body.data.map(({ hash }: Purchase) => hash);
    assert.deepEqual(hashes.toSorted(), ownPurchases.map(({ hash }) => hash).toSorted());
  }
  const { code, stdout } = await runCli(['audit'], { DATABASE_URL: service.databaseUrl });
  assert.equal(code, 0, stdout);
});
