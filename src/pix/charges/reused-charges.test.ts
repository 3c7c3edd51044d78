/** An existing code is returned again only while it can be paid for its amount. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';

/** A charge of this age is checked at the PSP before it is returned again. */
const RECHECK_AGE_MS = 6 * MINUTE_MS;

const service = await openService();
const pixDriver = createPixDriver(service);
service.clock.set('2026-11-30T15:00:00.000Z');

/** Sells to a new customer. `installmentId` is that of the first installment. */
async function createPurchase() {
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer);
  return { customer, hash, installmentId: installments[0].id as string };
}

test('a charge that never reached the PSP is not completed later, because its code would outlive its price', async () => {
  const { customer, installmentId } = await createPurchase();
  await pixDriver.setPspFaults({ error_rate: 1 });
  assert.equal((await pixDriver.requestCharge(customer, installmentId, { type: 'settle' })).status, 503);
  await pixDriver.setPspFaults({});
  // After this time a charge that was never created counts as abandoned.
  service.clock.advance(2 * MINUTE_MS);
  const response = await pixDriver.requestCharge(customer, installmentId, { type: 'settle' });
  assert.equal(response.status, 201, 'the response is a new charge');
  assert.equal(response.body.created_at, service.clock.now().toISOString());
  const storedCharges = await service.db.rows<{ status: string; seconds: number }>(sql`
    select status, extract(epoch from expires_at - created_at)::bigint as seconds from pix_charges
    where installment_id = ${installmentId} order by created_at`);
  assert.deepEqual(
    storedCharges.map(({ status }) => status),
    ['discarded', 'pending'],
  );
  const [pspCharge] = await service.db.rows<{ seconds: number }>(sql`
    select (terms->'calendario'->>'expiracao')::bigint as seconds from psp_sim_charges where txid = ${response.body.txid}`);
  const [, newCharge] = storedCharges;
  assert.equal(pspCharge!.seconds, newCharge!.seconds, 'the charge expires at the same time at the PSP');
});

test('a charge that the PSP has removed is not returned again', async () => {
  const { customer, installmentId } = await createPurchase();
  const firstCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  assert.equal((await pixDriver.createCharge(customer, installmentId, 'settle')).id, firstCharge.id);
  await service.db.run(
    sql`update psp_sim_charges set status = 'REMOVIDA_PELO_PSP' where txid = ${firstCharge.txid}`,
  );
  service.clock.advance(RECHECK_AGE_MS);
  const secondResponse = await pixDriver.requestCharge(customer, installmentId, { type: 'settle' });
  assert.equal(secondResponse.status, 201, secondResponse.text);
  assert.notEqual(secondResponse.body.id, firstCharge.id);
  assert.equal((await pixDriver.getCharge(customer, firstCharge.id)).status, 'cancelled');
});

test('while the PSP is unavailable the existing code is returned', async () => {
  const { customer, installmentId } = await createPurchase();
  const firstCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  service.clock.advance(RECHECK_AGE_MS);
  await pixDriver.setPspFaults({ error_rate: 1 });
  const repeatedResponse = await pixDriver.requestCharge(customer, installmentId, { type: 'settle' });
  await pixDriver.setPspFaults({});
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.id], [200, firstCharge.id]);
});

test('a repeated request finds a payment that no callback has reported', async () => {
  const { customer, installmentId } = await createPurchase();
  const firstCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.setPspFaults({ notify: 'never' });
  service.clock.advance(RECHECK_AGE_MS);
  await pixDriver.payCharge(firstCharge.txid);
  await pixDriver.setPspFaults({});
  const repeatedResponse = await pixDriver.requestCharge(customer, installmentId, { type: 'settle' });
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.code], [409, 'installment_paid']);
});

test('a payment dated before its charge is applied as of the creation of the charge, at its price', async () => {
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer, { terms: { weekly_rate_percent: 2 } });
  const charge = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  assert.equal(charge.value, 100);
  await pixDriver.payCharge(charge.txid, { at: '2026-08-20T12:00:00.000Z', force: true });
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const [installment] = (await pixDriver.getCheckout(hash)).installments;
  assert.deepEqual(
    [installment.status, installment.paid, installment.discount, installment.paid_at],
    ['paid', 100, 2, charge.created_at],
  );
  assert.match(service.readLog(), /a payment before its charge was created/);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('a charge that is paid at the PSP without a payment is reported, and does not expire', async () => {
  const { customer, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await service.db.run(sql`update psp_sim_charges set status = 'CONCLUIDA' where txid = ${charge.txid}`);
  service.clock.advance(DAY_MS);
  await pixDriver.runJob('pix_reconcile');
  await eventually('the discrepancy is logged', async () =>
    /no payment of it can be found/.test(service.readLog()),
  );
  const row = await service.db.row<{ status: string }>(
    sql`select status from pix_charges where txid = ${charge.txid}`,
  );
  assert.equal(row!.status, 'pending');
});
