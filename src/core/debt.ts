import { effectiveDueDay } from './calendar.ts';
import { type Day, dayFromNumber, dayNumber, type Instant, saoPauloDay, saoPauloDayNumber } from './day.ts';
import { type Cents, cents, ZERO } from './money.ts';
import { fineOn, lateInterestOn } from './penalty.ts';
import { presentValue } from './rates.ts';
import type { Terms } from './terms.ts';

/**
 * A payment, in its parts. It counts from `at` until the payer's bank reversed it, if it did: in between nothing is owed for it,
 * and from `reversedAt` on the debt is open again.
 */
export type Payment = {
  readonly kind: 'payment';
  readonly at: Instant;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly principal: Cents;
  /** The discount for early payment, on top of the principal. */
  readonly discount: Cents;
  /** The day of the price that the paid charge had fixed. */
  readonly pricedOn?: Day | null;
  readonly reversedAt: Instant | null;
};

/** A paid extension: it settles the penalties of the old due day and sets a new one. */
export type Extension = {
  readonly kind: 'extension';
  readonly at: Instant;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly fee: Cents;
  readonly dueOn: Day;
  readonly reversedAt: Instant | null;
};

/**
 * A return: the installment is smaller from then on, or by rounding some centavos larger. If the whole purchase is returned it
 * becomes zero, with neither penalties nor payments left.
 */
export type Return = {
  readonly kind: 'return';
  readonly at: Instant;
  readonly returned: Cents;
  readonly whole: boolean;
};

/**
 * Money moved by a return: negative leaves the installment, positive replaces it. It is not a payment: the instant of settlement
 * does not change.
 */
type Transfer = Omit<Payment, 'kind' | 'pricedOn'> & { readonly kind: 'transfer' };

export type DebtEvent = Payment | Extension | Return | Transfer;

/** The facts of one installment. Events in any order; at the same instant the order of the list counts. */
export type Installment = {
  readonly amount: Cents;
  /** As agreed, before any extension. */
  readonly dueOn: Day;
  readonly terms: Terms;
  readonly events: readonly DebtEvent[];
};

export type InstallmentStatus = 'open' | 'overdue' | 'paid';

/** What is owed on an installment at an instant. amount = paid + discount + returned + outstanding. */
export type Debt = {
  readonly status: InstallmentStatus;
  /** The São Paulo day of the instant. */
  readonly today: Day;
  readonly dueOn: Day;
  readonly effectiveDueOn: Day;
  readonly daysLate: number;
  readonly amount: Cents;
  /** Paid on the amount itself, without penalties and fees. */
  readonly paid: Cents;
  readonly discount: Cents;
  /** The reduction of the installment by returns; rounding can make it slightly negative. */
  readonly returned: Cents;
  readonly outstanding: Cents;
  readonly fine: Cents;
  readonly interest: Cents;
  /** Outstanding and penalties. */
  readonly totalDue: Cents;
  /** Calendar days before the originally agreed day: an extension costs no interest, so it gives no discount. */
  readonly daysEarly: number;
  /** What settles the debt now: the total due, less the discount for early payment. */
  readonly settleAmount: Cents;
  readonly settleDiscount: Cents;
  readonly extensions: number;
  readonly paidAt: Instant | null;
  readonly chargesPaid: ChargesPaid;
};

/** What was paid on top of the amount, and neither went back nor was taken back. */
export type ChargesPaid = { readonly fine: Cents; readonly interest: Cents; readonly extensionFee: Cents };

/**
 * What is owed at an instant. `pricedOn` fixes a price: days are counted up to that day if it is earlier, while payments count up
 * to the instant (a charge made at 23:50 may be paid at 00:10 at its price).
 */
export function debtAt(installment: Installment, at: Instant, pricedOn?: Day): Debt {
  const { amount, terms } = installment;
  const state = stateAt(installment, at);
  const { dueOn, outstanding } = state;
  const todayNumber = saoPauloDayNumber(at);
  const priceDay = pricedOn === undefined ? todayNumber : Math.min(todayNumber, dayNumber(pricedOn));
  const effectiveDueOn = effectiveDueDay(dueOn);
  const dueNumber = dayNumber(effectiveDueOn);
  const penalty = state.isWhole ? NO_PENALTY : penaltiesDue(installment, state, dueNumber, priceDay);
  const penalties = penalty.fine + penalty.interest;
  // Penalties can be outstanding alone: their payment was reversed after the amount was settled.
  const isPaid = outstanding === 0 && penalties === 0;
  const isOverdue = !isPaid && (outstanding === 0 || priceDay > dueNumber);
  const daysEarly = Math.max(0, dayNumber(installment.dueOn) - priceDay);
  // At least one centavo, since zero cannot be charged (CDC art. 52 §2).
  const settlePrincipal = Math.max(
    Math.min(1, outstanding),
    presentValue(outstanding, terms.weeklyRate, daysEarly),
  );
  return {
    status: isPaid ? 'paid' : isOverdue ? 'overdue' : 'open',
    today: dayFromNumber(todayNumber),
    dueOn,
    effectiveDueOn,
    daysLate: isOverdue ? Math.max(0, priceDay - dueNumber) : 0,
    amount,
    paid: state.paid,
    discount: state.discount,
    returned: state.returned,
    outstanding,
    fine: penalty.fine,
    interest: penalty.interest,
    totalDue: cents(outstanding + penalties),
    daysEarly,
    settleAmount: cents(settlePrincipal + penalties),
    settleDiscount: cents(outstanding - settlePrincipal),
    extensions: state.extensions,
    paidAt: isPaid ? state.lastPaidAt : null,
    chargesPaid: state.chargesPaid,
  };
}

const NO_PENALTY = { fine: ZERO, interest: ZERO };

/** A change of the outstanding amount: down by a payment, up by its reversal. */
type Move = { readonly day: number; readonly down: number };

/** The installment after the events up to an instant. */
type State = ReturnType<typeof stateAt>;

function stateAt({ amount, dueOn, events }: Installment, at: Instant) {
  let due = dueOn;
  let [extensions, paid, discount, returned, finePaid, interestPaid] = [0, 0, 0, 0, 0, 0];
  let lastPaidAt: Instant | null = null;
  let isWhole = false;
  let charges = { fine: 0, interest: 0, extensionFee: 0 };
  const moves: Move[] = [];
  const takenBack: Array<Payment | Extension | Transfer> = [];
  const past = inOrder(events);
  for (const event of past) {
    if (event.at > at) break;
    if (event.kind === 'return') {
      // It settles the rest, if there is one.
      if (event.returned > 0 && returned + paid + discount < amount) lastPaidAt = event.at;
      returned += event.returned;
      moves.push({ day: saoPauloDayNumber(event.at), down: event.returned });
      if (event.whole) {
        isWhole = true;
        [paid, discount] = [0, 0];
        charges = { fine: 0, interest: 0, extensionFee: 0 };
        lastPaidAt ??= event.at;
      }
      continue;
    }
    if (isWhole) break;
    const { reversedAt } = event;
    const reversed = reversedAt !== null && reversedAt <= at;
    if (reversed) takenBack.push(event);
    else {
      charges.fine += event.fine;
      charges.interest += event.interest;
      if (event.kind === 'extension') charges.extensionFee += event.fee;
    }
    if (event.kind === 'extension') {
      if (reversed) continue;
      due = event.dueOn;
      extensions += 1;
      lastPaidAt = event.at;
      [finePaid, interestPaid] = [0, 0];
      for (const earlier of takenBack) {
        if (earlier.reversedAt! <= event.at) continue;
        finePaid -= earlier.fine;
        interestPaid -= earlier.interest;
      }
      continue;
    }
    const down = downOf(event);
    moves.push(...movesOf(event, amount, past));
    if (reversed) {
      moves.push({ day: saoPauloDayNumber(reversedAt), down: -down });
      continue;
    }
    if (event.kind !== 'transfer') lastPaidAt = event.at;
    paid += event.principal;
    discount += event.discount;
    finePaid += event.fine;
    interestPaid += event.interest;
  }
  const outstanding = cents(amount - returned - paid - discount);
  if (outstanding < 0) throw new RangeError(`more was paid on an installment than its amount of ${amount}`);
  return {
    dueOn: due,
    extensions,
    paid: cents(paid),
    discount: cents(discount),
    returned: cents(returned),
    /** The purchase was returned whole. */
    isWhole,
    outstanding,
    /**
     * Penalties paid since the current due day took effect, less those of earlier due days that are owed again: their payment was
     * reversed after an extension had settled that day.
     */
    finePaid,
    interestPaid,
    moves,
    lastPaidAt,
    /** Of all due days. */
    chargesPaid: {
      fine: cents(charges.fine),
      interest: cents(charges.interest),
      extensionFee: cents(charges.extensionFee),
    },
  };
}

function downOf(event: DebtEvent): number {
  switch (event.kind) {
    case 'payment':
    case 'transfer':
      return event.principal + event.discount;
    case 'return':
      return event.returned;
    default:
      return 0;
  }
}

/**
 * A payment counts from the day it arrived. One that settled at the price of an earlier day counts from that day, otherwise the
 * night would still be owed. Not for amounts that were reversed in between, which were not owed on that day.
 */
function movesOf(event: Payment | Transfer, amount: Cents, events: readonly DebtEvent[]): Move[] {
  const down = downOf(event);
  const arrived = saoPauloDayNumber(event.at);
  const priced = event.kind === 'payment' && event.pricedOn ? dayNumber(event.pricedOn) : arrived;
  if (priced >= arrived) return [{ day: arrived, down }];
  let left: number = amount;
  let takenBack = 0;
  for (const known of events) {
    const reversedAt = 'reversedAt' in known ? known.reversedAt : null;
    if (reversedAt === null || reversedAt > event.at) left -= downOf(known);
    else if (saoPauloDayNumber(known.at) <= priced && saoPauloDayNumber(reversedAt) > priced)
      takenBack += downOf(known);
    if (known === event) break;
  }
  if (left !== 0) return [{ day: arrived, down }];
  const after = Math.min(down, takenBack);
  return [
    { day: priced, down: down - after },
    { day: arrived, down: after },
  ];
}

/**
 * Each late day costs interest on what was outstanding at the end of the day before: on the first late day, on what the due day
 * left unpaid. So a payment today does not change today's penalties, in one piece or in many. Penalties already paid are
 * subtracted from the cumulative figures.
 */
function penaltiesDue(
  { amount, terms }: Installment,
  { moves, finePaid, interestPaid }: State,
  dueNumber: number,
  until: number,
): { fine: Cents; interest: Cents } {
  const left = (accrued: number, paid: number) => cents(Math.max(0, accrued - paid));
  if (until <= dueNumber) return { fine: left(0, finePaid), interest: left(0, interestPaid) };
  let leftUnpaid = amount as number;
  let centavoDays = 0n;
  for (const { day, down } of moves) {
    if (day <= dueNumber) leftUnpaid -= down;
    else if (day < until) centavoDays -= BigInt(down) * BigInt(until - day);
  }
  centavoDays += BigInt(leftUnpaid) * BigInt(until - dueNumber);
  const fine = fineOn(cents(leftUnpaid), terms.fine);
  const interest = lateInterestOn(centavoDays, terms.lateInterest);
  return { fine: left(fine, finePaid), interest: left(interest, interestPaid) };
}

/** Stable sort by instant. Facts are nearly always in order already. */
export function inOrder<T extends { readonly at: Instant }>(events: readonly T[]): readonly T[] {
  for (let i = 1; i < events.length; i++) {
    if (events[i]!.at < events[i - 1]!.at) return events.toSorted((a, b) => a.at - b.at);
  }
  return events;
}

/** Whether something settled at that instant was settled by its effective due day. */
export function isOnTime(settledAt: Instant, effectiveDueOn: Day): boolean {
  return saoPauloDay(settledAt) <= effectiveDueOn;
}
