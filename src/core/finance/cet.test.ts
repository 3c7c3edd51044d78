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
/** Half a hundredth of a percent, to which the CET is rounded. */
const HALF_BASIS_POINT = 0.00005;

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

const FROM = day('2027-03-01');
/** Returns the CET of a schedule in ppm, or null if no such schedule is possible. */
const computeCetPpm = (financed: number, installments: number, weeklyRatePpm: number) => {
  const result = buildSchedule({
    financed: cents(financed),
    installments,
    weeklyRate: ppm(weeklyRatePpm),
    purchasedOn: FROM,
  });
  return result.ok ? computeScheduleCet(result.schedule, FROM) : null;
};

test('R$ 1000.00 in 4 at 2 % a week: 1.02^(365/7) − 1 is 180.83 %; rounding the total up by half a centavo makes it 180.85 %', () => {
  assert.deepEqual(computeCetPpm(100_000, 4, 20_000), { year: ppm(1_808_500), month: ppm(89_900) });
  assert.deepEqual(computeCetPpm(100_000_000, 4, 20_000), { year: ppm(1_808_300), month: ppm(89_900) });
});

const amount = fc.integer({ min: 100, max: 100_000_000 });
const weeks = fc.integer({ min: 1, max: 52 });

test('without interest the CET is 0.00, whatever the odd centavos', () => {
  fc.assert(
    fc.property(amount, weeks, (financed, installmentCount) => {
      assert.deepEqual(computeCetPpm(financed, installmentCount, 0), { year: 0, month: 0 });
    }),
  );
});

test('the CET grows with the weekly rate, and equals that rate compounded over a year, up to rounding', () => {
  const rate = fc.integer({ min: 100, max: 50_000 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000_000, max: 100_000_000 }),
      weeks,
      rate,
      rate,
      (financed, installmentCount, weeklyRatePpm, increase) => {
        const { year, month } = computeCetPpm(financed, installmentCount, weeklyRatePpm)!;
        assert.ok(computeCetPpm(financed, installmentCount, weeklyRatePpm + increase)!.year >= year);
        const expectedYear = (1 + weeklyRatePpm / 1e6) ** (365 / 7) - 1;
        // Each installment is rounded by up to half a centavo, and the CET to a hundredth of a percent.
        const installmentRounding = (1 + expectedYear) * (365 / 7) * (0.5 / financed) * installmentCount;
        const tolerance = installmentRounding + HALF_BASIS_POINT;
        assert.ok(Math.abs(year / 1e6 - expectedYear) <= tolerance, `${year / 1e6} and ${expectedYear}`);
        // Twelve months make a year, except for the rounding of the monthly rate.
        assert.ok(Math.abs((1 + month / 1e6) ** 12 - (1 + year / 1e6)) < 0.002 * (1 + expectedYear));
      },
    ),
  );
});

test('the CET is a number for every schedule, from one centavo to the maximum amount', () => {
  const anyAmount = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 100_000_000_000 }));
  fc.assert(
    fc.property(
      anyAmount,
      weeks,
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
      amount,
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (financed, days, extra) => {
        fc.pre(extra <= financed / 20);
        const due = addDays(FROM, days);
        const { year } = computeScheduleCet(
          { financed: cents(financed), installments: [{ amount: cents(financed + extra), dueOn: due }] },
          FROM,
        );
        const expectedYear = (1 + extra / financed) ** (365 / days) - 1;
        // The second term is the error of floating-point arithmetic.
        assert.ok(Math.abs(year / 1e6 - expectedYear) <= HALF_BASIS_POINT * 1.002 + expectedYear * 1e-9);
      },
    ),
  );
});
