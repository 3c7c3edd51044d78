import { effectiveDueDay } from './calendar.ts';
import { type Day, dayFromNumber, dayNumber, type Instant, saoPauloDay, saoPauloDayNumber } from './day.ts';
import { type Cents, cents, ZERO } from './money.ts';
import { fineOn, lateInterestOn } from './penalty.ts';
import { presentValue } from './rates.ts';
import type { Terms } from './terms.ts';

/**
 * Money that was taken, in parts. It counts from `at` until the payer's bank took it back, if it did: while it was held
 * nothing was owed for it, and from `reversedAt` on the debt is open again.
 */
export type Payment = {
  readonly kind: 'payment';
  readonly at: Instant;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly principal: Cents;
  /** Given back for paying early, on top of the principal. */
  readonly discount: Cents;
  readonly reversedAt: Instant | null;
};

/** A paid extension: the penalties of the old due day are settled by it and a new due day holds. */
export type Extension = {
  readonly kind: 'extension';
  readonly at: Instant;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
  readonly dueOn: Day;
  readonly reversedAt: Instant | null;
};

/** An amount forgiven without money moving. */
export type Reduction = { readonly kind: 'reduction'; readonly at: Instant; readonly cents: Cents };

export type DebtEvent = Payment | Extension | Reduction;

/** The facts of one installment. Events in any order; of those at the same instant, the first in the list was first. */
export type Installment = {
  readonly amount: Cents;
  /** As agreed, before any extension. */
  readonly dueOn: Day;
  readonly terms: Terms;
  readonly events: readonly DebtEvent[];
};

export type InstallmentStatus = 'open' | 'overdue' | 'paid';

/** What is owed on an installment at an instant. amount = paid + discount + outstanding. */
export type Debt = {
  readonly status: InstallmentStatus;
  /** The São Paulo day of the instant. */
  readonly today: Day;
  readonly dueOn: Day;
  readonly effectiveDueOn: Day;
  readonly daysLate: number;
  readonly amount: Cents;
  /** Paid on the amount itself, penalties and fees not counted. */
  readonly paid: Cents;
  readonly discount: Cents;
  readonly outstanding: Cents;
  readonly fine: Cents;
  readonly interest: Cents;
  /** Outstanding and penalties. */
  readonly totalDue: Cents;
  /** What closes the debt now: the total due, less the reduction for paying early. */
  readonly settleAmount: Cents;
  readonly settleDiscount: Cents;
  readonly extensions: number;
  readonly paidAt: Instant | null;
};

/**
 * What is owed at an instant. `pricedOn` holds a price: days are then counted up to that day if it is earlier, while
 * payments count up to the instant all the same (a charge made at 23:50 may be paid at 00:10 at its price).
 */
export function debtAt(installment: Installment, at: Instant, pricedOn?: Day): Debt {
  const { amount, terms } = installment;
  const state = stateAt(installment, at);
  const { dueOn, outstanding } = state;
  const todayNumber = saoPauloDayNumber(at);
  const priceDay = pricedOn === undefined ? todayNumber : Math.min(todayNumber, dayNumber(pricedOn));
  const effectiveDueOn = effectiveDueDay(dueOn);
  const dueNumber = dayNumber(effectiveDueOn);
  const late = outstanding > 0 && priceDay > dueNumber;
  // Penalties follow the debt: with nothing outstanding there are none.
  const penalty = late ? penaltiesDue(installment, state, dueNumber, priceDay) : NO_PENALTY;
  const settlePrincipal = late ? outstanding : earlyPrice(state, terms, dayNumber(dueOn) - priceDay);
  return {
    status: outstanding === 0 ? 'paid' : late ? 'overdue' : 'open',
    today: dayFromNumber(todayNumber),
    dueOn,
    effectiveDueOn,
    daysLate: late ? priceDay - dueNumber : 0,
    amount,
    paid: state.paid,
    discount: state.discount,
    outstanding,
    ...penalty,
    totalDue: cents(outstanding + penalty.fine + penalty.interest),
    settleAmount: cents(settlePrincipal + penalty.fine + penalty.interest),
    settleDiscount: cents(outstanding - settlePrincipal),
    extensions: state.extensions,
    paidAt: outstanding === 0 ? state.lastPaidAt : null,
  };
}

const NO_PENALTY = { fine: ZERO, interest: ZERO };

/** A change of what is outstanding: down with a payment, up again with its reversal. */
type Move = { readonly day: number; readonly down: number };

type State = {
  readonly dueOn: Day;
  readonly extensions: number;
  readonly paid: Cents;
  readonly discount: Cents;
  readonly outstanding: Cents;
  /** Penalties paid since the due day that holds now began to hold. */
  readonly finePaid: number;
  readonly interestPaid: number;
  readonly moves: readonly Move[];
  readonly lastPaidAt: Instant | null;
  readonly paidThisInstant: number;
};

function stateAt({ amount, dueOn, events }: Installment, at: Instant): State {
  let due = dueOn;
  let [extensions, paid, discount, finePaid, interestPaid, paidThisInstant] = [0, 0, 0, 0, 0, 0];
  let lastPaidAt: Instant | null = null;
  const moves: Move[] = [];
  for (const event of inOrder(events)) {
    if (event.at > at) break;
    const reversedAt = event.kind === 'reduction' ? null : event.reversedAt;
    const reversed = reversedAt !== null && reversedAt <= at;
    if (event.kind === 'extension') {
      if (reversed) continue;
      due = event.dueOn;
      extensions += 1;
      [finePaid, interestPaid] = [0, 0];
      continue;
    }
    const down = event.kind === 'payment' ? event.principal + event.discount : event.cents;
    moves.push({ day: saoPauloDayNumber(event.at), down });
    if (reversed) {
      moves.push({ day: saoPauloDayNumber(reversedAt), down: -down });
      continue;
    }
    lastPaidAt = event.at;
    if (event.kind === 'reduction') {
      discount += event.cents;
      continue;
    }
    paid += event.principal;
    discount += event.discount;
    finePaid += event.fine;
    interestPaid += event.interest;
    if (event.at === at) paidThisInstant += event.principal;
  }
  const outstanding = cents(amount - paid - discount);
  if (outstanding < 0) throw new RangeError(`more was paid on an installment than its amount of ${amount}`);
  return {
    dueOn: due,
    extensions,
    paid: cents(paid),
    discount: cents(discount),
    outstanding,
    finePaid,
    interestPaid,
    moves,
    lastPaidAt,
    paidThisInstant,
  };
}

/**
 * Each day late costs interest on what was outstanding when the day before ended: on the first day late, on what the
 * due day left unpaid. So nothing paid today changes today's penalties, in one piece or in many; what was already paid
 * of them is taken off the cumulative figures.
 */
function penaltiesDue(
  { amount, terms }: Installment,
  { moves, finePaid, interestPaid }: State,
  dueNumber: number,
  until: number,
): { fine: Cents; interest: Cents } {
  let leftUnpaid = amount as number;
  let centavoDays = 0n;
  for (const { day, down } of moves) {
    if (day <= dueNumber) leftUnpaid -= down;
    else if (day < until) centavoDays -= BigInt(down) * BigInt(until - day);
  }
  centavoDays += BigInt(leftUnpaid) * BigInt(until - dueNumber);
  const fine = fineOn(cents(leftUnpaid), terms.fine);
  const interest = lateInterestOn(centavoDays, terms.lateInterest);
  return { fine: cents(Math.max(0, fine - finePaid)), interest: cents(Math.max(0, interest - interestPaid)) };
}

/**
 * The principal that closes a debt `days` before it is due (CDC art. 52 §2). Payments at this very instant are one
 * payment in several pieces, so the price is that of what was outstanding before them, less the pieces. At least one
 * centavo, since nothing cannot be charged.
 */
function earlyPrice({ outstanding, paidThisInstant }: State, { weeklyRate }: Terms, days: number): Cents {
  if (outstanding === 0) return ZERO;
  const price = presentValue(cents(outstanding + paidThisInstant), weeklyRate, days) - paidThisInstant;
  return cents(Math.max(1, price));
}

/** By instant, ties as listed. Facts are nearly always in order already. */
export function inOrder<T extends { readonly at: Instant }>(events: readonly T[]): readonly T[] {
  for (let i = 1; i < events.length; i++) {
    if (events[i]!.at < events[i - 1]!.at) return events.toSorted((a, b) => a.at - b.at);
  }
  return events;
}

/** Whether what was settled then was settled by its effective due day. */
export function isOnTime(settledAt: Instant, effectiveDueOn: Day): boolean {
  return saoPauloDay(settledAt) <= effectiveDueOn;
}
