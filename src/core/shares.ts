import { dayNumber } from './day.ts';
import { type Cents, cents } from './money.ts';
import { presentValue } from './rates.ts';
import type { Agreed } from './receipts.ts';

/** The part of a receipt that pays an installment, and the discount that comes with it. */
export type Share = {
  readonly installment: number;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
  readonly principal: Cents;
  readonly discount: Cents;
};

export type Parts = { interest: number; fine: number; fee: number; principal: number; discount: number };
/** `daysEarly`: how many days before the originally agreed day it was paid. */
export type Slot = Parts & { installment: number; daysEarly: number };

export function daysBefore({ dueOn }: Agreed, day: number): number {
  return Math.max(0, dayNumber(dueOn) - day);
}

export const moneyOf = ({ interest, fine, fee, principal }: Parts) => interest + fine + fee + principal;

const NOTHING: Parts = { interest: 0, fine: 0, fee: 0, principal: 0, discount: 0 };

export const negative = ({ interest, fine, principal, discount }: Parts) => ({
  interest: -interest,
  fine: -fine,
  principal: -principal,
  discount: -discount,
});

export const inCents = ({ interest, fine, principal, discount }: Omit<Parts, 'fee'>) => ({
  interest: cents(interest),
  fine: cents(fine),
  principal: cents(principal),
  discount: cents(discount),
});

export function toShare({ installment, interest, fine, fee, principal, discount }: Slot): Share {
  return { installment, ...inCents({ interest, fine, principal, discount }), fee: cents(fee) };
}

/** Reduces what the slot settles of its installment by `down`. The rest keeps the price it had on its day. */
export function takeDown(slot: Slot, down: number, { terms }: Agreed): Parts {
  const kept = slot.principal + slot.discount - down;
  const price = Math.max(Math.min(1, kept), presentValue(cents(kept), terms.weeklyRate, slot.daysEarly));
  const principal = Math.min(slot.principal, Math.max(kept - slot.discount, price));
  const taken = {
    ...NOTHING,
    principal: slot.principal - principal,
    discount: slot.discount - (kept - principal),
  };
  slot.principal = principal;
  slot.discount = kept - principal;
  return taken;
}

/** Takes an amount of principal, with its share of the discount. */
export function takePrincipal(slot: Slot, principal: number): Parts {
  const share = () => Number((BigInt(slot.discount) * BigInt(principal)) / BigInt(slot.principal));
  const discount = principal === slot.principal ? slot.discount : share();
  slot.principal -= principal;
  slot.discount -= discount;
  return { ...NOTHING, principal, discount };
}

/** Takes an amount of money, principal first. */
export function takeMoney(slots: readonly Slot[], amount: number): void {
  let rest = amount;
  for (const slot of slots.toReversed()) {
    const principal = Math.min(rest, slot.principal);
    if (principal > 0) takePrincipal(slot, principal);
    rest -= principal;
  }
  takePenalties(slots, rest);
}

/** Takes an amount of the paid fees, fines and interest. */
export function takePenalties(
  slots: readonly Slot[],
  amount: number,
): Array<Parts & { installment: number }> {
  let rest = amount;
  return slots.toReversed().map((slot) => {
    const taken: Parts = { ...NOTHING };
    for (const part of ['fee', 'fine', 'interest'] as const) {
      taken[part] = Math.min(rest, slot[part]);
      slot[part] -= taken[part];
      rest -= taken[part];
    }
    return { ...taken, installment: slot.installment };
  });
}

/** Cuts an amount of money off a demand: interest, then fine, then principal. */
export function cut(open: Slot, amount: number): Parts {
  const interest = Math.min(amount, open.interest);
  const fine = Math.min(amount - interest, open.fine);
  const principal = amount - interest - fine;
  open.interest -= interest;
  open.fine -= fine;
  const taken = principal > 0 ? takePrincipal(open, principal) : NOTHING;
  return { ...taken, interest, fine };
}
