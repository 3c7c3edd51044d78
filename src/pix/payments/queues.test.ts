import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { enqueueAll, type Job } from '#platform/jobs/jobs.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';

// The pool is as large as in production, because the jobs hold four connections.
const service = await openService({ env: { DATABASE_POOL: '10' } });
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);

const countRemovalJobs = () =>
  pixDriver.readCount(
    sql`select count(*) from graphile_worker.jobs where task_identifier = 'pix_remove_charges'`,
  );

test('many cancellations of one customer delay neither settlements nor login codes', async () => {
  const [floodingCustomer, customer] = [await pixDriver.createCustomer(), await pixDriver.createCustomer()];
  const [floodedInstallment] = (await pixDriver.sell(floodingCustomer)).installments;
  const [installment] = (await pixDriver.sell(customer)).installments;
  const charge = await pixDriver.createCharge(customer, installment.id, 'settle');
  const cancelledCharge = await pixDriver.createCharge(floodingCustomer, floodedInstallment.id, 'settle');
  await service.db.run(sql`
    update pix_charges set status = 'cancelled' where customer_id = ${floodingCustomer.id} and id = ${cancelledCharge.id}`);
  // The removal jobs wait for the row of the charge, which is locked here.
  const [lockSignal, unlockSignal] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lockingTransaction = service.db.transaction(async (tx) => {
    await tx.run(sql`
      select 1 from pix_charges where customer_id = ${floodingCustomer.id} and id = ${cancelledCharge.id} for update`);
    lockSignal.resolve();
    await unlockSignal.promise;
  });
  await lockSignal.promise;
  const payload = { customer_id: floodingCustomer.id, installment_id: floodedInstallment.id };
  const jobs = Array.from(
    { length: 200 },
    (_, i): Job => ({
      task: 'pix_remove_charges',
      payload,
      key: `flood ${i}`,
    }),
  );
  await service.db.transaction((tx) => enqueueAll(tx, jobs, 1));

  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const { phone } = floodingCustomer;
  assert.ok((await service.post('/wallet/auth/otp', { phone })).status < 300);
  await eventually('the login code arrived', async () => {
    const { body } = await pixDriver.callStaff('GET', `/sandbox/messages?phone=${encodeURIComponent(phone)}`);
    return body.data.length > 0;
  });
  assert.ok((await countRemovalJobs()) > 100, 'the jobs are still waiting');
  unlockSignal.resolve();
  await lockingTransaction;
  await eventually('all jobs are done', async () => (await countRemovalJobs()) === 0);
});
