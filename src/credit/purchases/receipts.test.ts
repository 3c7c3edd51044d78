import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../../test/harness.ts';
import { createPurchaseDriver, type TestCustomer } from '../../../test/purchase-driver.ts';

const service = await openService();
const driver = createPurchaseDriver(service);

/** Sells R$ 100.00 due on Friday 2027-03-05, with a fine of 2 % and interest of 1 %, and sets the clock to noon of that day. */
async function buy(
  checkoutInput: Record<string, unknown> = {},
): Promise<{ customer: TestCustomer; hash: string; id: string }> {
  const customer = await driver.createCustomer();
  service.clock.set('2027-03-05T15:00:00.000Z');
  const { hash, installments } = await driver.sell(customer, {
    purchased_at: '2027-02-26T15:00:00Z',
    ...checkoutInput,
  });
  return { customer, hash, id: installments[0].id };
}
const getFirstInstallment = async (hash: string) => (await driver.getCheckout(hash)).installments[0];
const listTypes = async ({ id }: TestCustomer) => (await driver.listEvents(id)).map(({ type }) => type);

const RESTRICT_VIOLATION = '23001';
/** Fields of every event of a purchase without an offer. */
const PURCHASE_FIELDS = { merchant: 'padaria-flor-do-trigo', offer_id: null, reference: null };

test('a payment on the due day settles the installment without excess, and events are emitted', async () => {
  const { customer, hash, id } = await buy();
  assert.deepEqual((await driver.pay(customer.id, id, 100)).toRefund, []);
  const { status, amounts, installments, next_due_on } = await driver.getCheckout(hash);
  assert.deepEqual(
    [status, next_due_on, installments[0].paid_at],
    ['paid', null, '2027-03-05T15:00:00.000Z'],
  );
  assert.deepEqual(amounts, {
    financed: 100,
    paid: 100,
    returned: 0,
    outstanding: 0,
    penalties: 0,
    total_due: 0,
  });
  assert.deepEqual(await driver.readBalances(customer.id), {
    merchant_payable: -10_000,
    pix_clearing: 10_000,
  });
  const events = (await driver.listEvents(customer.id)).slice(1, 3); // The first is checkout.created.
  assert.deepEqual(
    events.map(({ type, sequence, data }) => [type, sequence, data]),
    [
      [
        'installment.paid',
        2,
        {
          ...PURCHASE_FIELDS,
          checkout_hash: hash,
          installment_id: id,
          number: 1,
          installments_total: 1,
          merchant_name: 'Padaria Flor do Trigo',
          amount: 100,
          discount: 0,
          returned: 0,
          paid_with_cashback: 0,
          paid_at: '2027-03-05T15:00:00.000Z',
          on_time: true,
          cashback_percent: 0,
        },
      ],
      ['checkout.paid', 3, { ...PURCHASE_FIELDS, checkout_hash: hash }],
    ],
  );
});

test('a payment seven days late pays interest 0.23, then the fine 2.00, then the amount; on_time is false', async () => {
  const { customer, hash, id } = await buy();
  service.clock.set('2027-03-12T15:00:00.000Z');
  await driver.pay(customer.id, id, 1);
  assert.deepEqual((await getFirstInstallment(hash)).penalty, {
    fine: 1.23,
    interest: 0,
    total: 1.23,
    days_late: 7,
  });
  await driver.pay(customer.id, id, 51.23);
  const { outstanding, paid, total_due, status } = await getFirstInstallment(hash);
  assert.deepEqual([outstanding, paid, total_due, status], [50, 50, 50, 'overdue']);
  await driver.pay(customer.id, id, 50);
  assert.equal((await getFirstInstallment(hash)).status, 'paid');
  assert.deepEqual(await driver.readBalances(customer.id), {
    merchant_payable: -10_000,
    penalty_income: -223,
    pix_clearing: 10_223,
  });
  const paidEvent = (await driver.listEvents(customer.id)).find(({ type }) => type === 'installment.paid')!;
  assert.equal(paidEvent.data.on_time, false);
});

test('a payment is applied once, even if it is reported several times concurrently', async () => {
  const { customer, hash, id } = await buy();
  const payments = await Promise.all(
    Array.from({ length: 3 }, () => driver.pay(customer.id, id, 40, { reference: 'E-twice' })),
  );
  assert.deepEqual(payments.map(({ isNew }) => isNew).sort(), [false, false, true]);
  assert.equal((await driver.pay(customer.id, id, 40, { reference: 'E-twice' })).isNew, false);
  assert.equal((await getFirstInstallment(hash)).paid, 40);
  assert.equal((await driver.readBalances(customer.id)).pix_clearing, 4_000);
});

test('two concurrent payments are both applied, and the excess is refunded', async () => {
  const { customer, hash, id } = await buy();
  const payments = await Promise.all([driver.pay(customer.id, id, 70), driver.pay(customer.id, id, 70)]);
  assert.deepEqual(
    payments.flatMap(({ toRefund }) => toRefund.map(({ amountCents }) => amountCents)),
    [4_000],
  );
  assert.equal((await getFirstInstallment(hash)).status, 'paid');
  assert.deepEqual(await driver.readBalances(customer.id), {
    merchant_payable: -10_000,
    pix_clearing: 14_000,
    refunds_payable: -4_000,
  });
});

test('the second payment of a paid installment is refunded in full', async () => {
  const { customer, id } = await buy();
  await driver.pay(customer.id, id, 100);
  const { reference, toRefund } = await driver.pay(customer.id, id, 100);
  assert.deepEqual(toRefund, [{ reference, part: 0, amountCents: 10_000 }]);
});

test('a payment reported late is applied as of its own time, and the penalty paid since is refunded', async () => {
  const { customer, hash, id } = await buy();
  service.clock.set('2027-03-06T15:00:00.000Z');
  const settlement = await driver.pay(customer.id, id, 102.03); // a day late: fine 2.00, interest 0.03
  assert.deepEqual(settlement.toRefund, []);
  // 50.00 had arrived on the due day, so only 50.00 were late: fine 1.00, interest 50.00 × 1 % / 30 = 0.01.
  const { toRefund } = await driver.pay(customer.id, id, 50, { paidAt: '2027-03-05T20:00:00Z' });
  assert.deepEqual(toRefund, [{ reference: settlement.reference, part: 0, amountCents: 5_102 }]);
  assert.equal((await getFirstInstallment(hash)).status, 'paid');
  assert.deepEqual(await driver.readBalances(customer.id), {
    merchant_payable: -10_000,
    penalty_income: -101,
    pix_clearing: 15_203,
    refunds_payable: -5_102,
  });
});

test('an extension settles penalties and fee, sets a new due day, and leaves the outstanding amount', async () => {
  const { customer, hash, id } = await buy();
  service.clock.set('2027-03-08T15:00:00.000Z'); // three days late: fine 2.00, interest 0.10, and the fee 5.00
  assert.deepEqual((await getFirstInstallment(hash)).pix_options.at(-1), {
    type: 'extend',
    value: 7.1,
    due_on: '2027-03-15',
  });
  await driver.pay(customer.id, id, 7.1, { purpose: 'extend' });
  const { status, next_due_on, installments } = await driver.getCheckout(hash);
  const { due_on, outstanding, penalty, extensions } = installments[0];
  assert.deepEqual(
    [status, next_due_on, due_on, outstanding, penalty.total, extensions],
    ['open', '2027-03-15', '2027-03-15', 100, 0, 1],
  );
  assert.deepEqual(await driver.readBalances(customer.id), {
    extension_income: -500,
    merchant_payable: -10_000,
    penalty_income: -210,
    pix_clearing: 710,
    receivable: 10_000,
  });
  const event = (await driver.listEvents(customer.id)).at(-1)!;
  assert.deepEqual(
    [event.type, event.data],
    [
      'installment.extended',
      {
        ...PURCHASE_FIELDS,
        checkout_hash: hash,
        installment_id: id,
        number: 1,
        due_on: '2027-03-15',
        extensions: 1,
      },
    ],
  );
});

test('the discount of a payment a week early at 2 % per week reduces the finance income', async () => {
  const { customer, hash, id } = await buy({ amount: 100, terms: { weekly_rate_percent: 2 } }); // one installment of 102.00
  service.clock.set('2027-02-26T15:00:00.000Z');
  const { pix_options } = await getFirstInstallment(hash);
  assert.deepEqual(pix_options[0], { type: 'settle', value: 100 }); // 102.00 / 1.02
  await driver.pay(customer.id, id, 100);
  const { paid, discount, outstanding, status } = await getFirstInstallment(hash);
  assert.deepEqual([paid, discount, outstanding, status], [100, 2, 0, 'paid']);
  assert.deepEqual(await driver.readBalances(customer.id), {
    merchant_payable: -10_000,
    pix_clearing: 10_000,
  });
});

test('after a chargeback the amount is owed again and an event is emitted; repeating it changes nothing', async () => {
  const { customer, hash, id } = await buy();
  const { reference } = await driver.pay(customer.id, id, 100);
  service.clock.set('2027-03-10T15:00:00.000Z');
  assert.equal(await driver.chargeBack(customer.id, id, reference), true);
  assert.equal(await driver.chargeBack(customer.id, id, reference), false);
  const { status, outstanding, paid_at } = await getFirstInstallment(hash);
  assert.deepEqual([status, outstanding, paid_at], ['overdue', 100, null]);
  // The money was held on the due day and until the 10th: no fine, and interest only from the 11th on.
  assert.deepEqual((await getFirstInstallment(hash)).penalty, {
    fine: 0,
    interest: 0,
    total: 0,
    days_late: 5,
  });
  service.clock.set('2027-03-13T15:00:00.000Z');
  assert.equal((await getFirstInstallment(hash)).penalty.interest, 0.1);
  assert.deepEqual(await driver.readBalances(customer.id), { merchant_payable: -10_000, receivable: 10_000 });
  assert.deepEqual((await listTypes(customer)).slice(1), [
    'installment.paid',
    'checkout.paid',
    'installment.reopened',
  ]);
  const lastEvent = (await driver.listEvents(customer.id)).at(-1)!;
  assert.deepEqual([lastEvent.data.outstanding, lastEvent.data.due_on], [100, '2027-03-05']);
});

test('money held for a refund is not applied, even if an earlier payment is charged back', async () => {
  const { customer, hash, id } = await buy();
  const firstPayment = await driver.pay(customer.id, id, 100, { paidAt: '2027-03-05T10:00:00Z' });
  const secondPayment = await driver.pay(customer.id, id, 30, { paidAt: '2027-03-05T11:00:00Z' });
  const { reference } = secondPayment;
  assert.deepEqual(secondPayment.toRefund, [{ reference, part: 0, amountCents: 3_000 }]);
  // The chargeback is dated before the second payment, which would have been applied if it were not held for a refund.
  await driver.chargeBack(customer.id, id, firstPayment.reference, '2027-03-05T10:30:00Z');
  assert.equal((await getFirstInstallment(hash)).outstanding, 100);
  assert.deepEqual(await driver.readBalances(customer.id), {
    merchant_payable: -10_000,
    pix_clearing: 3_000,
    receivable: 10_000,
    refunds_payable: -3_000,
  });
  await driver.failRefunds(customer.id, id, secondPayment.toRefund);
  assert.equal(
    (await getFirstInstallment(hash)).outstanding,
    70,
    'money that could not be refunded is applied',
  );
  assert.deepEqual(await driver.readBalances(customer.id), {
    merchant_payable: -10_000,
    pix_clearing: 3_000,
    receivable: 7_000,
  });
});

test('a receipt for an installment of another customer throws an error and writes nothing', async () => {
  const { id } = await buy();
  const stranger = await driver.createCustomer();
  await assert.rejects(driver.pay(stranger.id, id, 100), /has no installment/);
  const row = await service.db.row<{ count: number }>(
    sql`select count(*) from receipts where customer_id = ${stranger.id}`,
  );
  assert.equal(row!.count, 0);
});

test('the database rejects changes to the facts of a receipt', async () => {
  for (const statement of [
    sql`update receipts set amount_cents = 1`,
    sql`update receipts set received_at = now()`,
    sql`delete from receipts`,
    sql`truncate receipts`,
  ]) {
    await assert.rejects(service.db.run(statement), { code: RESTRICT_VIOLATION }, statement.text);
  }
});
