/** The limit of one customer: 150.00 at first, 250.00 after ten weeks of payments on time, lower after a late installment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { openService } from '../harness.ts';
import { createOfferDriver } from '../offer-driver.ts';
import { createPurchaseDriver } from '../purchase-driver.ts';
import { CAUTIOUS_POLICY, createCreditDriver } from '../support/credit-driver.ts';
import { BEHIND_PROXY, openSessionFor } from '../support/customers.ts';

const service = await openService(BEHIND_PROXY);
const creditDriver = createCreditDriver(service);
const driver = createPurchaseDriver(service);
const { accept, createOffer } = await createOfferDriver(service);
service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday
const WEEK_MS = 7 * DAY_MS;
const { version } = await creditDriver.setPolicy({ policy: CAUTIOUS_POLICY });
const customer = await creditDriver.signUp();
const createToken = async () => (await openSessionFor(service, customer)).token;
const getCredit = async () => creditDriver.getCredit(await createToken());

/** The number of decisions that `readNewDecisions` has returned. */
let readCount = 0;

/** Returns moment, outcome, limit and reasons of the decisions since the last call, oldest first. */
async function readNewDecisions() {
  const decisions = (await creditDriver.listDecisions(customer.id)).toReversed();
  const newDecisions = decisions.slice(readCount);
  readCount = decisions.length;
  assert.ok(
    newDecisions.every(({ policy_version }: { policy_version: number }) => policy_version === version),
  );
  return newDecisions.map(({ moment, outcome, limit, reasons }: Record<string, unknown>) => [
    moment,
    outcome,
    limit,
    ...(reasons as string[]),
  ]);
}

async function buy(amount: number) {
  service.clock.advance(1_000);
  const { id } = await createOffer(customer.phone, { amount, installments: 2 });
  const response = await accept(id, await createToken());
  assert.equal(response.status, 201, response.text);
  return response.body.installments as Array<{ id: string; amount: number }>;
}

/** Buys in two installments, and pays each on its due day, which takes two weeks. */
async function buyAndPayOnTime(amount: number) {
  for (const { id, amount: installmentAmount } of await buy(amount)) {
    service.clock.advance(WEEK_MS);
    await driver.pay(customer.id, id, installmentAmount);
  }
}

const acceptCreditOffer = async () =>
  service.post('/wallet/credit/accept', undefined, { token: await createToken() });

test('the first limit is 150.00', async () => {
  assert.equal(customer.limit, 150);
  assert.deepEqual(await readNewDecisions(), [['signup', 'approved', 150, 'first_limit']]);
});

test('after ten weeks on time 200.00 and, 30 days later, 250.00 are offered, and take effect when they are accepted', async () => {
  const limitsAfterPurchases: Array<[limit: number, offeredLimit: number | null]> = [];
  for (let purchase = 1; purchase <= 5; purchase++) {
    await buyAndPayOnTime(100);
    const { limit, offered } = await getCredit();
    limitsAfterPurchases.push([limit, offered]);
    assert.equal((await acceptCreditOffer()).status, offered === null ? 409 : 200);
  }
  assert.deepEqual(limitsAfterPurchases, [
    [150, null],
    [150, 200],
    [200, null],
    [200, null],
    [200, 250],
  ]);
  assert.equal((await getCredit()).limit, 250);
  assert.deepEqual(await readNewDecisions(), [
    ['accept', 'approved', 150, 'within_policy'],
    ['accept', 'approved', 150, 'within_policy'],
    ['growth', 'approved', 200, 'paid_on_time'],
    ['accept', 'approved', 200, 'within_policy'],
    ['accept', 'approved', 200, 'within_policy'],
    ['accept', 'approved', 200, 'within_policy'],
    ['growth', 'approved', 250, 'paid_on_time'],
  ]);
});

let lateInstallments: Array<{ id: string; amount: number }> = [];
test('the limit of a late customer falls immediately to the amount in use', async () => {
  lateInstallments = await buy(120);
  service.clock.advance(2 * WEEK_MS);
  await creditDriver.publishOverdueEvents(customer.id);
  const { limit, used, reasons } = await getCredit();
  assert.deepEqual([limit, used], [120, 120]);
  assert.equal(reasons.length, 1);
  assert.deepEqual(await readNewDecisions(), [
    ['accept', 'approved', 250, 'within_policy'],
    ['late', 'declined', 120, 'days_late'],
  ]);
});

test('after 21 days of lateness the history justifies only a quarter of 250.00, so the limit stays at 120.00', async () => {
  service.clock.advance(2 * WEEK_MS);
  // Twice the amount also covers the penalties.
  for (const { id, amount } of lateInstallments) await driver.pay(customer.id, id, 2 * amount);
  await buyAndPayOnTime(100);
  const { limit, used, offered } = await getCredit();
  assert.deepEqual([limit, used, offered], [120, 0, null]);
  assert.deepEqual(await readNewDecisions(), [
    ['late', 'approved', 120, 'worst_days_late'],
    ['accept', 'approved', 120, 'within_policy'],
  ]);
  const [{ facts }] = await creditDriver.listDecisions(customer.id);
  assert.deepEqual([facts.paid_on_time, facts.worst_days_late], [5, 21], 'five purchases were paid on time');
});
