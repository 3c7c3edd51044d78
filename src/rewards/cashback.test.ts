import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { ANA } from '../../test/purchase-driver.ts';
import { createCashbackDriver, summarizeLines } from '../../test/support/cashback-driver.ts';
import { createModuleEvents, readConfiguration } from '../modules.ts';
import { adjustCashback } from './cashback-account.ts';

const service = await openService();
const cashbackDriver = createCashbackDriver(service);

// A Monday, so that all due days are Mondays.
const MONDAY = '2027-03-01T15:00:00.000Z';
/** Returns the instant this many days after the purchase, at a time in UTC. */
const getInstant = (days: number, time = '15:00:00') =>
  `${new Date(Date.parse(MONDAY) + days * DAY_MS).toISOString().slice(0, 10)}T${time}.000Z`;

/** Sells on a Monday to a new customer. `pay` reports a payment of an installment, given by its number, at an instant. */
async function newPurchase({
  cashbackPercent,
  ...checkoutInput
}: Record<string, unknown> & { cashbackPercent?: number } = {}) {
  service.clock.set(MONDAY);
  const customer = await cashbackDriver.createCustomer();
  const { hash, installments } = await cashbackDriver.sell(customer, checkoutInput, cashbackPercent);
  const pay = (number: number, reais: number, reportedAt: string, overrides = {}) => {
    service.clock.set(reportedAt);
    return cashbackDriver.pay(customer.id, installments[number - 1].id, reais, overrides);
  };
  return { customer, hash, installments, pay };
}

const EMPTY_BALANCE = { available: 0, pending: 0, expiring: [], lifetime_earned: 0 };

test('demo data: Ana has the cashback of six installments and an invitation', async () => {
  const { available, lifetime_earned, expiring } = await cashbackDriver.getBalance(ANA);
  assert.deepEqual([available, lifetime_earned], [28, 28]);
  assert.equal(expiring.length, 7);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('a customer without purchases has no cashback', async () => {
  const customer = await cashbackDriver.createCustomer();
  assert.deepEqual(await cashbackDriver.getBalance(customer), EMPTY_BALANCE);
  const { data, pagination } = await cashbackDriver.getStatement(customer);
  assert.deepEqual([data, pagination.total, pagination.pages], [[], 0, 0]);
});

test('an installment paid on the due day earns the percentage of its amount, rounded down, valid for 180 days', async () => {
  // 2.5 % of 33.34 is 0.8335; 2.5 % of each of the other two, 33.33, is 0.83325.
  const { customer, hash, pay } = await newPurchase({ installments: 3, cashbackPercent: 2.5 });
  assert.deepEqual(await cashbackDriver.getBalance(customer), { ...EMPTY_BALANCE, pending: 2.49 });
  await pay(1, 33.34, getInstant(7));
  assert.deepEqual(await cashbackDriver.getBalance(customer), {
    available: 0.83,
    pending: 1.66,
    expiring: [{ amount: 0.83, expires_on: '2027-09-04' }],
    lifetime_earned: 0.83,
  });
  const { data, pagination } = await cashbackDriver.getStatement(customer);
  assert.deepEqual(pagination, { page: 1, limit: 20, total: 1, pages: 1 });
  const [{ id, ...line }] = data;
  assert.match(id, /^csh_[0-9a-z]{26}$/);
  assert.deepEqual(line, {
    kind: 'earned',
    amount: 0.83,
    balance_after: 0.83,
    description: 'Parcela 1 de 3 paga em dia: Padaria Flor do Trigo',
    checkout_hash: hash,
    installment_id: line.installment_id,
    occurred_at: getInstant(7),
    expires_on: '2027-09-04',
  });
  assert.deepEqual(await cashbackDriver.readBalances(customer.id), {
    cashback_expense: 83,
    cashback_owed: -83,
    merchant_payable: -10_000,
    pix_clearing: 33_34,
    receivable: 66_66,
  });
});

test('cashback is earned until the last second of the effective due day in São Paulo', async () => {
  for (const [instant, available] of [
    [getInstant(8, '02:59:59'), 5],
    [getInstant(8, '03:00:00'), 0],
  ] as const) {
    const { customer, pay } = await newPurchase();
    await pay(1, 200, instant); // also covers penalties
    assert.equal((await cashbackDriver.getBalance(customer)).available, available, instant);
  }
});

test('an installment that is due on a Saturday and paid on the following Monday is on time', async () => {
  service.clock.set('2027-02-27T15:00:00.000Z');
  const customer = await cashbackDriver.createCustomer();
  const { installments } = await cashbackDriver.sell(customer);
  assert.deepEqual([installments[0].due_on, installments[0].effective_due_on], ['2027-03-06', '2027-03-08']);
  service.clock.set('2027-03-08T20:00:00.000Z');
  await cashbackDriver.pay(customer.id, installments[0].id, 100);
  assert.equal((await cashbackDriver.getBalance(customer)).available, 5);
});

test('cashback of less than a centavo is not earned, and no line is written', async () => {
  const { customer, pay } = await newPurchase({ amount: 1.99, cashbackPercent: 0.5 });
  await pay(1, 1.99, getInstant(1));
  assert.deepEqual((await cashbackDriver.getStatement(customer)).data, []);
});

test('a late installment earns no cashback, and has no pending cashback from the first late day on', async () => {
  const { customer, pay } = await newPurchase();
  service.clock.set(getInstant(7));
  assert.equal((await cashbackDriver.getBalance(customer)).pending, 5);
  service.clock.set(getInstant(8));
  assert.equal((await cashbackDriver.getBalance(customer)).pending, 0);
  await pay(1, 102.03, getInstant(8)); // one day late: fine 2.00, interest 0.03
  assert.deepEqual(await cashbackDriver.getBalance(customer), EMPTY_BALANCE);
});

test('an installment paid in parts earns all cashback with the part that settles it, if that part is on time', async () => {
  const { customer, pay } = await newPurchase();
  await pay(1, 60, getInstant(2));
  assert.equal((await cashbackDriver.getBalance(customer)).available, 0);
  await pay(1, 40, getInstant(6));
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer)), [['earned', 5, 5]]);
});

test('an installment that is extended when late, and settled by the new due day, is on time', async () => {
  const { customer, hash, installments, pay } = await newPurchase();
  service.clock.set(getInstant(9));
  const { pix_options } = (await cashbackDriver.getCheckout(hash)).installments[0];
  const { value: price } = pix_options.find(({ type }: { type: string }) => type === 'extend');
  await cashbackDriver.pay(customer.id, installments[0].id, price, { purpose: 'extend' });
  assert.equal((await cashbackDriver.getBalance(customer)).pending, 5);
  await pay(1, 100, getInstant(16));
  assert.equal((await cashbackDriver.getBalance(customer)).available, 5);
});

test('an installment paid early at a weekly rate earns cashback on its full amount, not on the discounted price', async () => {
  const { customer, pay } = await newPurchase({ terms: { weekly_rate_percent: 2 } });
  await pay(1, 100, getInstant(0));
  // The one installment is 102.00.
  assert.equal((await cashbackDriver.getBalance(customer)).available, 5.1);
});

test('a payment that is reported several times concurrently earns once', async () => {
  const { customer, installments } = await newPurchase();
  const reference = 'E00000000000000000000000000000000X';
  await Promise.all(
    [1, 2, 3].map(() => cashbackDriver.pay(customer.id, installments[0].id, 100, { reference })),
  );
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer)), [['earned', 5, 5]]);
});

test('a chargeback reverses the earned cashback, which can be earned again', async () => {
  const { customer, installments, pay } = await newPurchase();
  const { reference } = await pay(1, 100, getInstant(1));
  service.clock.set(getInstant(2));
  await cashbackDriver.chargeBack(customer.id, installments[0].id, reference);
  await cashbackDriver.chargeBack(customer.id, installments[0].id, reference);
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer)), [
    ['reversed', -5, 0],
    ['earned', 5, 5],
  ]);
  assert.deepEqual(await cashbackDriver.getBalance(customer), { ...EMPTY_BALANCE, pending: 5 });
  await pay(1, 100, getInstant(3));
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer))[0], ['earned', 5, 5]);
  assert.equal((await cashbackDriver.getBalance(customer)).lifetime_earned, 5);
});

test('a payment that is reported later but arrived on time earns cashback retroactively', async () => {
  const { customer, installments, pay } = await newPurchase();
  await pay(1, 102.07, getInstant(9)); // two days late: fine 2.00, interest 0.07
  assert.equal((await cashbackDriver.getBalance(customer)).available, 0);
  const timelyPayment = await pay(1, 100, getInstant(9), { paidAt: getInstant(6) });
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer)), [['earned', 5, 5]]);
  service.clock.set(getInstant(10));
  await cashbackDriver.chargeBack(customer.id, installments[0].id, timelyPayment.reference);
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer)), [
    ['reversed', -5, 0],
    ['earned', 5, 5],
  ]);
});

test('if an extension is charged back, cashback of a payment that was on time only by the extension is reversed', async () => {
  const { customer, installments, pay } = await newPurchase();
  const extension = await pay(1, 5, getInstant(7), { purpose: 'extend' });
  await pay(1, 100, getInstant(13));
  assert.equal((await cashbackDriver.getBalance(customer)).available, 5);
  service.clock.set(getInstant(14));
  await cashbackDriver.chargeBack(customer.id, installments[0].id, extension.reference);
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer)), [
    ['reversed', -5, 0],
    ['earned', 5, 5],
  ]);
  const events = (await cashbackDriver.listEvents(customer.id)).filter(({ type }) =>
    /^installment\.(paid|reopened)$/.test(type),
  );
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.on_time, data.outstanding]),
    [
      ['installment.paid', true, undefined],
      ['installment.reopened', undefined, 0],
    ],
    'the payment was late after all, so penalties are owed, but no outstanding amount',
  );
});

test('cashback.changed is emitted with every line, and is not in the event sequence of the purchase', async () => {
  const { customer, hash, installments, pay } = await newPurchase();
  const { reference } = await pay(1, 100, getInstant(1));
  await cashbackDriver.chargeBack(customer.id, installments[0].id, reference);
  const emittedEvents = await service.db.rows(sql`
    select sequence, data from events where customer_id = ${customer.id} and type = 'cashback.changed' order by position`);
  const [reversalLine, earnedLine] = (await cashbackDriver.getStatement(customer)).data;
  assert.deepEqual(emittedEvents, [
    {
      sequence: null,
      data: { ...toEventData(earnedLine), installment_id: installments[0].id, expires_on: '2027-08-29' },
    },
    {
      sequence: null,
      data: { ...toEventData(reversalLine), installment_id: installments[0].id, expires_on: null },
    },
  ]);
  const sequences = (await cashbackDriver.listEvents(customer.id)).map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.map((_, i) => i + 1),
  );
  assert.equal(reversalLine.checkout_hash, hash);
});

const toEventData = ({
  id,
  kind,
  amount,
  balance_after: balance,
  checkout_hash,
}: Record<string, unknown>) => ({
  id,
  kind,
  amount,
  balance,
  checkout_hash,
});

test('cashback is valid until the end of its last day, and then expires even before its expiry line is written', async () => {
  const { customer, pay } = await newPurchase();
  await pay(1, 100, getInstant(1));
  service.clock.set('2027-08-30T02:59:59.000Z');
  assert.equal((await cashbackDriver.getBalance(customer)).available, 5);
  assert.equal((await cashbackDriver.getStatement(customer)).data.length, 1);
  service.clock.set('2027-08-30T03:00:00.000Z');
  const accountBeforeJob = {
    balance: await cashbackDriver.getBalance(customer),
    statement: await cashbackDriver.getStatement(customer),
  };
  assert.deepEqual(accountBeforeJob.balance, { ...EMPTY_BALANCE, lifetime_earned: 5 });
  assert.deepEqual(summarizeLines(accountBeforeJob.statement), [
    ['expired', -5, 0],
    ['earned', 5, 5],
  ]);
  assert.equal(accountBeforeJob.statement.data[0].occurred_at, '2027-08-30T03:00:00.000Z');
  service.clock.set('2027-09-20T15:00:00.000Z');
  assert.ok((await cashbackDriver.expireDueCashback()).customerCount > 0);
  assert.deepEqual(await cashbackDriver.expireDueCashback(), { customerCount: 0 });
  assert.deepEqual(
    {
      balance: await cashbackDriver.getBalance(customer),
      statement: await cashbackDriver.getStatement(customer),
    },
    accountBeforeJob,
  );
  assert.equal((await cashbackDriver.readBalances(customer.id)).cashback_owed, undefined);
});

test('only lots that have not expired are available and listed as expiring', async () => {
  const { customer, pay } = await newPurchase({ installments: 2, amount: 200 });
  await pay(1, 100, getInstant(1));
  await pay(2, 100, getInstant(3));
  service.clock.set(getInstant(182));
  assert.deepEqual(await cashbackDriver.getBalance(customer), {
    ...EMPTY_BALANCE,
    available: 5,
    expiring: [{ amount: 5, expires_on: '2027-08-31' }],
    lifetime_earned: 10,
  });
});

test('an expiry is listed before later earnings, even if its line was not written before them', async () => {
  const { customer, pay } = await newPurchase();
  await pay(1, 100, getInstant(1));
  service.clock.set(getInstant(200));
  await cashbackDriver.buyAndPay(customer, { amount: 60 });
  const { data } = await cashbackDriver.getStatement(customer);
  assert.deepEqual(summarizeLines({ data }), [
    ['earned', 3, 3],
    ['expired', -5, 0],
    ['earned', 5, 5],
  ]);
  const instants = data.map((line: { occurred_at: string }) => line.occurred_at);
  assert.deepEqual(instants, instants.toSorted().toReversed());
});

test('a reversal debits the lot that it reverses; a negative adjustment debits the lot that expires first', async () => {
  const { customer, installments, pay } = await newPurchase({ installments: 2, amount: 200 });
  await pay(1, 100, getInstant(1));
  const secondPayment = await pay(2, 100, getInstant(3));
  await customerTransaction(service.db, customer.id, (tx) =>
    adjustCashback(
      tx,
      { customer: customer.id, amountCents: -1_00, reason: 'usado', reference: null },
      { events: createModuleEvents(readConfiguration({})), now: service.clock.now() },
    ),
  );
  assert.deepEqual((await cashbackDriver.getBalance(customer)).expiring, [
    { amount: 4, expires_on: '2027-08-29' },
    { amount: 5, expires_on: '2027-08-31' },
  ]);
  await cashbackDriver.chargeBack(customer.id, installments[1].id, secondPayment.reference);
  assert.deepEqual((await cashbackDriver.getBalance(customer)).expiring, [
    { amount: 4, expires_on: '2027-08-29' },
  ]);
});

test('cashback that expired before its reversal is not debited twice', async () => {
  const { customer, installments, pay } = await newPurchase();
  const { reference } = await pay(1, 100, getInstant(1));
  service.clock.set(getInstant(200));
  await cashbackDriver.chargeBack(customer.id, installments[0].id, reference);
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer)), [
    ['expired', -5, 0],
    ['earned', 5, 5],
  ]);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('cashback of a payment reported after its last day of validity is credited and expires immediately', async () => {
  const { customer, pay } = await newPurchase();
  await pay(1, 100, getInstant(300), { paidAt: getInstant(1) });
  const statement = await cashbackDriver.getStatement(customer);
  assert.deepEqual(summarizeLines(statement), [
    ['expired', -5, 0],
    ['earned', 5, 5],
  ]);
  assert.deepEqual(
    statement.data.map((line: { occurred_at: string }) => line.occurred_at),
    [getInstant(300), getInstant(300)],
  );
  await cashbackDriver.expireDueCashback();
  assert.deepEqual(await cashbackDriver.getStatement(customer), statement);
});

test('the audit finds no mismatch after all tests above', async () => {
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});
