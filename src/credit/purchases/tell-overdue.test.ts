import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openLog } from '#platform/observability/log.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { OPERATOR_KEY, openShop, type Shopper } from '../../../test/shop.ts';
import { eventsOf, readConfiguration } from '../../modules.ts';
import { tellAllOverdue } from './tell-overdue.ts';

const service = await openService();
const { db, clock } = service;
const shop = openShop(service);
// The node's jobs use its clock, which this test controls.
const parts = { db, clock, events: eventsOf(readConfiguration({})), log: openLog('silent') };
const tell = () => tellAllOverdue(parts);

// A Friday: what is bought then falls due on Fridays.
const START = '2027-03-05T15:00:00.000Z';
const buy = async (installments = 3, by?: Shopper) => {
  clock.set(START);
  const shopper = by ?? (await shop.newShopper());
  const { hash, installments: all } = await shop.sell(shopper, { amount: 30, installments });
  return { by: shopper, hash, ids: all.map(({ id }: { id: string }) => id) as string[] };
};
const told = async (by: Shopper) =>
  (await shop.events(by.id))
    .filter(({ type }) => type.endsWith('.overdue'))
    .map(({ type, data }) => (type === 'checkout.overdue' ? 'checkout' : `${data.number} of ${data.due_on}`));

test('told once when the day turns, with what is owed; the purchase with its first installment only', async () => {
  const { by, hash, ids } = await buy();
  clock.set('2027-03-13T02:59:59.999Z'); // still the due day in São Paulo
  await tell();
  assert.deepEqual(await told(by), []);
  clock.set('2027-03-13T03:00:00.000Z');
  await tell();
  await tell();
  assert.deepEqual(await told(by), ['1 of 2027-03-12', 'checkout']);
  const [first] = (await shop.events(by.id)).filter(({ type }) => type === 'installment.overdue');
  assert.deepEqual(first!.data, {
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
  await tell();
  assert.deepEqual(await told(by), ['1 of 2027-03-12', 'checkout', '2 of 2027-03-19']);
});

test('a late run makes up for all that was missed; a clock turned back repeats nothing', async () => {
  const { by } = await buy();
  clock.set('2027-04-30T15:00:00.000Z');
  await tell();
  // Good Friday: the effective due day is the Monday after.
  const all = ['1 of 2027-03-12', '2 of 2027-03-19', '3 of 2027-03-26', 'checkout'];
  assert.deepEqual(await told(by), all);
  clock.set(START);
  await tell();
  clock.set('2027-04-30T15:00:00.000Z');
  await tell();
  assert.deepEqual(await told(by), all);
});

test('paid in between: no event; the purchase is announced again only if it was not overdue in between', async () => {
  const { by, ids } = await buy();
  clock.set('2027-03-13T15:00:00.000Z');
  await tell();
  await shop.pay(by.id, ids[0]!, 20);
  clock.set('2027-03-18T15:00:00.000Z');
  await shop.pay(by.id, ids[1]!, 10);
  clock.set('2027-03-30T15:00:00.000Z');
  await tell();
  assert.deepEqual(await told(by), ['1 of 2027-03-12', 'checkout', '3 of 2027-03-26', 'checkout']);
});

test('extended and overdue again: told again, once for the new due day', async () => {
  const { by, ids } = await buy(1);
  clock.set('2027-03-13T15:00:00.000Z');
  await tell();
  await shop.pay(by.id, ids[0]!, 20, { purpose: 'extend' });
  await tell();
  assert.deepEqual(await told(by), ['1 of 2027-03-12', 'checkout']);
  clock.set('2027-03-30T15:00:00.000Z');
  await tell();
  await tell();
  const { due_on } = (await shop.events(by.id)).findLast(({ type }) => type === 'installment.overdue')!.data;
  assert.ok(due_on > '2027-03-13');
  assert.deepEqual(await told(by), ['1 of 2027-03-12', 'checkout', `1 of ${due_on}`, 'checkout']);
});

test('concurrent runs announce once; a failure for one customer does not stop the others', async () => {
  const purchases = [await buy(1), await buy(1), await buy(1)];
  clock.set('2027-03-30T15:00:00.000Z');
  await Promise.all([tell(), tell(), tell()]);
  for (const { by } of purchases) assert.deepEqual(await told(by), ['1 of 2027-03-12', 'checkout']);

  const [bad, good] = [await buy(1), await buy(1)];
  clock.set('2027-03-30T15:00:00.000Z');
  const { emit } = parts.events;
  const failing = {
    emit: (...words: Parameters<typeof emit>) =>
      words[1].customerId === bad.by.id ? Promise.reject(new Error('no')) : emit(...words),
  } as typeof parts.events;
  await assert.rejects(tellAllOverdue({ ...parts, events: failing }), /of 1 customers/);
  assert.deepEqual([await told(bad.by), await told(good.by)], [[], ['1 of 2027-03-12', 'checkout']]);
  await tell();
  assert.deepEqual(await told(bad.by), ['1 of 2027-03-12', 'checkout'], 'the next run makes up for it');
});

test('when the clock of the sandbox is moved on, overdue events follow soon', async () => {
  const { by } = await buy(1);
  const move = { key: OPERATOR_KEY, body: { advance: 'P10D' } };
  assert.equal((await service.staff('POST', '/sandbox/clock', move)).status, 200);
  await eventually('told', async () => (await told(by)).length === 2);
  await service.staff('DELETE', '/sandbox/clock', { key: OPERATOR_KEY });
});

test('looking for what is to be told reads its index only, whatever else there is', async () => {
  await db.transaction(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`);
    const plan = await tx.rows<Record<'QUERY PLAN', string>>(sql`
      explain select distinct effective_due_on, customer_id from installments
      where paid_at is null and not (effective_due_on = any (overdue_told)) and effective_due_on < '2027-03-01'
        and (effective_due_on, customer_id) > ('2027-01-01'::date, 'x') order by 1, 2 limit 500`);
    assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /installments_untold/);
  });
});
