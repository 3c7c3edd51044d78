import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, day } from '../values/day.ts';
import { cents, MAX_CENTS } from '../values/money.ts';
import { ppm, toPercent } from '../values/percent.ts';
import { computeCet, computeScheduleCet } from './cet.ts';
import { buildSchedule } from './schedule.ts';

/** Returns the CET in percent. */
const computeCetPercents = (financed: number, flows: Array<[days: number, amount: number]>) => {
  const { year, month } = computeCet(
    financed,
    flows.map(([days, amount]) => ({ days, amount })),
  );
  return { year: toPercent(year), month: toPercent(month) };
};
const MONTH_DAYS = 365 / 12;
/** The maximum rounding error of the CET, which is rounded to 0.01 %. */
const MAX_CET_ROUNDING = 0.00005;

test('the example of the Central Bank: R$ 1,000.00 less 60.00 of fees, five monthly payments of 205.73', () => {
  // "Custo Efetivo Total (CET)", questions and answers of the Banco Central on Res. CMN 3.517/2007.
  const flows = [1, 2, 3, 4, 5].map((month): [days: number, amount: number] => [month * MONTH_DAYS, 205.73]);
  assert.deepEqual(computeCetPercents(940, flows), { year: 43.93, month: 3.08 });
});

test('the examples of the European annual percentage rate, which has the same equation', () => {
  // Directive 98/7/EC, annex III. The first counts calendar days, the others count equal months of 365/12 days.
  assert.equal(computeCetPercents(1000, [[546, 1200]]).year, 12.96);
  assert.equal(computeCetPercents(950, [[18 * MONTH_DAYS, 1200]]).year, 16.85);
  const twoYears: Array<[number, number]> = [
    [365, 600],
    [730, 600],
  ];
  assert.equal(computeCetPercents(1000, twoYears).year, 13.07);
  const quarters: Array<[number, number]> = [
    [3 * MONTH_DAYS, 272],
    [6 * MONTH_DAYS, 272],
    [12 * MONTH_DAYS, 544],
  ];
  assert.equal(computeCetPercents(1000, quarters).year, 13.19);
});

const PURCHASED_ON = day('2027-03-01');
/** Returns the CET of a schedule in ppm, or null if no such schedule is possible. */
const computeCetPpm = (financed: number, installments: number, weeklyRatePpm: number) => {
  const result = buildSchedule({
    financed: cents(financed),
    installments,
    weeklyRate: ppm(weeklyRatePpm),
    purchasedOn: PURCHASED_ON,
  });
  return result.ok ? computeScheduleCet(result.schedule, PURCHASED_ON) : null;
};

test('R$ 1,000.00 in 4 installments at 2 % a week has a CET of 180.85 %: 1.02^(365/7) − 1, which is 180.83 %, plus rounding', () => {
  assert.deepEqual(computeCetPpm(100_000, 4, 20_000), { year: ppm(1_808_500), month: ppm(89_900) });
  // With R$ 1,000,000.00, the rounding to centavos is too small to be seen.
  assert.deepEqual(computeCetPpm(100_000_000, 4, 20_000), { year: ppm(1_808_300), month: ppm(89_900) });
});

const anyFinanced = fc.integer({ min: 100, max: 100_000_000 });
const anyInstallmentCount = fc.integer({ min: 1, max: 52 });

test('without interest the CET is 0.00, also if the amount is not divisible by the number of installments', () => {
  fc.assert(
    fc.property(anyFinanced, anyInstallmentCount, (financed, installmentCount) => {
      assert.deepEqual(computeCetPpm(financed, installmentCount, 0), { year: 0, month: 0 });
    }),
  );
});

test('the CET grows with the weekly rate, and equals that rate compounded over a year, up to rounding', () => {
  const anyRatePpm = fc.integer({ min: 100, max: 50_000 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000_000, max: 100_000_000 }),
      anyInstallmentCount,
      anyRatePpm,
      anyRatePpm,
      (financed, installmentCount, weeklyRatePpm, rateIncrease) => {
        const { year, month } = computeCetPpm(financed, installmentCount, weeklyRatePpm)!;
        assert.ok(computeCetPpm(financed, installmentCount, weeklyRatePpm + rateIncrease)!.year >= year);
        const expectedYear = (1 + weeklyRatePpm / 1e6) ** (365 / 7) - 1;
        // Each installment is rounded by up to half a centavo, and the CET to a hundredth of a percent.
        const installmentRounding = (1 + expectedYear) * (365 / 7) * (0.5 / financed) * installmentCount;
        const tolerance = installmentRounding + MAX_CET_ROUNDING;
        assert.ok(Math.abs(year / 1e6 - expectedYear) <= tolerance, `${year / 1e6} and ${expectedYear}`);
        // Twelve months make a year, except for the rounding of the monthly rate: up to 0.00005 in each month.
        assert.ok(Math.abs((1 + month / 1e6) ** 12 - (1 + year / 1e6)) < 0.002 * (1 + expectedYear));
      },
    ),
  );
});

test('the CET is a number for every schedule, from one centavo to the maximum amount', () => {
  const anyAmountUpToMax = fc.oneof(
    fc.integer({ min: 1, max: 200 }),
    fc.integer({ min: 1, max: 100_000_000_000 }),
  );
  fc.assert(
    fc.property(
      anyAmountUpToMax,
      anyInstallmentCount,
      fc.integer({ min: 0, max: 200_000 }),
      (financed, installmentCount, weeklyRatePpm) => {
        const cet = computeCetPpm(financed, installmentCount, weeklyRatePpm);
        fc.pre(cet !== null);
        assert.ok(cet.year >= cet.month && cet.year <= MAX_CENTS * 2, String(cet.year));
      },
    ),
  );
});

test('with one payment, the CET is the quotient of the amounts, compounded to a year', () => {
  fc.assert(
    fc.property(
      anyFinanced,
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (financed, days, interest) => {
        fc.pre(interest <= financed / 20);
        const dueOn = addDays(PURCHASED_ON, days);
        const { year } = computeScheduleCet(
          { financed: cents(financed), installments: [{ amount: cents(financed + interest), dueOn }] },
          PURCHASED_ON,
        );
        const expectedYear = (1 + interest / financed) ** (365 / days) - 1;
        // The factor and the second term allow for errors of floating-point arithmetic.
        assert.ok(Math.abs(year / 1e6 - expectedYear) <= MAX_CET_ROUNDING * 1.002 + expectedYear * 1e-9);
      },
    ),
  );
});
