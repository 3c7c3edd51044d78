import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { createLog } from '#platform/observability/log.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPurchaseDriver, OPERATOR_KEY, type TestCustomer } from '../../../test/purchase-driver.ts';
import { createModuleEvents, readConfiguration } from '../../modules.ts';
import { publishAllOverdue } from './publish-overdue.ts';

const service = await openService();
const { db, clock } = service;
const driver = createPurchaseDriver(service);
// The jobs of the node use the same clock, which this test controls.
const deps = { db, clock, events: createModuleEvents(readConfiguration({})), log: createLog('silent') };
const publishEvents = () => publishAllOverdue(deps);

// A Friday, so that all due days are Fridays.
const START = '2027-03-05T15:00:00.000Z';
/** Sells a purchase of R$ 30.00 to a new customer at START. */
const buy = async ({ installments = 3 } = {}) => {
  clock.set(START);
  const customer = await driver.createCustomer();
  const { hash, installments: soldInstallments } = await driver.sell(customer, { amount: 30, installments });
  return { customer, hash, ids: soldInstallments.map(({ id }: { id: string }) => id) as string[] };
};
const buyInOneInstallment = () => buy({ installments: 1 });
/** Lists the overdue events of a customer: 'checkout', or number and due day of the installment. */
const listPublished = async (customer: TestCustomer) =>
  (await driver.listEvents(customer.id))
    .filter(({ type }) => type.endsWith('.overdue'))
    .map(({ type, data }) => (type === 'checkout.overdue' ? 'checkout' : `${data.number} of ${data.due_on}`));

test('overdue events are published once after midnight, with the outstanding amount; for the purchase only with its first installment', async () => {
  const { customer, hash, ids } = await buy();
  clock.set('2027-03-13T02:59:59.999Z'); // still the due day in São Paulo
  await publishEvents();
  assert.deepEqual(await listPublished(customer), []);
  clock.set('2027-03-13T03:00:00.000Z');
  await publishEvents();
  await publishEvents();
  assert.deepEqual(await listPublished(customer), ['1 of 2027-03-12', 'checkout']);
  const [firstEvent] = (await driver.listEvents(customer.id)).filter(
    ({ type }) => type === 'installment.overdue',
  );
  assert.deepEqual(firstEvent!.data, {
    checkout_hash: hash,
    installment_id: ids[0],
    number: 1,
    installments_total: 3,
    merchant: 'padaria-flor-do-trigo',
    offer_id: null,
    reference: null,
    merchant_name: 'Padaria Flor do Trigo',
    due_on: '2027-03-12',
    effective_due_on: '2027-03-12',
    outstanding: 10,
  });
  clock.set('2027-03-20T15:00:00.000Z');
  await publishEvents();
  assert.deepEqual(await listPublished(customer), ['1 of 2027-03-12', 'checkout', '2 of 2027-03-19']);
});

test('a late run publishes all missed events; setting the clock back repeats nothing', async () => {
  const { customer } = await buy();
  clock.set('2027-04-30T15:00:00.000Z');
  await publishEvents();
  // The 26th is Good Friday, so its effective due day is the following Monday.
  const expectedEvents = ['1 of 2027-03-12', '2 of 2027-03-19', '3 of 2027-03-26', 'checkout'];
  assert.deepEqual(await listPublished(customer), expectedEvents);
  clock.set(START);
  await publishEvents();
  clock.set('2027-04-30T15:00:00.000Z');
  await publishEvents();
  assert.deepEqual(await listPublished(customer), expectedEvents);
});

test('an installment paid in time has no event; the purchase has a second event only if it was not overdue in between', async () => {
  const { customer, ids } = await buy();
  clock.set('2027-03-13T15:00:00.000Z');
  await publishEvents();
  await driver.pay(customer.id, ids[0]!, 20); // more than the R$ 10 and the penalties of a day
  clock.set('2027-03-18T15:00:00.000Z');
  await driver.pay(customer.id, ids[1]!, 10);
  clock.set('2027-03-30T15:00:00.000Z');
  await publishEvents();
  assert.deepEqual(await listPublished(customer), [
    '1 of 2027-03-12',
    'checkout',
    '3 of 2027-03-26',
    'checkout',
  ]);
});

test('an installment that is extended and overdue again has one more event for the new due day', async () => {
  const { customer, ids } = await buyInOneInstallment();
  clock.set('2027-03-13T15:00:00.000Z');
  await publishEvents();
  await driver.pay(customer.id, ids[0]!, 20, { purpose: 'extend' });
  await publishEvents();
  assert.deepEqual(await listPublished(customer), ['1 of 2027-03-12', 'checkout']);
  clock.set('2027-03-30T15:00:00.000Z');
  await publishEvents();
  await publishEvents();
  const { due_on } = (await driver.listEvents(customer.id)).findLast(
    ({ type }) => type === 'installment.overdue',
  )!.data;
  assert.ok(due_on > '2027-03-13');
  assert.deepEqual(await listPublished(customer), [
    '1 of 2027-03-12',
    'checkout',
    `1 of ${due_on}`,
    'checkout',
  ]);
});

test('concurrent runs publish each event once; a failure for one customer does not stop the others', async () => {
  const purchases = [await buyInOneInstallment(), await buyInOneInstallment(), await buyInOneInstallment()];
  clock.set('2027-03-30T15:00:00.000Z');
  await Promise.all([publishEvents(), publishEvents(), publishEvents()]);
  for (const { customer } of purchases)
    assert.deepEqual(await listPublished(customer), ['1 of 2027-03-12', 'checkout']);

  const [failingPurchase, otherPurchase] = [await buyInOneInstallment(), await buyInOneInstallment()];
  clock.set('2027-03-30T15:00:00.000Z');
  const { emit } = deps.events;
  const failingEvents = {
    emit: (...emitArguments: Parameters<typeof emit>) =>
      emitArguments[1].customerId === failingPurchase.customer.id
        ? Promise.reject(new Error('no'))
        : emit(...emitArguments),
  } as typeof deps.events;
  await assert.rejects(publishAllOverdue({ ...deps, events: failingEvents }), /of 1 customers/);
  assert.deepEqual(
    [await listPublished(failingPurchase.customer), await listPublished(otherPurchase.customer)],
    [[], ['1 of 2027-03-12', 'checkout']],
  );
  await publishEvents();
  assert.deepEqual(
    await listPublished(failingPurchase.customer),
    ['1 of 2027-03-12', 'checkout'],
    'the next run publishes them',
  );
});

test('moving the clock of the sandbox forward triggers overdue events', async () => {
  const { customer } = await buyInOneInstallment();
  const clockChange = { key: OPERATOR_KEY, body: { advance: 'P10D' } };
  assert.equal((await service.staff('POST', '/sandbox/clock', clockChange)).status, 200);
  await eventually('the events are published', async () => (await listPublished(customer)).length === 2);
  await service.staff('DELETE', '/sandbox/clock', { key: OPERATOR_KEY });
});

test('the query for unpublished overdue installments uses its index', async () => {
  await db.transaction(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`);
    const plan = await tx.rows<Record<'QUERY PLAN', string>>(sql`
      explain select distinct effective_due_on, customer_id from installments
      where paid_at is null and not (effective_due_on = any (overdue_told)) and effective_due_on < '2027-03-01'
        and (effective_due_on, customer_id) > ('2027-01-01'::date, 'x') order by 1, 2 limit 500`);
    assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /installments_untold/);
  });
});
