import { type Day, daysBetween } from '../values/day.ts';
import type { Cents } from '../values/money.ts';
import { type Ppm, ppm } from '../values/percent.ts';

/** The total cost of a credit as an effective interest rate (Custo Efetivo Total, CDC art. 54-B), per year and per month. */
export type Cet = { readonly month: Ppm; readonly year: Ppm };

/** An amount due a number of days after the credit was granted. */
type Flow = { readonly amount: number; readonly days: number };

/**
 * Computes the internal rate of return: Σ amount / (1 + year)^(days / 365) = financed (the equation of Res. CMN 4.881, a year of 365
 * days), and month = (1 + year)^(1/12) − 1 of the unrounded year. Both are rounded half up to hundredths of a percent,
 * as all amounts here and spreadsheets are.
 */
export function computeCet(financed: number, flows: readonly Flow[]): Cet {
  const rate = solveDailyRate(financed, flows);
  return {
    month: roundToBasisPoint(Math.expm1((rate * 365) / 12)),
    year: roundToBasisPoint(Math.expm1(rate * 365)),
  };
}

export function computeScheduleCet(
  { financed, installments }: { financed: Cents; installments: ReadonlyArray<{ amount: Cents; dueOn: Day }> },
  purchasedOn: Day,
): Cet {
  const flows = installments.map(({ amount, dueOn }) => ({ amount, days: daysBetween(purchasedOn, dueOn) }));
  return computeCet(financed, flows);
}

/**
 * Solves for the continuous daily rate r with Σ amount · e^(−r·days) = financed. The sum decreases and is convex in r, so Newton's method
 * from zero, where it is not below the financed amount, approaches the one root without passing it. The method ends when the step is
 * below the precision of doubles.
 */
function solveDailyRate(financed: number, flows: readonly Flow[]): number {
  let rate = 0;
  for (;;) {
    // `slope` is the negative derivative of the sum.
    let [excess, slope] = [-financed, 0];
    for (const { amount, days } of flows) {
      const value = amount * Math.exp(-rate * days);
      excess += value;
      slope += value * days;
    }
    const nextRate = rate + excess / slope;
    if (!(nextRate > rate)) return rate;
    rate = nextRate;
  }
}

/** Rounds a rate to 0.01 %, which is a hundred parts per million. */
function roundToBasisPoint(rate: number): Ppm {
  return ppm(Math.floor(rate * 10_000 + 0.5) * 100);
}
