import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../commands.ts';
import { type ApiResponse, openService } from '../harness.ts';
import { openPixShop } from '../pix-shop.ts';
import { query } from '../processes.ts';
import type { Shopper } from '../shop.ts';

// The leader is killed for good. Run by npm run test:patroni.

const service = await openService();
const pixShop = openPixShop(service);
// Without a checkpoint after the database was copied, sequences go back when another server takes over.
await query(service.databaseUrl, 'checkpoint');
const refused = new Set<number>();
let longestMs = 0;

/** Retries until it is accepted, which an Idempotency-Key makes safe. Without a primary the answer is 503. */
async function insist(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const startedMs = performance.now();
  for (let tries = 0; ; tries++) {
    const response = await send();
    longestMs = Math.max(longestMs, performance.now() - startedMs);
    // 409 on a retry: the simulated bank was paid and the answer was lost.
    if (response.status < 300 || (tries > 0 && response.status === 409)) return response;
    refused.add(response.status);
    assert.equal(response.status, 503, response.text);
    await sleep(100);
  }
}

type Bought = { hash: string; charge: string };

/** Buys, requests a code, and pays it. */
async function buyAndPay(shopper: Shopper, n: number): Promise<Bought> {
  const headers = { 'idempotency-key': `${shopper.id} ${n}` };
  const sale = await insist(() => pixShop.requestCheckout(shopper, { amount: 20 }, { headers }));
  const { hash, installments } = sale.body;
  const code = await insist(() =>
    pixShop.requestCharge(shopper, installments[0].id, { type: 'settle' }, { headers }),
  );
  await insist(() => pixShop.callStaff('POST', `/sandbox/pix/${code.body.txid}/pay`, {}));
  return { hash, charge: code.body.id };
}

test('if the leader dies while customers buy and pay, nodes respond 503 until another leads, and every acknowledged write exists once and settles', async () => {
  const shoppers = await Promise.all(Array.from({ length: 4 }, () => pixShop.newShopper()));
  for (const shopper of shoppers) await pixShop.createToken(shopper);
  const bought = new Map<Shopper, Bought[]>(shoppers.map((shopper) => [shopper, []]));
  const count = () => [...bought.values()].reduce((sum, own) => sum + own.length, 0);
  let going = true;
  const load = shoppers.map(async (shopper) => {
    for (let n = 0; going; n++) bought.get(shopper)!.push(await buyAndPay(shopper, n));
  });
  const until = async (enough: number) => {
    while (count() < enough) await Promise.race([sleep(50), ...load]);
  };
  await until(20);
  const [at] = await query<{ data_directory: string }>(service.databaseUrl, 'show data_directory');
  const killed = execFileSync(join(import.meta.dirname, 'cluster.sh'), [
    'kill-leader',
    dirname(at!.data_directory),
  ]);
  const before = count();
  await until(before + 20);
  going = false;
  await Promise.all(load);
  process.stdout.write(
    `${killed.toString().trim()} killed: of ${count()} purchases one took ${(longestMs / 1_000).toFixed(1)} s\n`,
  );
  assert.deepEqual([...refused], [503]);

  await pixShop.runJob('pix_reconcile');
  for (const [shopper, own] of bought) {
    for (const { charge } of own) await pixShop.waitForStatus(shopper, charge, 'paid');
    const token = await pixShop.createToken(shopper);
    const { body } = await service.get('/wallet/checkouts?status=paid&limit=100', { token });
    const hashes = body.data.map(({ hash }: Bought) => hash);
    assert.deepEqual(hashes.toSorted(), own.map(({ hash }) => hash).toSorted());
  }
  const { code, stdout } = await commandLine(['audit'], { DATABASE_URL: service.databaseUrl });
  assert.equal(code, 0, stdout);
});
