import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/duration.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { ANA } from '../../test/shop.ts';
import { linesOf, openPurse } from '../../test/support/rewards.ts';
import { eventsOf, readConfiguration } from '../modules.ts';
import { adjustCashback } from './adjust-cashback.ts';

const service = await openService();
const purse = openPurse(service);

// A Monday: what is bought then falls due on Mondays.
const MONDAY = '2027-03-01T15:00:00.000Z';
const at = (days: number, time = '15:00:00') =>
  `${new Date(Date.parse(MONDAY) + days * DAY_MS).toISOString().slice(0, 10)}T${time}.000Z`;

async function newPurchase(order: Record<string, unknown> = {}, cashback?: number) {
  service.clock.set(MONDAY);
  const by = await purse.newShopper();
  const { hash, installments } = await purse.sell(by, order, cashback);
  const pay = (number: number, reais: number, on: string, more = {}) => {
    service.clock.set(on);
    return purse.pay(by.id, installments[number - 1].id, reais, more);
  };
  return { by, hash, installments, pay };
}

const NOTHING = { available: 0, pending: 0, expiring: [], lifetime_earned: 0 };

test('the demo: Ana has what six installments and an invitation brought', async () => {
  const { available, lifetime_earned, expiring } = await purse.balance(ANA);
  assert.deepEqual([available, lifetime_earned], [28, 28]);
  assert.equal(expiring.length, 7);
  assert.deepEqual(await purse.disagreements(), []);
});

test('who has bought nothing has nothing', async () => {
  const by = await purse.newShopper();
  assert.deepEqual(await purse.balance(by), NOTHING);
  const { data, pagination } = await purse.statement(by);
  assert.deepEqual([data, pagination.total, pagination.pages], [[], 0, 0]);
});

test('paid on the due day: the percentage of the amount, rounded down to the centavo, for 180 days', async () => {
  // 2.5 % of 33.34 is 0.8335; the other two are 33.33, each 0.83325.
  const { by, hash, pay } = await newPurchase({ installments: 3 }, 2.5);
  assert.deepEqual(await purse.balance(by), { ...NOTHING, pending: 2.49 });
  await pay(1, 33.34, at(7));
  assert.deepEqual(await purse.balance(by), {
    available: 0.83,
    pending: 1.66,
    expiring: [{ amount: 0.83, expires_on: '2027-09-04' }],
    lifetime_earned: 0.83,
  });
  const { data, pagination } = await purse.statement(by);
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
    occurred_at: at(7),
    expires_on: '2027-09-04',
  });
  assert.deepEqual(await purse.balances(by.id), {
    cashback_expense: 83,
    cashback_owed: -83,
    merchant_payable: -10_000,
    pix_clearing: 33_34,
    receivable: 66_66,
  });
});

test('up to the last second of the effective due day in São Paulo, and not one later', async () => {
  for (const [instant, available] of [
    [at(8, '02:59:59'), 5],
    [at(8, '03:00:00'), 0],
  ] as const) {
    const { by, pay } = await newPurchase();
    await pay(1, 200, instant);
    assert.equal((await purse.balance(by)).available, available, instant);
  }
});

test('due on a Saturday, paid on the Monday after: in time', async () => {
  service.clock.set('2027-02-27T15:00:00.000Z');
  const by = await purse.newShopper();
  const { installments } = await purse.sell(by);
  assert.deepEqual([installments[0].due_on, installments[0].effective_due_on], ['2027-03-06', '2027-03-08']);
  service.clock.set('2027-03-08T20:00:00.000Z');
  await purse.pay(by.id, installments[0].id, 100);
  assert.equal((await purse.balance(by)).available, 5);
});

test('too little to be a centavo earns nothing, and there is no line of nothing', async () => {
  const { by, pay } = await newPurchase({ amount: 1.99 }, 0.5);
  await pay(1, 1.99, at(1));
  assert.deepEqual((await purse.statement(by)).data, []);
});

test('late, it earns nothing; and from the day it is late it is no longer pending', async () => {
  const { by, pay } = await newPurchase();
  service.clock.set(at(7));
  assert.equal((await purse.balance(by)).pending, 5);
  service.clock.set(at(8));
  assert.equal((await purse.balance(by)).pending, 0);
  await pay(1, 102.03, at(8));
  assert.deepEqual(await purse.balance(by), NOTHING);
});

test('in parts: earned whole with the part that settles it, if that is in time', async () => {
  const { by, pay } = await newPurchase();
  await pay(1, 60, at(2));
  assert.equal((await purse.balance(by)).available, 0);
  await pay(1, 40, at(6));
  assert.deepEqual(linesOf(await purse.statement(by)), [['earned', 5, 5]]);
});

test('extended after it was late, and settled by the new due day: in time', async () => {
  const { by, installments, pay } = await newPurchase();
  service.clock.set(at(9));
  const options = (await purse.look((await purse.ask(by, '/wallet/checkouts')).body.data[0].hash))
    .installments[0].pix_options;
  const extend = options.find(({ type }: { type: string }) => type === 'extend').value;
  await purse.pay(by.id, installments[0].id, extend, { purpose: 'extend' });
  assert.equal((await purse.balance(by)).pending, 5);
  await pay(1, 100, at(16));
  assert.equal((await purse.balance(by)).available, 5);
});

test('paid early at a weekly rate: the percentage of the whole amount, not of the reduced price', async () => {
  const { by, pay } = await newPurchase({ terms: { weekly_rate_percent: 2 } });
  await pay(1, 100, at(0));
  // One installment of 102.00.
  assert.equal((await purse.balance(by)).available, 5.1);
});

test('the same money told twice, at once: earned once', async () => {
  const { by, installments } = await newPurchase();
  const reference = 'E00000000000000000000000000000000X';
  await Promise.all([1, 2, 3].map(() => purse.pay(by.id, installments[0].id, 100, { reference })));
  assert.deepEqual(linesOf(await purse.statement(by)), [['earned', 5, 5]]);
});

test('taken back by the payer’s bank: what it had earned is taken back with it, and can be earned again', async () => {
  const { by, installments, pay } = await newPurchase();
  const { reference } = await pay(1, 100, at(1));
  service.clock.set(at(2));
  await purse.takeBack(by.id, installments[0].id, reference);
  await purse.takeBack(by.id, installments[0].id, reference);
  assert.deepEqual(linesOf(await purse.statement(by)), [
    ['reversed', -5, 0],
    ['earned', 5, 5],
  ]);
  assert.deepEqual(await purse.balance(by), { ...NOTHING, pending: 5 });
  await pay(1, 100, at(3));
  assert.deepEqual(linesOf(await purse.statement(by))[0], ['earned', 5, 5]);
  assert.equal((await purse.balance(by)).lifetime_earned, 5);
});

test('paid late, then it turns out that it had been paid in time: earned after all', async () => {
  const { by, installments, pay } = await newPurchase();
  await pay(1, 102.07, at(9));
  assert.equal((await purse.balance(by)).available, 0);
  const inTime = await pay(1, 100, at(9), { at: at(6) });
  assert.deepEqual(linesOf(await purse.statement(by)), [['earned', 5, 5]]);
  service.clock.set(at(10));
  await purse.takeBack(by.id, installments[0].id, inTime.reference);
  assert.deepEqual(linesOf(await purse.statement(by)), [
    ['reversed', -5, 0],
    ['earned', 5, 5],
  ]);
});

test('settled in time only thanks to an extension, and the extension is taken back: taken back', async () => {
  const { by, installments, pay } = await newPurchase();
  const extension = await pay(1, 5, at(7), { purpose: 'extend' });
  await pay(1, 100, at(13));
  assert.equal((await purse.balance(by)).available, 5);
  service.clock.set(at(14));
  await purse.takeBack(by.id, installments[0].id, extension.reference);
  assert.deepEqual(linesOf(await purse.statement(by)), [
    ['reversed', -5, 0],
    ['earned', 5, 5],
  ]);
  const told = (await purse.events(by.id)).filter(({ type }) => /^installment\.(paid|reopened)$/.test(type));
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.on_time, data.outstanding]),
    [
      ['installment.paid', true, undefined],
      ['installment.reopened', undefined, 0],
    ],
    'it was late after all, and the penalties of that are owed',
  );
});

test('cashback.changed is emitted with every line; it is the customer’s, and not numbered with the purchase', async () => {
  const { by, hash, installments, pay } = await newPurchase();
  const { reference } = await pay(1, 100, at(1));
  await purse.takeBack(by.id, installments[0].id, reference);
  const told = await service.db.rows(sql`
    select sequence, data from events where customer_id = ${by.id} and type = 'cashback.changed' order by position`);
  const lines = (await purse.statement(by)).data;
  assert.deepEqual(told, [
    {
      sequence: null,
      data: { ...shortOf(lines[1]), installment_id: installments[0].id, expires_on: '2027-08-29' },
    },
    { sequence: null, data: { ...shortOf(lines[0]), installment_id: installments[0].id, expires_on: null } },
  ]);
  const numbers = (await purse.events(by.id)).map(({ sequence }) => sequence);
  assert.deepEqual(
    numbers,
    numbers.map((_, i) => i + 1),
  );
  assert.equal(lines[0].checkout_hash, hash);
});

const shortOf = ({ id, kind, amount, balance_after: balance, checkout_hash }: Record<string, unknown>) => ({
  id,
  kind,
  amount,
  balance,
  checkout_hash,
});

test('it counts through its last day; the next morning it is gone, written down or not', async () => {
  const { by, pay } = await newPurchase();
  await pay(1, 100, at(1));
  service.clock.set('2027-08-30T02:59:59.000Z');
  assert.equal((await purse.balance(by)).available, 5);
  assert.equal((await purse.statement(by)).data.length, 1);
  service.clock.set('2027-08-30T03:00:00.000Z');
  const before = { balance: await purse.balance(by), statement: await purse.statement(by) };
  assert.deepEqual(before.balance, { ...NOTHING, lifetime_earned: 5 });
  assert.deepEqual(linesOf(before.statement), [
    ['expired', -5, 0],
    ['earned', 5, 5],
  ]);
  assert.equal(before.statement.data[0].occurred_at, '2027-08-30T03:00:00.000Z');
  service.clock.set('2027-09-20T15:00:00.000Z');
  assert.ok((await purse.expire()).customers > 0);
  assert.deepEqual(await purse.expire(), { customers: 0 });
  assert.deepEqual({ balance: await purse.balance(by), statement: await purse.statement(by) }, before);
  assert.equal((await purse.balances(by.id)).cashback_owed, undefined);
});

test('oldest first: what expires next is what is left of the oldest', async () => {
  const { by, pay } = await newPurchase({ installments: 2, amount: 200 });
  await pay(1, 100, at(1));
  await pay(2, 100, at(3));
  service.clock.set(at(182));
  assert.deepEqual(await purse.balance(by), {
    ...NOTHING,
    available: 5,
    expiring: [{ amount: 5, expires_on: '2027-08-31' }],
    lifetime_earned: 10,
  });
});

test('what had expired stands before what is earned after it, though it was not written down yet', async () => {
  const { by, pay } = await newPurchase();
  await pay(1, 100, at(1));
  service.clock.set(at(200));
  await purse.earn(by, { amount: 60 });
  const { data } = await purse.statement(by);
  assert.deepEqual(linesOf({ data }), [
    ['earned', 3, 3],
    ['expired', -5, 0],
    ['earned', 5, 5],
  ]);
  const instants = data.map((line: { occurred_at: string }) => line.occurred_at);
  assert.deepEqual(instants, instants.toSorted().toReversed());
});

test('taken back is what it had earned, not what expires first; what expires first is used first', async () => {
  const { by, installments, pay } = await newPurchase({ installments: 2, amount: 200 });
  await pay(1, 100, at(1));
  const second = await pay(2, 100, at(3));
  await customerTransaction(service.db, by.id, (tx) =>
    adjustCashback(
      tx,
      { customer: by.id, amountCents: -1_00, reason: 'usado', reference: null },
      { events: eventsOf(readConfiguration({})), now: service.clock.now() },
    ),
  );
  assert.deepEqual((await purse.balance(by)).expiring, [
    { amount: 4, expires_on: '2027-08-29' },
    { amount: 5, expires_on: '2027-08-31' },
  ]);
  await purse.takeBack(by.id, installments[1].id, second.reference);
  assert.deepEqual((await purse.balance(by)).expiring, [{ amount: 4, expires_on: '2027-08-29' }]);
});

test('what had expired before it was taken back is not taken twice', async () => {
  const { by, installments, pay } = await newPurchase();
  const { reference } = await pay(1, 100, at(1));
  service.clock.set(at(200));
  await purse.takeBack(by.id, installments[0].id, reference);
  assert.deepEqual(linesOf(await purse.statement(by)), [
    ['expired', -5, 0],
    ['earned', 5, 5],
  ]);
  assert.deepEqual(await purse.disagreements(), []);
});

test('heard of after its last day: it came and went', async () => {
  const { by, pay } = await newPurchase();
  await pay(1, 100, at(300), { at: at(1) });
  const statement = await purse.statement(by);
  assert.deepEqual(linesOf(statement), [
    ['expired', -5, 0],
    ['earned', 5, 5],
  ]);
  assert.deepEqual(
    statement.data.map((line: { occurred_at: string }) => line.occurred_at),
    [at(300), at(300)],
  );
  await purse.expire();
  assert.deepEqual(await purse.statement(by), statement);
});

test('everything above agrees with the book', async () => {
  assert.deepEqual(await purse.disagreements(), []);
});
