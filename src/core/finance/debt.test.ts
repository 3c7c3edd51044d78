import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Day, day, endOfDay, type Instant, startOfDay } from '../values/day.ts';
import { HOUR_MS, MINUTE_MS } from '../values/duration.ts';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { computeDebt, type Debt, type DebtEvent, type Installment } from './debt.ts';
import { DEFAULT_TERMS, type Terms } from './terms.ts';

const DUE_ON = day('2026-03-06'); // a Friday, and a business day
const getNoonOfDay = (day: Day): Instant => startOfDay(day) + 12 * HOUR_MS;
/** Returns noon, a number of days after the due day. */
const noon = (days: number): Instant => getNoonOfDay(addDays(DUE_ON, days));
const createInstallment = (
  events: DebtEvent[] = [],
  { dueOn = DUE_ON, ...terms }: Partial<Terms> & { dueOn?: Day } = {},
): Installment => ({
  amount: cents(10_000),
  dueOn,
  terms: { ...DEFAULT_TERMS, ...terms },
  events,
});
const createPayment = (
  at: Instant,
  {
    reversedAt = null,
    ...parts
  }: { interest?: number; fine?: number; principal?: number; discount?: number; reversedAt?: Instant | null },
): DebtEvent => ({
  kind: 'payment',
  at,
  interest: cents(parts.interest ?? 0),
  fine: cents(parts.fine ?? 0),
  principal: cents(parts.principal ?? 0),
  discount: cents(parts.discount ?? 0),
  reversedAt,
});
const createExtension = (
  at: Instant,
  newDueOn: string,
  { reversedAt = null }: { reversedAt?: Instant | null } = {},
): DebtEvent => ({
  kind: 'extension',
  at,
  interest: cents(10),
  fine: cents(200),
  fee: cents(500),
  dueOn: day(newDueOn),
  reversedAt,
});
const describeDebt = ({ status, outstanding, fine, interest, totalDue, daysLate }: Debt) =>
  `${status}, ${daysLate} days late: ${outstanding} + fine ${fine} + interest ${interest} = ${totalDue}`;

test('R$ 100.00 late cost a fine of 2 % once, and interest of 1 % a month by the day', () => {
  for (const [days, interest] of [
    [1, 3], // 10000 × 1 × 0.01 / 30 = 3.33
    [2, 6], // 6.67, rounded down
    [3, 10],
    [7, 23], // 23.33
    [15, 50],
    [30, 100],
    [365, 1216], // 1216.67
  ] as const) {
    const expectedDebt = `overdue, ${days} days late: 10000 + fine 200 + interest ${interest} = ${10_200 + interest}`;
    assert.equal(describeDebt(computeDebt(createInstallment(), noon(days))), expectedDebt);
  }
});

test('an installment is not late until the São Paulo day after the due day', () => {
  const dueEnd = endOfDay(DUE_ON); // 2026-03-07T03:00:00Z
  assert.equal(
    describeDebt(computeDebt(createInstallment(), dueEnd - 1)),
    'open, 0 days late: 10000 + fine 0 + interest 0 = 10000',
  );
  assert.equal(
    describeDebt(computeDebt(createInstallment(), dueEnd)),
    'overdue, 1 days late: 10000 + fine 200 + interest 3 = 10203',
  );
});

test('an installment due on Saturday 2026-02-14 is late from Thursday the 19th, counted from Wednesday the 18th', () => {
  const installment = createInstallment([], { dueOn: day('2026-02-14') });
  const debt = computeDebt(installment, Date.parse('2026-02-19T02:59:59Z'));
  assert.deepEqual([debt.status, debt.dueOn, debt.effectiveDueOn], ['open', '2026-02-14', '2026-02-18']);
  assert.equal(
    describeDebt(computeDebt(installment, Date.parse('2026-02-19T03:00:00Z'))),
    'overdue, 1 days late: 10000 + fine 200 + interest 3 = 10203',
  );
});

test('a partial payment before the due day leaves a smaller fine', () => {
  // 40.00 outstanding at the end of the due day: fine 0.80; 4000 × 3 × 0.01 / 30 = 4.00
  assert.equal(
    describeDebt(computeDebt(createInstallment([createPayment(noon(-1), { principal: 6000 })]), noon(3))),
    'overdue, 3 days late: 4000 + fine 80 + interest 4 = 4084',
  );
});

test('a partial payment on the due day reduces the fine, even in the last second of the day', () => {
  assert.equal(
    computeDebt(createInstallment([createPayment(endOfDay(DUE_ON) - 1, { principal: 6000 })]), noon(3)).fine,
    80,
  );
  assert.equal(
    computeDebt(createInstallment([createPayment(endOfDay(DUE_ON), { principal: 6000 })]), noon(3)).fine,
    200,
  );
});

test('after a late partial payment, interest is cumulative, less the interest already paid', () => {
  // On day 3 a fine of 2.00 and interest of 0.10 are owed. 50.00 pay both and 47.90 of the amount, which leaves 52.10.
  const installment = createInstallment([
    createPayment(noon(3), { interest: 10, fine: 200, principal: 4790 }),
  ]);
  assert.equal(
    describeDebt(computeDebt(installment, noon(3))),
    'overdue, 3 days late: 5210 + fine 0 + interest 0 = 5210',
  );
  // Day 10: (10000 × 3 + 5210 × 7) × 0.01 / 30 = 66470 / 3000 = 22.16 → 22, less 10
  assert.equal(
    describeDebt(computeDebt(installment, noon(10))),
    'overdue, 10 days late: 5210 + fine 0 + interest 12 = 5222',
  );
});

test('interest paid day by day adds up to the interest of the whole period, because it is rounded once', () => {
  const events: DebtEvent[] = [];
  const dailyInterest: number[] = [];
  for (let days = 1; days <= 30; days++) {
    const { interest } = computeDebt(createInstallment(events), noon(days));
    dailyInterest.push(interest);
    events.push(createPayment(noon(days), { interest }));
  }
  assert.deepEqual(dailyInterest.slice(0, 6), [3, 3, 4, 3, 3, 4]);
  assert.equal(
    dailyInterest.reduce((a, b) => a + b),
    100,
  );
});

test('an extension clears the penalties and sets a new due day with its own fine', () => {
  const installment = createInstallment([createExtension(noon(3), '2026-03-16')]); // a Monday
  assert.equal(
    describeDebt(computeDebt(installment, noon(2))),
    'overdue, 2 days late: 10000 + fine 200 + interest 6 = 10206',
  );
  const debt = computeDebt(installment, noon(3));
  assert.deepEqual(
    [describeDebt(debt), debt.dueOn, debt.extensions],
    ['open, 0 days late: 10000 + fine 0 + interest 0 = 10000', '2026-03-16', 1],
  );
  assert.equal(
    describeDebt(computeDebt(installment, getNoonOfDay(day('2026-03-17')))),
    'overdue, 1 days late: 10000 + fine 200 + interest 3 = 10203',
  );
});

test('an extended due day on a weekend moves to the next business day', () => {
  const debt = computeDebt(
    createInstallment([createExtension(noon(0), '2026-03-14')]),
    getNoonOfDay(day('2026-03-16')),
  );
  assert.deepEqual([debt.status, debt.effectiveDueOn], ['open', '2026-03-16']);
});

test('without an outstanding amount nothing is owed, and the last payment determines when it was paid', () => {
  const debt = computeDebt(
    createInstallment([
      createPayment(noon(-9), { principal: 1000 }),
      createPayment(noon(1), { interest: 3, fine: 200, principal: 9000 }),
    ]),
    noon(40),
  );
  assert.equal(describeDebt(debt), 'paid, 0 days late: 0 + fine 0 + interest 0 = 0');
  assert.deepEqual([debt.paid, debt.paidAt, debt.settleAmount], [10_000, noon(1), 0]);
});

test('a reversed payment has effect until its reversal; then the debt is open again and interest accrues', () => {
  const installment = createInstallment([
    createPayment(noon(-1), { principal: 10_000, reversedAt: noon(10) }),
  ]);
  assert.equal(
    describeDebt(computeDebt(installment, noon(9))),
    'paid, 0 days late: 0 + fine 0 + interest 0 = 0',
  );
  // Nothing was outstanding when the due day ended, so there is no fine. From day 10 to day 13, 100.00 cost three days of interest.
  assert.equal(
    describeDebt(computeDebt(installment, noon(10))),
    'overdue, 10 days late: 10000 + fine 0 + interest 0 = 10000',
  );
  assert.equal(
    describeDebt(computeDebt(installment, noon(13))),
    'overdue, 13 days late: 10000 + fine 0 + interest 10 = 10010',
  );
});

test('a reversed extension is ignored from then on', () => {
  const installment = createInstallment([createExtension(noon(3), '2026-03-16', { reversedAt: noon(5) })]);
  assert.equal(computeDebt(installment, noon(4)).status, 'open');
  const debt = computeDebt(installment, noon(7));
  assert.deepEqual(
    [describeDebt(debt), debt.dueOn, debt.extensions],
    ['overdue, 7 days late: 10000 + fine 200 + interest 23 = 10223', DUE_ON, 0],
  );
});

test('early settlement is discounted at the weekly rate by the day; late settlement includes the penalties', () => {
  const installment = createInstallment([], { weeklyRate: ppm(20_000) });
  const computeSettlement = (daysEarly: number) => {
    const { settleAmount, settleDiscount, totalDue } = computeDebt(installment, noon(-daysEarly));
    return [settleAmount, settleDiscount, totalDue];
  };
  assert.deepEqual(computeSettlement(14), [9612, 388, 10_000]); // 100 / 1.0404 = 96.1169
  assert.deepEqual(computeSettlement(7), [9804, 196, 10_000]); // 100 / 1.02 = 98.0392
  assert.deepEqual(computeSettlement(3), [9915, 85, 10_000]); // 100 / 1.02^(3/7) = 99.1549
  assert.deepEqual(computeSettlement(0), [10_000, 0, 10_000]);
  assert.deepEqual(computeSettlement(-1), [10_203, 0, 10_203]);
});

test('between a due day on Saturday and its effective due day there is no discount for early payment', () => {
  const installment = createInstallment([], { weeklyRate: ppm(20_000), dueOn: day('2026-02-14') });
  assert.equal(computeDebt(installment, getNoonOfDay(day('2026-02-13'))).settleAmount, 9972); // 100 / 1.02^(1/7) = 99.7175
  assert.equal(computeDebt(installment, getNoonOfDay(day('2026-02-16'))).settleAmount, 10_000);
});

test('a debt of one centavo costs one centavo to settle', () => {
  const debt = computeDebt(
    { ...createInstallment([], { weeklyRate: ppm(500_000) }), amount: cents(1) },
    noon(-40),
  );
  assert.deepEqual([debt.settleAmount, debt.settleDiscount], [1, 0]);
});

test('if the price of a day is guaranteed, penalties accrue until that day, and later payments count too', () => {
  const afterMidnight = endOfDay(addDays(DUE_ON, 2)) + 10 * MINUTE_MS; // 00:10 on the third day late
  assert.equal(computeDebt(createInstallment(), afterMidnight).totalDue, 10_210);
  assert.equal(computeDebt(createInstallment(), afterMidnight, addDays(DUE_ON, 2)).totalDue, 10_206);
  assert.equal(
    computeDebt(createInstallment(), afterMidnight, addDays(DUE_ON, 9)).totalDue,
    10_210,
    'a later day than today has no effect',
  );
  assert.equal(computeDebt(createInstallment(), endOfDay(DUE_ON) + 1, DUE_ON).status, 'open');
  const partlyPaid = createInstallment([createPayment(noon(1), { interest: 3, fine: 200, principal: 4000 })]);
  assert.equal(computeDebt(partlyPaid, afterMidnight, addDays(DUE_ON, 1)).totalDue, 6000);
});

test('events may come in any order', () => {
  const events = [
    createPayment(noon(3), { interest: 10, fine: 200, principal: 4790 }),
    createPayment(noon(5), { principal: 1000 }),
    createExtension(noon(8), '2026-03-23'),
  ];
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    assert.deepEqual(
      computeDebt(createInstallment(order.map((i) => events[i]!)), noon(40)),
      computeDebt(createInstallment(events), noon(40)),
    );
  }
});

test('payments beyond the amount throw an error', () => {
  assert.throws(
    () => computeDebt(createInstallment([createPayment(noon(0), { principal: 10_001 })]), noon(1)),
    /overpaid/,
  );
});
