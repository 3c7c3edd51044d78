import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from '../harness.ts';
import { createPurchaseDriver } from '../purchase-driver.ts';

// R$ 100.00 bought on Monday 2027-03-01 in three installments, at 2 % fine, 1 % a month and 5 % for an extension. The tests
// are the weeks, in order.
const service = await openService();
const driver = createPurchaseDriver(service);
service.clock.set('2027-03-01T15:00:00.000Z');
const customer = await driver.createCustomer({ limitReais: 100 });
const { hash, installments } = await driver.sell(customer, { installments: 3 });
const [firstInstallmentId, secondInstallmentId, thirdInstallmentId] = installments.map(
  ({ id }: { id: string }) => id,
) as [string, string, string];

const getInstallment = async (number: number) => (await driver.getCheckout(hash)).installments[number - 1];
/** Returns the status, and the paid, outstanding, fine, interest and total due amounts. */
const readAmounts = async (number: number) => {
  const { status, paid, outstanding, penalty, total_due } = await getInstallment(number);
  return [status, paid, outstanding, penalty.fine, penalty.interest, total_due];
};
const readStatus = async () => (await driver.getCheckout(hash)).status;
const readUsedCredit = async () => (await driver.getAsCustomer(customer, '/wallet/me')).body.credit.used;

test('the schedule has 33.34, 33.33 and 33.33 on three Mondays', async () => {
  const { installments: schedule } = await driver.getCheckout(hash);
  assert.deepEqual(
    schedule.map(({ due_on, amount }: { due_on: string; amount: number }) => [due_on, amount]),
    [
      ['2027-03-08', 33.34],
      ['2027-03-15', 33.33],
      ['2027-03-22', 33.33],
    ],
  );
  assert.equal(await readUsedCredit(), 100);
});

test('week one: the first installment is paid on its due day, and its amount is available again', async () => {
  service.clock.set('2027-03-09T02:30:00.000Z'); // half past eleven in the evening of the 8th
  await driver.pay(customer.id, firstInstallmentId, 33.34);
  assert.deepEqual(await readAmounts(1), ['paid', 33.34, 0, 0, 0, 0]);
  assert.equal((await driver.getCheckout(hash)).next_due_on, '2027-03-15');
  assert.equal(await readUsedCredit(), 66.66);
});

test('week two: the second installment is late, and paid in two parts', async () => {
  service.clock.set('2027-03-16T15:00:00.000Z');
  // A day late: 33.33 × 2 % = 0.6666, rounded down; 33.33 × 1 % / 30 = 0.0111
  assert.deepEqual(await readAmounts(2), ['overdue', 0, 33.33, 0.66, 0.01, 34]);
  assert.equal(await readStatus(), 'overdue');

  service.clock.set('2027-03-18T15:00:00.000Z');
  // Three days: 33.33 × 3 × 1 % / 30 = 0.0333
  assert.deepEqual(await readAmounts(2), ['overdue', 0, 33.33, 0.66, 0.03, 34.02]);
  await driver.pay(customer.id, secondInstallmentId, 10); // 0.03 and 0.66, and 9.31 of the amount
  assert.deepEqual(await readAmounts(2), ['overdue', 9.31, 24.02, 0, 0, 24.02]);

  service.clock.set('2027-03-20T15:00:00.000Z');
  // (33.33 × 3 days + 24.02 × 2 days) × 1 % / 30 = 0.0493, of which 0.03 are paid
  assert.deepEqual(await readAmounts(2), ['overdue', 9.31, 24.02, 0, 0.01, 24.03]);
  await driver.pay(customer.id, secondInstallmentId, 24.03);
  assert.deepEqual(await readAmounts(2), ['paid', 33.33, 0, 0, 0, 0]);
  assert.equal(await readStatus(), 'open');
});

test('week three: the third installment is late, and extended to a week after the payment', async () => {
  service.clock.set('2027-03-24T15:00:00.000Z');
  // Two days: 0.66 and 33.33 × 2 × 1 % / 30 = 0.0222; the fee is 33.33 × 5 % = 1.6665
  assert.deepEqual(await readAmounts(3), ['overdue', 0, 33.33, 0.66, 0.02, 34.01]);
  assert.deepEqual((await getInstallment(3)).pix_options, [
    { type: 'settle_with_penalty', value: 34.01 },
    { type: 'settle_partial', min: 1, max: 34.01 },
    { type: 'extend', value: 2.35, due_on: '2027-03-31' },
  ]);
  await driver.pay(customer.id, thirdInstallmentId, 2.35, { purpose: 'extend' });
  assert.deepEqual(await readAmounts(3), ['open', 0, 33.33, 0, 0, 33.33]);
  assert.equal(await readStatus(), 'open');
  assert.equal((await driver.getCheckout(hash)).next_due_on, '2027-03-31');
});

test('week four: the third installment is late again, gets a fine for the new due day, and is extended for the last time', async () => {
  service.clock.set('2027-04-01T02:59:59.999Z');
  assert.equal(await readStatus(), 'open');
  service.clock.set('2027-04-01T03:00:00.000Z');
  assert.deepEqual(await readAmounts(3), ['overdue', 0, 33.33, 0.66, 0.01, 34]);
  await driver.pay(customer.id, thirdInstallmentId, 2.34, { purpose: 'extend' }); // 0.66, 0.01 and 1.67
  const { due_on, extensions, pix_options } = await getInstallment(3);
  assert.deepEqual([due_on, extensions], ['2027-04-08', 2]);
  assert.deepEqual(
    pix_options.map(({ type }: { type: string }) => type),
    ['settle', 'settle_with_penalty', 'settle_partial'],
    'two extensions are the limit',
  );
});

test('week five: the last payment settles the purchase; every centavo is in the ledger', async () => {
  service.clock.set('2027-04-08T15:00:00.000Z');
  await driver.pay(customer.id, thirdInstallmentId, 33.33);
  const { status, amounts, installments_paid, next_due_on } = await driver.getCheckout(hash);
  assert.deepEqual([status, installments_paid, next_due_on], ['paid', 3, null]);
  assert.deepEqual(amounts, {
    financed: 100,
    paid: 100,
    returned: 0,
    outstanding: 0,
    penalties: 0,
    total_due: 0,
  });
  assert.equal(await readUsedCredit(), 0);
  assert.deepEqual(await driver.readBalances(customer.id), {
    extension_income: -334, // 1.67 twice
    merchant_payable: -10_000,
    penalty_income: -205, // 0.69 and 0.01, 0.68, 0.67
    pix_clearing: 10_539, // 33.34 + 10.00 + 24.03 + 2.35 + 2.34 + 33.33
  });
  assert.deepEqual(
    (await driver.listEvents(customer.id)).map(({ type, sequence }) => `${sequence} ${type}`),
    [
      '1 checkout.created',
      '2 installment.paid',
      '3 installment.payment_changed',
      '4 installment.paid',
      '5 installment.extended',
      '6 installment.extended',
      '7 installment.paid',
      '8 checkout.paid',
    ],
  );
  assert.deepEqual(await driver.listMismatches(), []);
});

test('the amounts and payment times stay the same as time goes on', async () => {
  service.clock.set('2028-01-01T15:00:00.000Z');
  assert.deepEqual(await readAmounts(3), ['paid', 33.33, 0, 0, 0, 0]);
  assert.equal((await getInstallment(2)).paid_at, '2027-03-20T15:00:00.000Z');
});
