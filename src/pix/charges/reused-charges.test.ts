/** An existing code is returned again only while it can be paid for its amount. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { openTill } from '../../../test/till.ts';

const service = await openService();
const till = openTill(service);
service.clock.set('2026-11-30T15:00:00.000Z');

async function newPurchase() {
  const shopper = await till.newShopper();
  const { hash, installments } = await till.sell(shopper);
  return { shopper, hash, id: installments[0].id as string };
}

test('a charge that never reached the PSP is not completed later, because its code would outlive its price', async () => {
  const { shopper, id } = await newPurchase();
  await till.faults({ error_rate: 1 });
  assert.equal((await till.ask(shopper, id, { type: 'settle' })).status, 503);
  await till.faults({});
  service.clock.advance(2 * MINUTE_MS);
  const response = await till.ask(shopper, id, { type: 'settle' });
  assert.equal(response.status, 201, 'it is a new charge');
  assert.equal(response.body.created_at, service.clock.now().toISOString());
  const stored = await service.db.rows<{ status: string; seconds: number }>(sql`
    select status, extract(epoch from expires_at - created_at)::bigint as seconds from pix_charges
    where installment_id = ${id} order by created_at`);
  assert.deepEqual(
    stored.map(({ status }) => status),
    ['discarded', 'pending'],
  );
  const [theirs] = await service.db.rows<{ seconds: number }>(sql`
    select (terms->'calendario'->>'expiracao')::bigint as seconds from psp_sim_charges where txid = ${response.body.txid}`);
  assert.equal(theirs!.seconds, stored[1]!.seconds, 'it expires at the same time at the PSP');
});

test('a charge that the PSP has removed is not returned again', async () => {
  const { shopper, id } = await newPurchase();
  const first = await till.charge(shopper, id, 'settle');
  assert.equal((await till.charge(shopper, id, 'settle')).id, first.id);
  await service.db.run(
    sql`update psp_sim_charges set status = 'REMOVIDA_PELO_PSP' where txid = ${first.txid}`,
  );
  service.clock.advance(6 * MINUTE_MS);
  const second = await till.ask(shopper, id, { type: 'settle' });
  assert.equal(second.status, 201, second.text);
  assert.notEqual(second.body.id, first.id);
  assert.equal((await till.show(shopper, first.id)).status, 'cancelled');
});

test('while the PSP is unavailable the existing code is returned', async () => {
  const { shopper, id } = await newPurchase();
  const first = await till.charge(shopper, id, 'settle');
  service.clock.advance(6 * MINUTE_MS);
  await till.faults({ error_rate: 1 });
  const again = await till.ask(shopper, id, { type: 'settle' });
  await till.faults({});
  assert.deepEqual([again.status, again.body.id], [200, first.id]);
});

test('a repeated request finds a payment that no callback has reported', async () => {
  const { shopper, id } = await newPurchase();
  const first = await till.charge(shopper, id, 'settle');
  await till.faults({ notify: 'never' });
  service.clock.advance(6 * MINUTE_MS);
  await till.payCode(first.txid);
  await till.faults({});
  const again = await till.ask(shopper, id, { type: 'settle' });
  assert.deepEqual([again.status, again.body.code], [409, 'installment_paid']);
});

test('a payment dated before its charge is applied as of the creation of the charge, at its price', async () => {
  const shopper = await till.newShopper();
  const { hash, installments } = await till.sell(shopper, { terms: { weekly_rate_percent: 2 } });
  const charge = await till.charge(shopper, installments[0].id, 'settle');
  assert.equal(charge.value, 100);
  await till.payCode(charge.txid, { at: '2026-08-20T12:00:00.000Z', force: true });
  await till.whenStatus(shopper, charge.id, 'paid');
  const [installment] = (await till.look(hash)).installments;
  assert.deepEqual(
    [installment.status, installment.paid, installment.discount, installment.paid_at],
    ['paid', 100, 2, charge.created_at],
  );
  assert.match(service.logged(), /a payment before its charge was created/);
  assert.deepEqual(await till.disagreements(), []);
});

test('a charge that is paid at the PSP without a payment is reported, and does not expire', async () => {
  const { shopper, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'settle');
  await service.db.run(sql`update psp_sim_charges set status = 'CONCLUIDA' where txid = ${charge.txid}`);
  service.clock.advance(DAY_MS);
  await till.run('pix_reconcile');
  await eventually('it is logged', async () => /no payment of it can be found/.test(service.logged()));
  const row = await service.db.row<{ status: string }>(
    sql`select status from pix_charges where txid = ${charge.txid}`,
  );
  assert.equal(row!.status, 'pending');
});
