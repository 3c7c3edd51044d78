import type { Bilingual } from './bilingual.ts';
import { addDays, type Day } from './day.ts';
import { divHalfUp } from './exact.ts';
import { type Cents, cents, split, sum, ZERO } from './money.ts';
import { ONE, type Ppm } from './percent.ts';

export const MAX_INSTALLMENTS = 52;

/** R$ 1 billion: whatever the rate and the number of weeks, every figure of the schedule fits Cents and a Pix charge. */
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
  /** Σ amount: what was agreed. */
  readonly total: Cents;
};

export type ScheduleRefusal = {
  readonly code: 'installments_out_of_range' | 'amount_out_of_range' | 'amount_too_small';
  readonly message: Bilingual;
};

export type Purchase = {
  readonly financed: Cents;
  readonly installments: number;
  readonly weeklyRate: Ppm;
  /** The São Paulo day of the purchase. */
  readonly purchasedOn: Day;
};

/** Weekly installments of a purchase: number k falls due 7·k days after it. */
export function scheduleOf(
  purchase: Purchase,
):
  | { readonly ok: true; readonly schedule: Schedule }
  | { readonly ok: false; readonly refusal: ScheduleRefusal } {
  const { financed, installments: n } = purchase;
  if (!Number.isInteger(n) || n < 1 || n > MAX_INSTALLMENTS) {
    return refused('installments_out_of_range', {
      en: `a purchase has 1 to ${MAX_INSTALLMENTS} installments`,
      pt: `uma compra tem de 1 a ${MAX_INSTALLMENTS} parcelas`,
    });
  }
  if (financed < 1 || financed > MAX_FINANCED) {
    return refused('amount_out_of_range', {
      en: 'a purchase costs from 0.01 to 1000000000.00',
      pt: 'uma compra custa de R$ 0,01 a R$ 1.000.000.000,00',
    });
  }
  const installments = installmentsOf(purchase);
  if (installments.some(({ amount }) => amount < 1)) {
    return refused('amount_too_small', {
      en: `the amount is too small for ${n} installments of at least 0.01`,
      pt: `o valor é pequeno demais para ${n} parcelas de pelo menos R$ 0,01`,
    });
  }
  const total = sum(installments.map(({ amount }) => amount));
  return { ok: true, schedule: { installments, financed, interest: cents(total - financed), total } };
}

/** The same for a purchase after a return: as many installments on the same days, of which the last may be zero. */
export function installmentsOf({
  financed,
  installments: n,
  weeklyRate,
  purchasedOn,
}: Purchase): ScheduledInstallment[] {
  const amounts = weeklyRate === 0 ? split(financed, n) : priceAmounts(financed, weeklyRate, n);
  const interest = weeklyRate === 0 ? amounts.map(() => ZERO) : interestParts(financed, weeklyRate, amounts);
  return amounts.map((amount, i) => ({
    number: i + 1,
    dueOn: addDays(purchasedOn, 7 * (i + 1)),
    amount,
    principal: cents(amount - interest[i]!),
    interest: interest[i]!,
  }));
}

/**
 * Price table. With w = weekly rate and q = 1 + w the exact payment is p = P·w·qⁿ / (qⁿ − 1), a fraction of integers
 * here. What is agreed is n·p rounded once; every installment is p rounded, and the last is what remains of the total.
 */
function priceAmounts(financed: Cents, weeklyRate: Ppm, n: number): Cents[] {
  const { num, den } = payment(financed, weeklyRate, n);
  const each = Number(divHalfUp(num, den));
  const total = Number(divHalfUp(BigInt(n) * num, den));
  // Of a few centavos the first installments take all. No purchase begins so small, but the rest after a return can be.
  const upTo = (k: number) => (k === n ? total : Math.min(total, k * each));
  return Array.from({ length: n }, (_, i) => cents(upTo(i + 1) - upTo(i)));
}

/**
 * The interest in each installment, by rounding the exact cumulative interest of the table, k·p − P·(qᵏ − 1)/(qⁿ − 1),
 * and taking differences: none is negative, and they add up to the total less what was financed, to the centavo. Where
 * single centavos matter (tiny amounts, absurd rates) the parts are kept within bounds: no installment holds more
 * interest than its amount, and no more principal is given back than was lent.
 */
function interestParts(financed: Cents, weeklyRate: Ppm, amounts: readonly Cents[]): Cents[] {
  const n = amounts.length;
  const { num, den, growth } = payment(financed, weeklyRate, n);
  let [soFar, due] = [0, 0];
  return amounts.map((amount, i) => {
    const k = i + 1;
    // den is (Nⁿ − Dⁿ)·D with q = N/D, so (qᵏ − 1)/(qⁿ − 1) = (Nᵏ − Dᵏ)·Dⁿ⁻ᵏ·D / den.
    const repaid = BigInt(financed) * (growth ** BigInt(k) - ONE ** BigInt(k)) * ONE ** BigInt(n - k + 1);
    const cumulative = Number(divHalfUp(BigInt(k) * num - repaid, den));
    due += amount;
    const part = Math.min(Math.max(cumulative, due - financed) - soFar, amount);
    soFar += part;
    return cents(part);
  });
}

/** p = num / den, with q = N/D, N = D + weekly ppm, D = a million: P·(N − D)·Nⁿ / ((Nⁿ − Dⁿ)·D). */
function payment(financed: Cents, weeklyRate: Ppm, n: number): { num: bigint; den: bigint; growth: bigint } {
  const growth = ONE + BigInt(weeklyRate);
  const power = growth ** BigInt(n);
  return {
    num: BigInt(financed) * BigInt(weeklyRate) * power,
    den: (power - ONE ** BigInt(n)) * ONE,
    growth,
  };
}

function refused(code: ScheduleRefusal['code'], message: Bilingual): { ok: false; refusal: ScheduleRefusal } {
  return { ok: false, refusal: { code, message } };
}
