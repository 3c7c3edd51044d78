/** A new customer accepts the bakery's offer, scans one code, and all installments are debited; once with an empty account in week two. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAutopayDriver, PAY_FIRST_INSTALLMENT } from '../autopay-driver.ts';
import { eventually, openService } from '../harness.ts';

const service = await openService();
const autopayDriver = createAutopayDriver(service);
// A Monday; the Mondays that follow are business days.
const MONDAY = '2026-11-23T15:00:00Z';

test('one scan pays the first installment and authorises debits; four weeks later all four installments are paid', async () => {
  service.clock.set(MONDAY);
  const { customer, hash } = await autopayDriver.sellWithAutopay({}, PAY_FIRST_INSTALLMENT);
  await eventually('the first installment is paid', async () => {
    const statuses = await autopayDriver.listInstallmentStatuses(customer, hash);
    return statuses.join() === 'paid,open,open,open';
  });
  await autopayDriver.moveClock({ advance: 'P28D' });
  // If a callback reported the last payment, the next run of the job ends the authorisation.
  await autopayDriver.runDueJobs();
  const checkoutAfter = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  assert.equal(checkoutAfter.status, 'paid');
  assert.deepEqual(await autopayDriver.listDebits(customer, hash), [
    null,
    { status: 'paid', day: '2026-12-07', attempts: 1 },
    { status: 'paid', day: '2026-12-14', attempts: 1 },
    { status: 'paid', day: '2026-12-21', attempts: 1 },
  ]);
  assert.equal(checkoutAfter.autopay.status, 'ended');
  assert.deepEqual(await autopayDriver.listMismatches(), []);
});

test('without a first payment every installment is debited on its day', async () => {
  service.clock.set(MONDAY);
  const { customer, hash } = await autopayDriver.sellWithAutopay();
  for (const paidCount of [1, 2, 3, 4]) {
    await autopayDriver.moveClock({ advance: 'P7D' });
    const { installments_paid, amounts } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
    assert.equal(installments_paid, paidCount);
    assert.equal(amounts.penalties, 0);
  }
  await autopayDriver.runDueJobs();
  const types = await autopayDriver.listEventTypes(customer.id);
  assert.deepEqual(
    types.filter((type) => type.startsWith('autopay.') || type === 'checkout.paid'),
    ['autopay.activated', 'checkout.paid', 'autopay.ended'],
  );
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('without money in week two the debit is retried a day later, and the penalties of that day are waived', async () => {
  service.clock.set(MONDAY);
  const { customer, hash } = await autopayDriver.sellWithAutopay();
  await autopayDriver.moveClock({ advance: 'P13D' });
  await autopayDriver.setDebitOutcome('no_money');
  await autopayDriver.moveClock({ now: '2026-12-08T02:00:00Z' }); // 23:00 on the 7th in São Paulo
  const [, secondDebit] = await autopayDriver.listDebits(customer, hash);
  assert.deepEqual(secondDebit, { status: 'trying', day: '2026-12-08', attempts: 1 });
  const { installments } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  assert.equal(installments[1].autopay.reason, 'Não havia saldo na conta.');
  await autopayDriver.setDebitOutcome('paid');
  await autopayDriver.moveClock({ advance: 'P1D' });
  const [, secondInstallment] = (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments;
  assert.deepEqual([secondInstallment.autopay.status, secondInstallment.autopay.tries], ['paid', 2]);
  assert.deepEqual(
    [secondInstallment.status, secondInstallment.total_due, secondInstallment.paid],
    ['paid', 0, 25],
  );
  await autopayDriver.moveClock({ advance: 'P20D' });
  assert.deepEqual(
    (await autopayDriver.listDebits(customer, hash)).map((debit) => debit?.status),
    ['paid', 'paid', 'paid', 'paid'],
  );
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});
