import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from '../harness.ts';
import { createPurchaseDriver } from '../purchase-driver.ts';

// R$ 1000.00 bought on Monday 2027-03-01 in four installments at 2 % a week: 262.62 three times, and 262.64.
const service = await openService();
const driver = createPurchaseDriver(service);
service.clock.set('2027-03-01T15:00:00.000Z');
const customer = await driver.createCustomer();
const terms = { weekly_rate_percent: 2 };
const { hash, installments } = await driver.sell(customer, { amount: 1000, installments: 4, terms });
const installmentIds: string[] = installments.map(({ id }: { id: string }) => id);

const getSettleOption = async (number: number) =>
  (await driver.getCheckout(hash)).installments[number - 1].pix_options[0];
/** Returns the status, and the paid, discount and outstanding amounts. */
const readAmounts = async (number: number) => {
  const { status, paid, discount, outstanding } = (await driver.getCheckout(hash)).installments[number - 1];
  return [status, paid, discount, outstanding];
};

test('the amount that settles today decreases with the remaining time', async () => {
  assert.deepEqual(await getSettleOption(1), { type: 'settle', value: 257.47 }); // 262.62 / 1.02
  assert.deepEqual(await getSettleOption(2), { type: 'settle', value: 252.42 }); // 262.62 / 1.02²
  assert.deepEqual(await getSettleOption(3), { type: 'settle', value: 247.47 }); // 262.62 / 1.02³
  assert.deepEqual(await getSettleOption(4), { type: 'settle', value: 242.64 }); // 262.64 / 1.02⁴
});

test('settling the last installment immediately saves 20.00 of interest', async () => {
  await driver.pay(customer.id, installmentIds[3]!, 242.64);
  assert.deepEqual(await readAmounts(4), ['paid', 242.64, 20, 0]);
  assert.deepEqual(await driver.readBalances(customer.id), {
    finance_income: -3_050, // 50.50 less 20.00
    merchant_payable: -100_000,
    pix_clearing: 24_264,
    receivable: 78_786,
  });
});

test('three days before the due day the amount is 262.62 / 1.02^(3/7)', async () => {
  service.clock.set('2027-03-05T15:00:00.000Z');
  assert.deepEqual(await getSettleOption(1), { type: 'settle', value: 260.4 });
  await driver.pay(customer.id, installmentIds[0]!, 260.39);
  // 260.39 × 1.02^(3/7) = 262.6093
  assert.deepEqual(
    await readAmounts(1),
    ['open', 260.39, 2.22, 0.01],
    'a partial payment gets a discount, too',
  );
  assert.deepEqual(await getSettleOption(1), { type: 'settle', value: 0.01 });
});

test('on the due day there is no discount, and an overpayment is refunded', async () => {
  service.clock.set('2027-03-08T15:00:00.000Z');
  const { reference, toRefund } = await driver.pay(customer.id, installmentIds[0]!, 5);
  assert.deepEqual(toRefund, [{ reference, part: 0, amountCents: 499 }]);
  assert.deepEqual(await readAmounts(1), ['paid', 260.4, 2.22, 0]);
});

test('the other installments are paid on their due days: the payments add up to the agreed total less the discounts', async () => {
  for (const [day, number] of [
    ['2027-03-15', 2],
    ['2027-03-22', 3],
  ] as const) {
    service.clock.set(`${day}T15:00:00.000Z`);
    assert.deepEqual(await getSettleOption(number), { type: 'settle', value: 262.62 });
    await driver.pay(customer.id, installmentIds[number - 1]!, 262.62);
  }
  const { status, amounts } = await driver.getCheckout(hash);
  assert.deepEqual([status, amounts.paid, amounts.outstanding], ['paid', 1028.28, 0]);
  assert.deepEqual(await driver.readBalances(customer.id), {
    finance_income: -2_828, // 50.50 less the discounts of 20.00 and 2.22
    merchant_payable: -100_000,
    pix_clearing: 103_327, // 1028.28, and the 4.99 of the pending refund
    refunds_payable: -499,
  });
  assert.deepEqual(await driver.listMismatches(), []);
});
