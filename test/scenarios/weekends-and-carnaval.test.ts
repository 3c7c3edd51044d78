import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { openService } from '../harness.ts';
import { createPurchaseDriver } from '../purchase-driver.ts';

const service = await openService();
const driver = createPurchaseDriver(service);

/** Sells a purchase at noon, a week before the due day, in one installment of R$ 100.00. */
async function sellWithDueDay(day: string): Promise<string> {
  const soldAt = new Date(Date.parse(`${day}T15:00:00Z`) - 7 * DAY_MS);
  service.clock.set(soldAt.toISOString());
  const { hash, next_due_on } = await driver.sell(await driver.createCustomer());
  assert.equal(next_due_on, day);
  return hash;
}

/** Sets the clock and reads the only installment of the purchase. Checks that the purchase has its status and penalty. */
async function readInstallmentAt(instant: string, hash: string) {
  service.clock.set(instant);
  const { status, installments, amounts } = await driver.getCheckout(hash);
  const [{ status: installmentStatus, effective_due_on, penalty, due_on }] = installments;
  assert.equal(status, installmentStatus);
  assert.equal(amounts.penalties, penalty.total);
  const { fine, interest, days_late } = penalty;
  return { state: { status, due_on, effective_due_on }, penalty: { fine, interest, days_late } };
}

// A penalty is a fine of 2 % of R$ 100.00, and interest of 1 % a month: 100.00 × days × 1 % / 30, rounded down to the centavo.
const NO_PENALTY = { fine: 0, interest: 0, days_late: 0 };

test('an installment due on a Wednesday is overdue from midnight in São Paulo, 03:00 UTC', async () => {
  const hash = await sellWithDueDay('2027-03-10');
  assert.deepEqual(await readInstallmentAt('2027-03-11T02:59:59.999Z', hash), {
    state: { status: 'open', due_on: '2027-03-10', effective_due_on: '2027-03-10' },
    penalty: NO_PENALTY,
  });
  assert.deepEqual(await readInstallmentAt('2027-03-11T03:00:00.000Z', hash), {
    state: { status: 'overdue', due_on: '2027-03-10', effective_due_on: '2027-03-10' },
    penalty: { fine: 2, interest: 0.03, days_late: 1 },
  });
  assert.deepEqual((await readInstallmentAt('2027-03-13T15:00:00Z', hash)).penalty, {
    fine: 2,
    interest: 0.1,
    days_late: 3,
  });
  assert.deepEqual((await readInstallmentAt('2027-03-17T15:00:00Z', hash)).penalty, {
    fine: 2,
    interest: 0.23,
    days_late: 7,
  });
  assert.deepEqual((await readInstallmentAt('2027-04-09T15:00:00Z', hash)).penalty, {
    fine: 2,
    interest: 1,
    days_late: 30,
  });
});

test('an installment due on a Saturday can be paid on Monday, and late days count from Monday', async () => {
  const hash = await sellWithDueDay('2027-03-13');
  assert.deepEqual(await readInstallmentAt('2027-03-16T02:59:59.999Z', hash), {
    state: { status: 'open', due_on: '2027-03-13', effective_due_on: '2027-03-15' },
    penalty: NO_PENALTY,
  });
  assert.deepEqual((await readInstallmentAt('2027-03-16T03:00:00Z', hash)).penalty, {
    fine: 2,
    interest: 0.03,
    days_late: 1,
  });
});

test('an installment due on Saturday 2026-02-14 can be paid on Wednesday the 18th, because Carnaval Monday and Tuesday are bank holidays', async () => {
  const hash = await sellWithDueDay('2026-02-14');
  assert.deepEqual(await readInstallmentAt('2026-02-19T02:59:59.999Z', hash), {
    state: { status: 'open', due_on: '2026-02-14', effective_due_on: '2026-02-18' },
    penalty: NO_PENALTY,
  });
  assert.deepEqual(await readInstallmentAt('2026-02-19T03:00:00Z', hash), {
    state: { status: 'overdue', due_on: '2026-02-14', effective_due_on: '2026-02-18' },
    penalty: { fine: 2, interest: 0.03, days_late: 1 },
  });
});

test('an installment due on Friday 25 December 2026 can be paid on the Monday after Christmas', async () => {
  const hash = await sellWithDueDay('2026-12-25');
  assert.deepEqual((await readInstallmentAt('2026-12-29T02:59:59.999Z', hash)).state, {
    status: 'open',
    due_on: '2026-12-25',
    effective_due_on: '2026-12-28',
  });
  assert.equal((await readInstallmentAt('2026-12-29T03:00:00Z', hash)).state.status, 'overdue');
});
