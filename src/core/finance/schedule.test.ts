import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { day, daysBetween } from '../values/day.ts';
import { cents, sum } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { buildSchedule, MAX_FINANCED, type PurchasePlan, type Schedule } from './schedule.ts';

const purchasedOn = day('2026-11-14');
const createSchedule = (financed: number, installments: number, weeklyRate = 0): Schedule => {
  const result = buildSchedule({
    financed: cents(financed),
    installments,
    weeklyRate: ppm(weeklyRate),
    purchasedOn,
  });
  assert.ok(result.ok);
  return result.schedule;
};
/** Lists amount, principal and interest of each installment. */
const listColumns = ({ installments }: Schedule) =>
  installments.map(({ amount, principal, interest }) => [amount, principal, interest]);
/** Returns the code of the refusal, or null if the schedule is possible. */
const findRefusalCode = (purchase: Partial<PurchasePlan>) => {
  const result = buildSchedule({
    financed: cents(10_000),
    installments: 3,
    weeklyRate: ppm(0),
    purchasedOn,
    ...purchase,
  });
  return result.ok ? null : result.refusal.code;
};

test('R$ 100.00 in 3 without interest: 33.34, 33.33, 33.33, a week apart', () => {
  const schedule = createSchedule(10_000, 3);
  assert.deepEqual(schedule.installments, [
    { number: 1, dueOn: '2026-11-21', amount: 3334, principal: 3334, interest: 0 },
    { number: 2, dueOn: '2026-11-28', amount: 3333, principal: 3333, interest: 0 },
    { number: 3, dueOn: '2026-12-05', amount: 3333, principal: 3333, interest: 0 },
  ]);
  assert.deepEqual([schedule.financed, schedule.interest, schedule.total], [10_000, 0, 10_000]);
});

test('R$ 100.00 in 3 at 1 % a week: 34.00, 34.00 and 34.01', () => {
  // q = 1.01, p = exact payment. q³ = 1.030301; p = 100 × 0.01 × 1.030301 / 0.030301 = 34.002211; 3p = 102.006634 → 102.01; 102.01 − 2 × 34.00 = 34.01
  // cumulative interest: 34.002211 − 33.002211 = 1.00; 68.004422 − 66.334445 = 1.669978 → 1.67; 2.006634 → 2.01
  const schedule = createSchedule(10_000, 3, 10_000);
  assert.deepEqual(listColumns(schedule), [
    [3400, 3300, 100],
    [3400, 3333, 67],
    [3401, 3367, 34],
  ]);
  assert.deepEqual([schedule.financed, schedule.interest, schedule.total], [10_000, 201, 10_201]);
});

test('R$ 1,000.00 in 4 at 2 % a week: three of 262.62 and one of 262.64', () => {
  // q⁴ = 1.08243216; p = 1000 × 0.02 × 1.08243216 / 0.08243216 = 262.623753; 4p = 1050.495011 → 1050.50
  // 3 × 262.62 = 787.86; 1050.50 − 787.86 = 262.64
  // cumulative interest k·p − 1000·(qᵏ − 1)/0.08243216: 20.00; 35.15; 45.35; 50.50
  // k = 2: 525.247505 − 1000 × 0.0404 / 0.08243216 (490.099980) = 35.147525
  // k = 3: 787.871258 − 1000 × 0.061208 / 0.08243216 (742.525733) = 45.345525 → 45.35
  assert.deepEqual(listColumns(createSchedule(100_000, 4, 20_000)), [
    [26_262, 24_262, 2000],
    [26_262, 24_747, 1515],
    [26_262, 25_242, 1020],
    [26_264, 25_749, 515],
  ]);
});

test('one installment at 1.5 % a week is the amount and a week of interest', () => {
  assert.deepEqual(listColumns(createSchedule(10_000, 1, 15_000)), [[10_150, 10_000, 150]]);
});

test('if the last installment is very small, the principal still adds up', () => {
  // 0.26 in 25 at 25.8403 %: p = 6.74 centavos, each 7, the last 169 − 168 = 1, too little for its own interest
  const { installments, total } = createSchedule(26, 25, 258_403);
  assert.deepEqual([installments[0]?.amount, installments[24]?.amount, total], [7, 1, 169]);
  assert.equal(sum(installments.map(({ principal }) => principal)), 26);
  assert.ok(installments.every(({ principal, interest }) => principal >= 0 && interest >= 0));
});

test('an impossible schedule is refused with a code', () => {
  for (const installments of [0, 53, 1.5, -1, Number.NaN])
    assert.equal(findRefusalCode({ installments }), 'installments_out_of_range');
  assert.equal(findRefusalCode({ financed: cents(0) }), 'amount_out_of_range');
  assert.equal(findRefusalCode({ financed: cents(MAX_FINANCED + 1) }), 'amount_out_of_range');
  assert.equal(findRefusalCode({ financed: cents(2) }), 'amount_too_small'); // would be 0.01, 0.01 and 0.00
  assert.equal(findRefusalCode({ financed: cents(3) }), null);
  // p = 0.5000… centavos, rounded to 1: 19 of them are more than the 10 agreed.
  assert.equal(
    findRefusalCode({ financed: cents(10), installments: 20, weeklyRate: ppm(1) }),
    'amount_too_small',
  );
  assert.equal(findRefusalCode({ financed: MAX_FINANCED, installments: 52, weeklyRate: ppm(500_000) }), null);
});

test('every schedule adds up: amounts to the total, principal to the financed amount, no negative part', () => {
  const financed = fc
    .oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: MAX_FINANCED }))
    .map(cents);
  const weeklyRate = fc
    .oneof(fc.constant(0), fc.integer({ min: 1, max: 50_000 }), fc.integer({ min: 1, max: 500_000 }))
    .map(ppm);
  fc.assert(
    fc.property(financed, fc.integer({ min: 1, max: 52 }), weeklyRate, (amount, installments, rate) => {
      const result = buildSchedule({ financed: amount, installments, weeklyRate: rate, purchasedOn });
      fc.pre(result.ok || result.refusal.code !== 'amount_too_small');
      assert.ok(result.ok);
      const { installments: scheduled, total, interest } = result.schedule;
      assert.equal(sum(scheduled.map((installment) => installment.amount)), total);
      assert.equal(sum(scheduled.map((installment) => installment.principal)), amount);
      assert.equal(sum(scheduled.map((installment) => installment.interest)), interest);
      assert.equal(total, amount + interest);
      for (const [index, installment] of scheduled.entries()) {
        const { number, dueOn } = installment;
        assert.equal(installment.amount, installment.principal + installment.interest);
        assert.ok(installment.amount > 0 && installment.principal >= 0 && installment.interest >= 0);
        assert.equal(number, index + 1);
        assert.equal(daysBetween(purchasedOn, dueOn), 7 * number);
        if (index < scheduled.length - 1 && rate !== 0)
          assert.equal(installment.amount, scheduled[0]!.amount);
      }
      // The last installment differs only by rounding: up to half a centavo for each of the others, and one for itself.
      assert.ok(Math.abs(scheduled.at(-1)!.amount - scheduled[0]!.amount) <= installments / 2 + 1);
    }),
    { numRuns: 500 },
  );
});

test('the installments, discounted at the weekly rate, equal the financed amount', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10_000, max: 10_000_000 }),
      fc.integer({ min: 1, max: 52 }),
      fc.integer({ min: 1, max: 50_000 }),
      (financed, installmentCount, rate) => {
        const presentValue = createSchedule(financed, installmentCount, rate).installments.reduce(
          (total, { amount, number }) => total + amount / (1 + rate / 1e6) ** number,
          0,
        );
        assert.ok(Math.abs(presentValue - financed) <= installmentCount / 2 + 1, `${presentValue}`);
      },
    ),
  );
});
