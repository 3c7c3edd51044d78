import { dayNumber } from '../values/day.ts';
import { type Cents, cents } from '../values/money.ts';
import { presentValue } from './rates.ts';
import type { AgreedInstallment } from './receipts.ts';

/** The part of a receipt that pays an installment, and the discount that comes with it. */
export type Share = {
  readonly installment: number;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
  readonly principal: Cents;
  readonly discount: Cents;
};

export type PaymentParts = {
  interest: number;
  fine: number;
  fee: number;
  principal: number;
  discount: number;
};
/** The part of a receipt that pays an installment, during a replay. `daysEarly`: the days between payment and agreed due day. */
export type Slot = PaymentParts & { installment: number; daysEarly: number };

export function countDaysEarly({ dueOn }: AgreedInstallment, day: number): number {
  return Math.max(0, dayNumber(dueOn) - day);
}

export const sumParts = ({ interest, fine, fee, principal }: PaymentParts) =>
  interest + fine + fee + principal;

const NO_PARTS: PaymentParts = { interest: 0, fine: 0, fee: 0, principal: 0, discount: 0 };

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

export function toShare({ installment, interest, fine, fee, principal, discount }: Slot): Share {
  return { installment, ...toPartsInCents({ interest, fine, principal, discount }), fee: cents(fee) };
}

/** Reduces the settled amount of the slot by `reduction`. What remains keeps the price of the day it was paid. */
export function reduceSlot(slot: Slot, reduction: number, { terms }: AgreedInstallment): PaymentParts {
  const settledAmount = slot.principal + slot.discount - reduction;
  const price = Math.max(
    Math.min(1, settledAmount),
    presentValue(cents(settledAmount), terms.weeklyRate, slot.daysEarly),
  );
  const principal = Math.min(slot.principal, Math.max(settledAmount - slot.discount, price));
  const takenParts = {
    ...NO_PARTS,
    principal: slot.principal - principal,
    discount: slot.discount - (settledAmount - principal),
  };
  slot.principal = principal;
  slot.discount = settledAmount - principal;
  return takenParts;
}

/** Takes an amount of principal from the slot, with its share of the discount. */
export function takePrincipal(slot: Slot, principal: number): PaymentParts {
  const computeShare = () => Number((BigInt(slot.discount) * BigInt(principal)) / BigInt(slot.principal));
  const discount = principal === slot.principal ? slot.discount : computeShare();
  slot.principal -= principal;
  slot.discount -= discount;
  return { ...NO_PARTS, principal, discount };
}

export function takeMoney(slots: readonly Slot[], amount: number): void {
  let remaining = amount;
  for (const slot of slots.toReversed()) {
    const principal = Math.min(remaining, slot.principal);
    if (principal > 0) takePrincipal(slot, principal);
    remaining -= principal;
  }
  takePenalties(slots, remaining);
}

export function takePenalties(
  slots: readonly Slot[],
  amount: number,
): Array<PaymentParts & { installment: number }> {
  let remaining = amount;
  return slots.toReversed().map((slot) => {
    const takenParts: PaymentParts = { ...NO_PARTS };
    for (const part of ['fee', 'fine', 'interest'] as const) {
      takenParts[part] = Math.min(remaining, slot[part]);
      slot[part] -= takenParts[part];
      remaining -= takenParts[part];
    }
    return { ...takenParts, installment: slot.installment };
  });
}

/** Takes an amount of money from a demand: interest, then fine, then principal. */
export function takeFromDemand(demand: Slot, amount: number): PaymentParts {
  const interest = Math.min(amount, demand.interest);
  const fine = Math.min(amount - interest, demand.fine);
  const principal = amount - interest - fine;
  demand.interest -= interest;
  demand.fine -= fine;
  const takenParts = principal > 0 ? takePrincipal(demand, principal) : NO_PARTS;
  return { ...takenParts, interest, fine };
}
