import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { enqueueAll, type Job } from '#platform/jobs/jobs.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { openTill } from '../../../test/till.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const till = openTill(service);

const left = () =>
  till.count(sql`select count(*) from graphile_worker.jobs where task_identifier = 'pix_remove_charges'`);

test('one customer’s flood of cancellations keeps neither settlements nor login codes waiting', async () => {
  const [flooder, shopper] = [await till.newShopper(), await till.newShopper()];
  const [flooded] = (await till.sell(flooder)).installments;
  const [installment] = (await till.sell(shopper)).installments;
  const charge = await till.charge(shopper, installment.id, 'settle');
  const cancelled = await till.charge(flooder, flooded.id, 'settle');
  await service.db.run(sql`
    update pix_charges set status = 'cancelled' where customer_id = ${flooder.id} and id = ${cancelled.id}`);
  // Whoever has removed it writes that down, and waits for the row, which is held here.
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = service.db.transaction(async (tx) => {
    await tx.run(sql`
      select 1 from pix_charges where customer_id = ${flooder.id} and id = ${cancelled.id} for update`);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const payload = { customer_id: flooder.id, installment_id: flooded.id };
  const flood = Array.from(
    { length: 200 },
    (_, i): Job => ({
      task: 'pix_remove_charges',
      payload,
      key: `flood ${i}`,
    }),
  );
  await service.db.transaction((tx) => enqueueAll(tx, flood, 1));

  await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  const { phone } = flooder;
  assert.ok((await service.post('/wallet/auth/otp', { phone })).status < 300);
  await eventually('the code has come', async () => {
    const { body } = await till.staff('GET', `/sandbox/messages?phone=${encodeURIComponent(phone)}`);
    return body.data.length > 0;
  });
  assert.ok((await left()) > 100, 'the flood is still there');
  release.resolve();
  await holding;
  await eventually('it is done in the end', async () => (await left()) === 0);
});
