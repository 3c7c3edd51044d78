import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from '../commands.ts';
import { type ApiResponse, openService } from '../harness.ts';
import { openPixShop } from '../pix-shop.ts';
import { query } from '../query.ts';
import type { Shopper } from '../shop.ts';

// Kills the leader permanently. npm run test:patroni runs this file.

const service = await openService();
const pixShop = openPixShop(service);
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
async function buyAndPay(shopper: Shopper, number: number): Promise<Purchase> {
  const headers = { 'idempotency-key': `${shopper.id} ${number}` };
  const checkoutResponse = await retryUntilAccepted(() =>
    pixShop.requestCheckout(shopper, { amount: 20 }, { headers }),
  );
  const { hash, installments } = checkoutResponse.body;
  const chargeResponse = await retryUntilAccepted(() =>
    pixShop.requestCharge(shopper, installments[0].id, { type: 'settle' }, { headers }),
  );
  await retryUntilAccepted(() =>
    pixShop.callStaff('POST', `/sandbox/pix/${chargeResponse.body.txid}/pay`, {}),
  );
  return { hash, chargeId: chargeResponse.body.id };
}

test('if the leader dies while customers buy and pay, nodes respond 503 until another server is the leader, and every acknowledged write exists once and settles', async () => {
  const shoppers = await Promise.all(Array.from({ length: 4 }, () => pixShop.newShopper()));
  for (const shopper of shoppers) await pixShop.createToken(shopper);
  const purchases = new Map<Shopper, Purchase[]>(shoppers.map((shopper) => [shopper, []]));
  const countPurchases = () => [...purchases.values()].reduce((sum, list) => sum + list.length, 0);
  let isLoadRunning = true;
  const load = shoppers.map(async (shopper) => {
    for (let number = 0; isLoadRunning; number++)
      purchases.get(shopper)!.push(await buyAndPay(shopper, number));
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

  await pixShop.runJob('pix_reconcile');
  for (const [shopper, ownPurchases] of purchases) {
    for (const { chargeId } of ownPurchases) await pixShop.waitForStatus(shopper, chargeId, 'paid');
    const token = await pixShop.createToken(shopper);
    const { body } = await service.get('/wallet/checkouts?status=paid&limit=100', { token });
    const hashes = body.data.map(({ hash }: Purchase) => hash);
    assert.deepEqual(hashes.toSorted(), ownPurchases.map(({ hash }) => hash).toSorted());
  }
  const { code, stdout } = await runCli(['audit'], { DATABASE_URL: service.databaseUrl });
  assert.equal(code, 0, stdout);
});
