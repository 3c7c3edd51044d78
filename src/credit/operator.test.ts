/** What the operator does and sees of purchases and offers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandRunner } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { OPERATOR_KEY, openShop } from '../../test/shop.ts';

const service = await openService();
const shop = openShop(service);
const run = commandRunner(service);
const DAY_MS = 86_400_000;
/** A Friday. */
const BOUGHT = '2027-02-26T15:00:00.000Z';
const inDays = (days: number) =>
  service.clock.set(new Date(Date.parse(BOUGHT) + days * DAY_MS).toISOString());

const staff = (method: string, path: string, body?: unknown, more = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }), ...more });

test('a purchase that is written off is a loss in the book, owed all the same, and each centavo that is paid is one less', async () => {
  inDays(0);
  const by = await shop.newShopper();
  const { hash, installments } = await shop.sell(by, { installments: 2 });
  const [first, second] = installments.map(({ id }: { id: string }) => id);
  await shop.pay(by.id, first, 20);
  inDays(40);
  const seen = (await shop.ask(by, `/wallet/checkouts/${hash}`)).body;
  const written = await shop.writeOff(hash);
  assert.deepEqual([written.status, written.body.outstanding], [200, 80]);
  assert.deepEqual(await shop.balances(by.id), {
    ...{ credit_losses: 8_000, merchant_payable: -10_000, pix_clearing: 2_000 },
  });
  assert.deepEqual((await shop.ask(by, `/wallet/checkouts/${hash}`)).body, seen, 'the same for the customer');
  assert.equal((await shop.look(hash)).written_off_at, '2027-04-07T15:00:00.000Z');
  assert.deepEqual(await shop.disagreements(by.id), []);

  // Penalties come first, and are income; the rest is recovered.
  const due = seen.installments[1];
  await shop.pay(by.id, second, due.total_due);
  const { credit_losses, receivable = 0 } = await shop.balances(by.id);
  assert.deepEqual([credit_losses, receivable], [3_000, 0]);
  assert.deepEqual(await shop.disagreements(by.id), []);
  const again = await shop.writeOff(hash);
  assert.deepEqual([again.status, again.body.code], [409, 'nothing_to_write_off']);

  const back = await shop.reinstate(hash);
  assert.deepEqual([back.status, back.body.written_off_at], [200, null]);
  assert.equal((await shop.balances(by.id)).credit_losses, undefined);
  assert.equal((await shop.balances(by.id)).receivable, 3_000);
  assert.deepEqual([(await shop.reinstate(hash)).body.code], ['not_written_off']);
  assert.deepEqual(await shop.disagreements(by.id), []);

  assert.equal(await run('checkout write-off', hash, '--reason', 'Mudou-se'), '30.00 is a loss from now on.');
  const rest = (await shop.look(hash)).installments[0].total_due;
  await shop.pay(by.id, first, rest);
  assert.equal((await shop.balances(by.id)).credit_losses, undefined, 'all of it is recovered');
  assert.equal((await shop.look(hash)).status, 'paid');
  assert.deepEqual(await shop.disagreements(by.id), []);
  const { body: trail } = await staff('GET', `/admin/audit-trail?subject=checkout:${hash}`);
  assert.deepEqual(
    trail.data.map(({ action, reason }: { action: string; reason: string | null }) => [action, reason]),
    [
      ['checkout write-off', 'Mudou-se'],
      ['reinstateCheckout', 'Sem esperança'],
      ['writeOffCheckout', 'Sem esperança'],
      ['createCheckout', null],
    ],
  );
  const unknown = await shop.book('0'.repeat(22), 'write-off').catch(({ message }) => message);
  assert.match(String(unknown), /not_found/);
});
