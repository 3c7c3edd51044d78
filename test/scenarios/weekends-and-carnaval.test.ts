import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { openService } from '../harness.ts';
import { openShop } from '../shop.ts';

const service = await openService();
const shop = openShop(service);

/** Sells a purchase at noon, a week before the due day, in one installment of R$ 100.00. */
async function sellWithDueDay(day: string): Promise<string> {
  const soldAt = new Date(Date.parse(`${day}T15:00:00Z`) - 7 * DAY_MS);
  service.clock.set(soldAt.toISOString());
  const { hash, next_due_on } = await shop.sell(await shop.newShopper());
  assert.equal(next_due_on, day);
  return hash;
}

/** Returns status, due day, effective due day, fine, interest and days late of the installment at a time. */
async function readInstallmentAt(instant: string, hash: string) {
  service.clock.set(instant);
  const { status, installments, amounts } = await shop.getCheckout(hash);
  const [{ effective_due_on, penalty, due_on }] = installments;
  assert.equal(status, installments[0].status);
  assert.equal(amounts.penalties, penalty.total);
  return [status, due_on, effective_due_on, penalty.fine, penalty.interest, penalty.days_late];
}

test('an installment due on a Wednesday is overdue from midnight in São Paulo, 03:00 UTC', async () => {
  const hash = await sellWithDueDay('2027-03-10');
  assert.deepEqual(await readInstallmentAt('2027-03-11T02:59:59.999Z', hash), [
    'open',
    '2027-03-10',
    '2027-03-10',
    0,
    0,
    0,
  ]);
  assert.deepEqual(await readInstallmentAt('2027-03-11T03:00:00.000Z', hash), [
    'overdue',
    '2027-03-10',
    '2027-03-10',
    2,
    0.03,
    1,
  ]);
  assert.deepEqual((await readInstallmentAt('2027-03-13T15:00:00Z', hash)).slice(3), [2, 0.1, 3]);
  assert.deepEqual((await readInstallmentAt('2027-03-17T15:00:00Z', hash)).slice(3), [2, 0.23, 7]);
  assert.deepEqual((await readInstallmentAt('2027-04-09T15:00:00Z', hash)).slice(3), [2, 1, 30]);
});

test('an installment due on a Saturday can be paid on Monday, and late days count from Monday', async () => {
  const hash = await sellWithDueDay('2027-03-13');
  assert.deepEqual(await readInstallmentAt('2027-03-16T02:59:59.999Z', hash), [
    'open',
    '2027-03-13',
    '2027-03-15',
    0,
    0,
    0,
  ]);
  assert.deepEqual((await readInstallmentAt('2027-03-16T03:00:00Z', hash)).slice(3), [2, 0.03, 1]);
});

test('an installment due on Saturday 2026-02-14 can be paid on Wednesday the 18th, because Carnaval Monday and Tuesday are bank holidays', async () => {
  const hash = await sellWithDueDay('2026-02-14');
  assert.deepEqual(await readInstallmentAt('2026-02-19T02:59:59.999Z', hash), [
    'open',
    '2026-02-14',
    '2026-02-18',
    0,
    0,
    0,
  ]);
  assert.deepEqual(await readInstallmentAt('2026-02-19T03:00:00Z', hash), [
    'overdue',
    '2026-02-14',
    '2026-02-18',
    2,
    0.03,
    1,
  ]);
});

test('an installment due on Friday 25 December 2026 can be paid on the Monday after Christmas', async () => {
  const hash = await sellWithDueDay('2026-12-25');
  assert.deepEqual((await readInstallmentAt('2026-12-29T02:59:59.999Z', hash)).slice(0, 3), [
    'open',
    '2026-12-25',
    '2026-12-28',
  ]);
  assert.equal((await readInstallmentAt('2026-12-29T03:00:00Z', hash))[0], 'overdue');
});
