import { dayNumber } from '../values/day.ts';
import { type Cents, cents } from '../values/money.ts';
import { presentValue } from './rates.ts';
import type { AgreedInstallment } from './receipts.ts';

/** The part of a receipt that pays one installment. `discount` is not money of the receipt: it is what the customer saves by paying early. */
export type Share = {
  /** The index of the installment in its purchase. */
  readonly installmentIndex: number;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
  readonly principal: Cents;
  readonly discount: Cents;
};

/** The parts of an amount, in cents. */
export type PaymentParts = {
  interest: number;
  fine: number;
  fee: number;
  principal: number;
  discount: number;
};

/** A share that changes while the receipts and returns of a purchase are replayed. `daysEarly`: the days from the payment to the agreed due day. */
export type MutableShare = PaymentParts & { installmentIndex: number; daysEarly: number };

export function countDaysEarly({ dueOn }: AgreedInstallment, day: number): number {
  return Math.max(0, dayNumber(dueOn) - day);
}

export const sumParts = ({ interest, fine, fee, principal }: PaymentParts) =>
  interest + fine + fee + principal;

const NO_PARTS: PaymentParts = { interest: 0, fine: 0, fee: 0, principal: 0, discount: 0 };

/** Negates the parts that a transfer between installments has, which are all but the fee. */
export const negateParts = ({ interest, fine, principal, discount }: PaymentParts) => ({
  interest: -interest,
  fine: -fine,
  principal: -principal,
  discount: -discount,
});

export const toPartsInCents = ({ interest, fine, principal, discount }: Omit<PaymentParts, 'fee'>) => ({
  interest: cents(interest),
  fine: cents(fine),
  principal: cents(principal),
  discount: cents(discount),
});

export function toShare({ installmentIndex, interest, fine, fee, principal, discount }: MutableShare): Share {
  return { installmentIndex, ...toPartsInCents({ interest, fine, principal, discount }), fee: cents(fee) };
}

/**
 * Reduces the amount that a share settles, i.e. its principal and discount, and returns the parts taken from it. The remaining amount costs
 * what it would have cost on the day of the payment: its present value, at least one centavo. Neither principal nor discount grows.
 */
export function reduceShare(
  share: MutableShare,
  reduction: number,
  { terms }: AgreedInstallment,
): PaymentParts {
  const remainingAmount = share.principal + share.discount - reduction;
  const minPrice = Math.min(1, remainingAmount);
  const price = Math.max(minPrice, presentValue(cents(remainingAmount), terms.weeklyRate, share.daysEarly));
  const principal = Math.min(share.principal, Math.max(remainingAmount - share.discount, price));
  const takenParts = {
    ...NO_PARTS,
    principal: share.principal - principal,
    discount: share.discount - (remainingAmount - principal),
  };
  share.principal = principal;
  share.discount = remainingAmount - principal;
  return takenParts;
}

/** Takes an amount of principal from a share, with the discount in proportion, and returns the parts taken. */
export function takePrincipal(share: MutableShare, principal: number): PaymentParts {
  const discount =
    principal === share.principal
      ? share.discount // also if both are zero
      : Number((BigInt(share.discount) * BigInt(principal)) / BigInt(share.principal));
  share.principal -= principal;
  share.discount -= discount;
  return { ...NO_PARTS, principal, discount };
}

/** Takes an amount of money from shares: first the principal, then penalties, each from the last share on. */
export function takeMoney(shares: readonly MutableShare[], amount: number): void {
  let remaining = amount;
  for (const share of shares.toReversed()) {
    const principal = Math.min(remaining, share.principal);
    if (principal > 0) takePrincipal(share, principal);
    remaining -= principal;
  }
  takePenalties(shares, remaining);
}

/** Takes an amount of fees, fines and interest from shares, the last first. Returns the parts taken from each share. */
export function takePenalties(
  shares: readonly MutableShare[],
  amount: number,
): Array<PaymentParts & { installmentIndex: number }> {
  let remaining = amount;
  return shares.toReversed().map((share) => {
    const takenParts: PaymentParts = { ...NO_PARTS };
    for (const part of ['fee', 'fine', 'interest'] as const) {
      takenParts[part] = Math.min(remaining, share[part]);
      share[part] -= takenParts[part];
      remaining -= takenParts[part];
    }
    return { ...takenParts, installmentIndex: share.installmentIndex };
  });
}

/** Takes the amount of a payment from a demand, i.e. a share that is still to be paid: interest, then fine, then principal. */
export function takeFromDemand(demand: MutableShare, amount: number): PaymentParts {
  const interest = Math.min(amount, demand.interest);
  const fine = Math.min(amount - interest, demand.fine);
  const principal = amount - interest - fine;
  demand.interest -= interest;
  demand.fine -= fine;
  const takenParts = principal > 0 ? takePrincipal(demand, principal) : NO_PARTS;
  return { ...takenParts, interest, fine };
}
