/** An existing code is returned again only while it can be paid for its amount. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { openPixShop } from '../../../test/pix-shop.ts';

const service = await openService();
const pixShop = openPixShop(service);
service.clock.set('2026-11-30T15:00:00.000Z');

/** Sells to a new shopper. `id` is the id of the first installment. */
async function newPurchase() {
  const shopper = await pixShop.newShopper();
  const { hash, installments } = await pixShop.sell(shopper);
  return { shopper, hash, id: installments[0].id as string };
}

test('a charge that never reached the PSP is not completed later, because its code would outlive its price', async () => {
  const { shopper, id } = await newPurchase();
  await pixShop.setPspFaults({ error_rate: 1 });
  assert.equal((await pixShop.requestCharge(shopper, id, { type: 'settle' })).status, 503);
  await pixShop.setPspFaults({});
  service.clock.advance(2 * MINUTE_MS);
  const response = await pixShop.requestCharge(shopper, id, { type: 'settle' });
  assert.equal(response.status, 201, 'it is a new charge');
  assert.equal(response.body.created_at, service.clock.now().toISOString());
  const storedCharges = await service.db.rows<{ status: string; seconds: number }>(sql`
    select status, extract(epoch from expires_at - created_at)::bigint as seconds from pix_charges
    where installment_id = ${id} order by created_at`);
  assert.deepEqual(
    storedCharges.map(({ status }) => status),
    ['discarded', 'pending'],
  );
  const [pspCharge] = await service.db.rows<{ seconds: number }>(sql`
    select (terms->'calendario'->>'expiracao')::bigint as seconds from psp_sim_charges where txid = ${response.body.txid}`);
  assert.equal(pspCharge!.seconds, storedCharges[1]!.seconds, 'it expires at the same time at the PSP');
});

test('a charge that the PSP has removed is not returned again', async () => {
  const { shopper, id } = await newPurchase();
  const firstCharge = await pixShop.createCharge(shopper, id, 'settle');
  assert.equal((await pixShop.createCharge(shopper, id, 'settle')).id, firstCharge.id);
  await service.db.run(
    sql`update psp_sim_charges set status = 'REMOVIDA_PELO_PSP' where txid = ${firstCharge.txid}`,
  );
  service.clock.advance(6 * MINUTE_MS);
  const secondResponse = await pixShop.requestCharge(shopper, id, { type: 'settle' });
  assert.equal(secondResponse.status, 201, secondResponse.text);
  assert.notEqual(secondResponse.body.id, firstCharge.id);
  assert.equal((await pixShop.getCharge(shopper, firstCharge.id)).status, 'cancelled');
});

test('while the PSP is unavailable the existing code is returned', async () => {
  const { shopper, id } = await newPurchase();
  const firstCharge = await pixShop.createCharge(shopper, id, 'settle');
  service.clock.advance(6 * MINUTE_MS);
  await pixShop.setPspFaults({ error_rate: 1 });
  const repeatedResponse = await pixShop.requestCharge(shopper, id, { type: 'settle' });
  await pixShop.setPspFaults({});
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.id], [200, firstCharge.id]);
});

test('a repeated request finds a payment that no callback has reported', async () => {
  const { shopper, id } = await newPurchase();
  const firstCharge = await pixShop.createCharge(shopper, id, 'settle');
  await pixShop.setPspFaults({ notify: 'never' });
  service.clock.advance(6 * MINUTE_MS);
  await pixShop.payCharge(firstCharge.txid);
  await pixShop.setPspFaults({});
  const repeatedResponse = await pixShop.requestCharge(shopper, id, { type: 'settle' });
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.code], [409, 'installment_paid']);
});

test('a payment dated before its charge is applied as of the creation of the charge, at its price', async () => {
  const shopper = await pixShop.newShopper();
  const { hash, installments } = await pixShop.sell(shopper, { terms: { weekly_rate_percent: 2 } });
  const charge = await pixShop.createCharge(shopper, installments[0].id, 'settle');
  assert.equal(charge.value, 100);
  await pixShop.payCharge(charge.txid, { at: '2026-08-20T12:00:00.000Z', force: true });
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  const [installment] = (await pixShop.getCheckout(hash)).installments;
  assert.deepEqual(
    [installment.status, installment.paid, installment.discount, installment.paid_at],
    ['paid', 100, 2, charge.created_at],
  );
  assert.match(service.readLog(), /a payment before its charge was created/);
  assert.deepEqual(await pixShop.listMismatches(), []);
});

test('a charge that is paid at the PSP without a payment is reported, and does not expire', async () => {
  const { shopper, id } = await newPurchase();
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  await service.db.run(sql`update psp_sim_charges set status = 'CONCLUIDA' where txid = ${charge.txid}`);
  service.clock.advance(DAY_MS);
  await pixShop.runJob('pix_reconcile');
  await eventually('it is logged', async () => /no payment of it can be found/.test(service.readLog()));
  const row = await service.db.row<{ status: string }>(
    sql`select status from pix_charges where txid = ${charge.txid}`,
  );
  assert.equal(row!.status, 'pending');
});
