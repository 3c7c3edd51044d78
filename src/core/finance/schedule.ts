import type { Bilingual } from '../values/bilingual.ts';
import { addDays, type Day } from '../values/day.ts';
import { divHalfUp } from '../values/exact.ts';
import { type Cents, cents, split, sum, ZERO } from '../values/money.ts';
import { PPM_PER_ONE, type Ppm } from '../values/percent.ts';

export const MAX_INSTALLMENTS = 52;

/** R$ 1 billion. Whatever the rate and the number of weeks, every figure of the schedule fits into Cents and a Pix charge. */
export const MAX_FINANCED = cents(100_000_000_000);

export type ScheduledInstallment = {
  readonly number: number;
  readonly dueOn: Day;
  readonly amount: Cents;
  /** The parts of the amount: repayment of the loan, and interest. */
  readonly principal: Cents;
  readonly interest: Cents;
};

export type Schedule = {
  readonly installments: readonly ScheduledInstallment[];
  /** Σ principal. */
  readonly financed: Cents;
  /** Σ interest: the cost of the credit. */
  readonly interest: Cents;
  /** Σ amount: the agreed total. */
  readonly total: Cents;
};

export type ScheduleRefusal = {
  readonly code: 'installments_out_of_range' | 'amount_out_of_range' | 'amount_too_small';
  readonly message: Bilingual;
};

export type PurchasePlan = {
  readonly financed: Cents;
  readonly installments: number;
  readonly weeklyRate: Ppm;
  readonly purchasedOn: Day;
};

/** Builds the weekly installments of a purchase: number k is due 7·k days after the purchase. */
export function buildSchedule(
  purchase: PurchasePlan,
):
  | { readonly ok: true; readonly schedule: Schedule }
  | { readonly ok: false; readonly refusal: ScheduleRefusal } {
  const { financed, installments: n } = purchase;
  if (!Number.isInteger(n) || n < 1 || n > MAX_INSTALLMENTS) {
    return toRefusal('installments_out_of_range', {
      en: `a purchase has 1 to ${MAX_INSTALLMENTS} installments`,
      pt: `uma compra tem de 1 a ${MAX_INSTALLMENTS} parcelas`,
    });
  }
  if (financed < 1 || financed > MAX_FINANCED) {
    return toRefusal('amount_out_of_range', {
      en: 'a purchase costs from 0.01 to 1000000000.00',
      pt: 'uma compra custa de R$ 0,01 a R$ 1.000.000.000,00',
    });
  }
  const installments = buildInstallments(purchase);
  if (installments.some(({ amount }) => amount < 1)) {
    return toRefusal('amount_too_small', {
      en: `the amount is too small for ${n} installments of at least 0.01`,
      pt: `o valor é pequeno demais para ${n} parcelas de pelo menos R$ 0,01`,
    });
  }
  const total = sum(installments.map(({ amount }) => amount));
  return { ok: true, schedule: { installments, financed, interest: cents(total - financed), total } };
}

/** Like `buildSchedule`, without limits. A return keeps the number of installments and their due days, so the last amounts may be zero. */
export function buildInstallments({
  financed,
  installments: n,
  weeklyRate,
  purchasedOn,
}: PurchasePlan): ScheduledInstallment[] {
  const amounts = weeklyRate === 0 ? split(financed, n) : computePriceAmounts(financed, weeklyRate, n);
  const interest = weeklyRate === 0 ? amounts.map(() => ZERO) : splitInterest(financed, weeklyRate, amounts);
  return amounts.map((amount, i) => ({
    number: i + 1,
    dueOn: addDays(purchasedOn, 7 * (i + 1)),
    amount,
    principal: cents(amount - interest[i]!),
    interest: interest[i]!,
  }));
}

/**
 * Computes amounts by the Price table (French amortisation). With w = weekly rate and q = 1 + w the exact payment is
 * p = P·w·qⁿ / (qⁿ − 1), computed here as a fraction of integers. The agreed total is n·p rounded once. Every installment is p
 * rounded; the last is the remainder of the total.
 */
function computePriceAmounts(financed: Cents, weeklyRate: Ppm, n: number): Cents[] {
  const { num, den } = computePayment(financed, weeklyRate, n);
  const installmentAmount = Number(divHalfUp(num, den));
  const total = Number(divHalfUp(BigInt(n) * num, den));
  // The first installments take all of an amount of a few centavos. Only the remainder after a return can be so small.
  const cumulativeAmount = (k: number) => (k === n ? total : Math.min(total, k * installmentAmount));
  return Array.from({ length: n }, (_, i) => cents(cumulativeAmount(i + 1) - cumulativeAmount(i)));
}

/**
 * Computes the interest in each installment by rounding the exact cumulative interest of the table, k·p − P·(qᵏ − 1)/(qⁿ − 1),
 * and taking differences: none is negative, and they add up to the total less the financed amount, to the centavo. Where
 * single centavos matter (tiny amounts, absurd rates) the parts stay within bounds: no installment contains more
 * interest than its amount, and no more principal is repaid than was lent.
 */
function splitInterest(financed: Cents, weeklyRate: Ppm, amounts: readonly Cents[]): Cents[] {
  const n = amounts.length;
  const { num, den, growth } = computePayment(financed, weeklyRate, n);
  let [interestSoFar, amountSoFar] = [0, 0];
  return amounts.map((amount, i) => {
    const k = i + 1;
    // den is (Nⁿ − Dⁿ)·D with q = N/D, so (qᵏ − 1)/(qⁿ − 1) = (Nᵏ − Dᵏ)·Dⁿ⁻ᵏ·D / den.
    const repaidTimesDen =
      BigInt(financed) * (growth ** BigInt(k) - PPM_PER_ONE ** BigInt(k)) * PPM_PER_ONE ** BigInt(n - k + 1);
    const cumulativeInterest = Number(divHalfUp(BigInt(k) * num - repaidTimesDen, den));
    amountSoFar += amount;
    // Whatever was paid beyond the loan is interest.
    const cumulativePart = Math.max(cumulativeInterest, amountSoFar - financed);
    const part = Math.min(cumulativePart - interestSoFar, amount);
    interestSoFar += part;
    return cents(part);
  });
}

/** Computes the exact payment p = num / den = P·(N − D)·Nⁿ / ((Nⁿ − Dⁿ)·D), with D = a million, N = D + weekly ppm (`growth`), q = N/D. */
function computePayment(
  financed: Cents,
  weeklyRate: Ppm,
  n: number,
): { num: bigint; den: bigint; growth: bigint } {
  const growth = PPM_PER_ONE + BigInt(weeklyRate);
  const power = growth ** BigInt(n);
  return {
    num: BigInt(financed) * BigInt(weeklyRate) * power,
    den: (power - PPM_PER_ONE ** BigInt(n)) * PPM_PER_ONE,
    growth,
  };
}

function toRefusal(
  code: ScheduleRefusal['code'],
  message: Bilingual,
): { ok: false; refusal: ScheduleRefusal } {
  return { ok: false, refusal: { code, message } };
}
