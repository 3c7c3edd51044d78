/** A new customer accepts the bakery's offer, scans one code, and all installments are debited; once with an empty account in week two. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAutopayShop } from '../autopay-shop.ts';
import { eventually, openService } from '../harness.ts';

const service = await openService();
const autopayShop = openAutopayShop(service);
// A Monday; the Mondays that follow are business days.
const MONDAY = '2026-11-23T15:00:00Z';

test('one scan pays the first installment and authorises debits; four weeks later all four installments are paid', async () => {
  service.clock.set(MONDAY);
  const { shopper, hash } = await autopayShop.sellWithAutopay({}, { first: true });
  await eventually('the first installment is paid', async () => {
    const statuses = await autopayShop.listStatuses(shopper, hash);
    return statuses.join() === 'paid,open,open,open';
  });
  await autopayShop.moveClock({ advance: 'P28D' });
  const checkoutAfter = await autopayShop.getCheckoutAsCustomer(shopper, hash);
  assert.equal(checkoutAfter.status, 'paid');
  assert.deepEqual(await autopayShop.listDebits(shopper, hash), [
    null,
    ['paid', '2026-12-07', 1],
    ['paid', '2026-12-14', 1],
    ['paid', '2026-12-21', 1],
  ]);
  assert.equal(checkoutAfter.autopay.status, 'ended');
  assert.deepEqual(await autopayShop.listMismatches(), []);
});

test('without a first payment every installment is debited on its day', async () => {
  service.clock.set(MONDAY);
  const { shopper, hash } = await autopayShop.sellWithAutopay();
  for (const paidCount of [1, 2, 3, 4]) {
    await autopayShop.moveClock({ advance: 'P7D' });
    const { installments_paid, amounts } = await autopayShop.getCheckoutAsCustomer(shopper, hash);
    assert.equal(installments_paid, paidCount);
    assert.equal(amounts.penalties, 0);
  }
  const types = await autopayShop.listEventTypes(shopper.id);
  assert.deepEqual(
    types.filter((type) => type.startsWith('autopay.') || type === 'checkout.paid'),
    ['autopay.activated', 'checkout.paid', 'autopay.ended'],
  );
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), []);
});

test('without money in week two the debit is retried a day later, and the penalties of that day are waived', async () => {
  service.clock.set(MONDAY);
  const { shopper, hash } = await autopayShop.sellWithAutopay();
  await autopayShop.moveClock({ advance: 'P13D' });
  await autopayShop.setDebitOutcome('no_money');
  await autopayShop.moveClock({ now: '2026-12-08T02:00:00Z' });
  assert.deepEqual((await autopayShop.listDebits(shopper, hash))[1], ['trying', '2026-12-08', 1]);
  const { installments } = await autopayShop.getCheckoutAsCustomer(shopper, hash);
  assert.equal(installments[1].autopay.reason, 'Não havia saldo na conta.');
  await autopayShop.setDebitOutcome('paid');
  await autopayShop.moveClock({ advance: 'P1D' });
  const [, secondInstallment] = (await autopayShop.getCheckoutAsCustomer(shopper, hash)).installments;
  assert.deepEqual([secondInstallment.autopay.status, secondInstallment.autopay.tries], ['paid', 2]);
  assert.deepEqual(
    [secondInstallment.status, secondInstallment.total_due, secondInstallment.paid],
    ['paid', 0, 25],
  );
  await autopayShop.moveClock({ advance: 'P20D' });
  assert.deepEqual(
    (await autopayShop.listDebits(shopper, hash)).map((debit) => debit?.[0]),
    ['paid', 'paid', 'paid', 'paid'],
  );
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), []);
});
