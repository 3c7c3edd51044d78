import { computeEffectiveDueDay } from '../values/calendar.ts';
import {
  type Day,
  dayFromNumber,
  dayNumber,
  type Instant,
  saoPauloDay,
  saoPauloDayNumber,
} from '../values/day.ts';
import { type Cents, cents, ZERO } from '../values/money.ts';
import { computeFine, computeLateInterest, presentValue } from './rates.ts';
import type { Terms } from './terms.ts';

/**
 * A payment, split into its parts. The payment has effect from `at` on. If the payer's bank reverses it, the debt is open again from
 * `reversedAt` on.
 */
export type Payment = {
  readonly kind: 'payment';
  readonly at: Instant;
  readonly interest: Cents;
  readonly fine: Cents;
  readonly principal: Cents;
  /** The discount for early payment, on top of the principal. */
  readonly discount: Cents;
  /** The day whose price the paid charge guaranteed. */
  readonly pricedOn?: Day | null;
  /** The penalties accrued up to the payment's arrival that were waived because it settled the installment. Absent if there were none. */
  readonly waived?: Penalties;
  readonly reversedAt: Instant | null;
};

export type Penalties = { readonly fine: Cents; readonly interest: Cents };

/** A paid extension, which settles the penalties of the old due day and sets a new due day. */
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
 * A return: the installment is smaller from then on, or some centavos larger because of rounding. If the whole purchase is returned, the
 * installment becomes zero, without penalties or payments.
 */
export type Return = {
  readonly kind: 'return';
  readonly at: Instant;
  readonly returned: Cents;
  /** Whether nothing of the purchase remains. */
  readonly whole: boolean;
};

/**
 * Money moved by a return: negative amounts leave the installment, positive amounts replace them. It is not a payment, so the instant of
 * settlement does not change.
 */
type Transfer = Omit<Payment, 'kind' | 'pricedOn' | 'waived'> & { readonly kind: 'transfer' };

/** Events are stored as JSON with the installment, so the names of their fields must not change. */
export type DebtEvent = Payment | Extension | Return | Transfer;

/** The facts of one installment. Its events may be in any order; events of the same instant are applied in the order of the list. */
export type Installment = {
  readonly amount: Cents;
  /** The agreed due day, before any extension. */
  readonly dueOn: Day;
  readonly terms: Terms;
  readonly events: readonly DebtEvent[];
};

export type InstallmentStatus = 'open' | 'overdue' | 'paid';

/** The debt of an installment at an instant. amount = paid + discount + returned + outstanding. */
export type Debt = {
  readonly status: InstallmentStatus;
  readonly today: Day;
  readonly dueOn: Day;
  readonly effectiveDueOn: Day;
  readonly daysLate: number;
  readonly amount: Cents;
  /** The amount paid, without penalties and fees. */
  readonly paid: Cents;
  readonly discount: Cents;
  /** The reduction of the installment by returns; rounding can make it slightly negative. */
  readonly returned: Cents;
  readonly outstanding: Cents;
  readonly fine: Cents;
  readonly interest: Cents;
  readonly totalDue: Cents;
  /** Calendar days before the originally agreed due day. An extension costs no interest, so it gives no discount. */
  readonly daysEarly: number;
  /** The amount that settles the debt now: the total due less the discount for early payment. */
  readonly settleAmount: Cents;
  readonly settleDiscount: Cents;
  readonly extensions: number;
  readonly paidAt: Instant | null;
  readonly chargesPaid: ChargesPaid;
  readonly chargesWaived: Penalties;
};

/** Penalties and fees that were paid and neither refunded nor reversed. Unrelated to Pix charges. */
type ChargesPaid = { readonly fine: Cents; readonly interest: Cents; readonly extensionFee: Cents };

/**
 * Computes the debt at an instant. `pricedOn` guarantees the price of that day: if it is earlier than the instant, penalties and discounts
 * are those of that day, while payments count up to the instant. So a charge created at 23:50 can be paid at its price at 00:10.
 */
export function computeDebt(installment: Installment, instant: Instant, pricedOn?: Day): Debt {
  const { amount, terms } = installment;
  const state = computeDebtState(installment, instant);
  const { dueOn, outstanding } = state;
  const todayNumber = saoPauloDayNumber(instant);
  const priceDay = pricedOn === undefined ? todayNumber : Math.min(todayNumber, dayNumber(pricedOn));
  const effectiveDueOn = computeEffectiveDueDay(dueOn);
  const dueDayNumber = dayNumber(effectiveDueOn);
  const penalties = state.isWhollyReturned
    ? NO_PENALTIES
    : computePenalties(installment, state, dueDayNumber, priceDay);
  const penaltyTotal = penalties.fine + penalties.interest;
  // Only penalties can be outstanding, if their payment was reversed after the amount was settled.
  const isPaid = outstanding === 0 && penaltyTotal === 0;
  const isOverdue = !isPaid && (outstanding === 0 || priceDay > dueDayNumber);
  const unpaidStatus = isOverdue ? 'overdue' : 'open';
  const daysEarly = Math.max(0, dayNumber(installment.dueOn) - priceDay);
  // At least one centavo, because zero cannot be charged (CDC art. 52 §2).
  const settlePrincipal = Math.max(
    Math.min(1, outstanding),
    presentValue(outstanding, terms.weeklyRate, daysEarly),
  );
  return {
    status: isPaid ? 'paid' : unpaidStatus,
    today: dayFromNumber(todayNumber),
    dueOn,
    effectiveDueOn,
    daysLate: isOverdue ? Math.max(0, priceDay - dueDayNumber) : 0,
    amount,
    paid: state.paid,
    discount: state.discount,
    returned: state.returned,
    outstanding,
    fine: penalties.fine,
    interest: penalties.interest,
    totalDue: cents(outstanding + penaltyTotal),
    daysEarly,
    settleAmount: cents(settlePrincipal + penaltyTotal),
    settleDiscount: cents(outstanding - settlePrincipal),
    extensions: state.extensions,
    paidAt: isPaid ? state.lastPaidAt : null,
    chargesPaid: state.chargesPaid,
    chargesWaived: state.chargesWaived,
  };
}

const NO_PENALTIES = { fine: ZERO, interest: ZERO };

/** A change of the outstanding amount on a day (a day number): a payment reduces it, its reversal increases it. */
type OutstandingChange = { readonly day: number; readonly reduction: number };

type DebtState = ReturnType<typeof computeDebtState>;

function computeDebtState({ amount, dueOn, events }: Installment, instant: Instant) {
  let currentDueOn = dueOn;
  let [extensions, paid, discount, returned, finePaid, interestPaid] = [0, 0, 0, 0, 0, 0];
  let lastPaidAt: Instant | null = null;
  let isWhollyReturned = false;
  let chargesPaid = { fine: 0, interest: 0, extensionFee: 0 };
  let chargesWaived = { fine: 0, interest: 0 };
  const changes: OutstandingChange[] = [];
  const reversedEvents: Array<Payment | Extension | Transfer> = [];
  const sortedEvents = sortByTime(events);
  for (const event of sortedEvents) {
    if (event.at > instant) break;
    if (event.kind === 'return') {
      // The return settles the outstanding amount, if there is one.
      if (event.returned > 0 && returned + paid + discount < amount) lastPaidAt = event.at;
      returned += event.returned;
      changes.push({ day: saoPauloDayNumber(event.at), reduction: event.returned });
      if (event.whole) {
        isWhollyReturned = true;
        [paid, discount] = [0, 0];
        chargesPaid = { fine: 0, interest: 0, extensionFee: 0 };
        chargesWaived = { fine: 0, interest: 0 };
        lastPaidAt ??= event.at;
      }
      continue;
    }
    if (isWhollyReturned) break;
    const { reversedAt } = event;
    const isReversed = reversedAt !== null && reversedAt <= instant;
    if (isReversed) reversedEvents.push(event);
    else {
      chargesPaid.fine += event.fine;
      chargesPaid.interest += event.interest;
      if (event.kind === 'extension') chargesPaid.extensionFee += event.fee;
      if (event.kind === 'payment' && event.waived) {
        chargesWaived.fine += event.waived.fine;
        chargesWaived.interest += event.waived.interest;
      }
    }
    if (event.kind === 'extension') {
      if (isReversed) continue;
      currentDueOn = event.dueOn;
      extensions += 1;
      lastPaidAt = event.at;
      [finePaid, interestPaid] = [0, 0];
      // Penalties that the extension settled, but whose payment was reversed later, are owed again.
      for (const reversedEvent of reversedEvents) {
        if (reversedEvent.reversedAt! <= event.at) continue;
        finePaid -= reversedEvent.fine;
        interestPaid -= reversedEvent.interest;
      }
      continue;
    }
    const reduction = getReduction(event);
    changes.push(...computeOutstandingChanges(event, amount, sortedEvents));
    if (isReversed) {
      changes.push({ day: saoPauloDayNumber(reversedAt), reduction: -reduction });
      continue;
    }
    if (event.kind !== 'transfer') lastPaidAt = event.at;
    paid += event.principal;
    discount += event.discount;
    finePaid += event.fine;
    interestPaid += event.interest;
  }
  const outstanding = cents(amount - returned - paid - discount);
  if (outstanding < 0) throw new RangeError(`an installment was overpaid: its amount is ${amount}`);
  return {
    dueOn: currentDueOn,
    extensions,
    paid: cents(paid),
    discount: cents(discount),
    returned: cents(returned),
    isWhollyReturned,
    outstanding,
    /** Penalties paid since the current due day took effect, less penalties of earlier due days that are owed again. */
    finePaid,
    interestPaid,
    changes,
    lastPaidAt,
    chargesPaid: {
      fine: cents(chargesPaid.fine),
      interest: cents(chargesPaid.interest),
      extensionFee: cents(chargesPaid.extensionFee),
    },
    chargesWaived: { fine: cents(chargesWaived.fine), interest: cents(chargesWaived.interest) },
  };
}

function getReduction(event: DebtEvent): number {
  if (event.kind === 'return') return event.returned;
  return event.kind === 'extension' ? 0 : event.principal + event.discount;
}

/**
 * Returns the reductions of the debt by a payment. A payment reduces the debt from the day of its arrival on. If it settled the debt at the
 * price of an earlier day, it reduces the debt from that day on; otherwise the penalties of the night would still be owed. The part of it that
 * pays amounts reversed in between counts from the arrival on, because these amounts were not owed on the earlier day.
 */
function computeOutstandingChanges(event: Payment | Transfer, amount: Cents, events: readonly DebtEvent[]) {
  const reduction = getReduction(event);
  const arrivalDay = saoPauloDayNumber(event.at);
  const pricedDay = event.kind === 'payment' && event.pricedOn ? dayNumber(event.pricedOn) : arrivalDay;
  if (pricedDay >= arrivalDay) return [{ day: arrivalDay, reduction }];
  let unsettledAmount: number = amount;
  let reversedReduction = 0;
  for (const otherEvent of events) {
    const reversedAt = 'reversedAt' in otherEvent ? otherEvent.reversedAt : null;
    if (reversedAt === null || reversedAt > event.at) unsettledAmount -= getReduction(otherEvent);
    else if (saoPauloDayNumber(otherEvent.at) <= pricedDay && saoPauloDayNumber(reversedAt) > pricedDay)
      reversedReduction += getReduction(otherEvent);
    if (otherEvent === event) break;
  }
  if (unsettledAmount !== 0) return [{ day: arrivalDay, reduction }];
  const laterReduction = Math.min(reduction, reversedReduction);
  return [
    { day: pricedDay, reduction: reduction - laterReduction },
    { day: arrivalDay, reduction: laterReduction },
  ];
}

/**
 * Computes the penalties due. Each late day costs interest on the amount outstanding at the end of the day before; the first late day, on
 * the amount unpaid at the end of the due day. So payments today, one or many, do not change today's penalties. Penalties
 * already paid are subtracted from the cumulative figures.
 */
function computePenalties(
  { amount, terms }: Installment,
  { changes, finePaid, interestPaid }: DebtState,
  dueDayNumber: number,
  lastDay: number,
): { fine: Cents; interest: Cents } {
  const subtractPaid = (accrued: number, paid: number) => cents(Math.max(0, accrued - paid));
  if (lastDay <= dueDayNumber)
    return { fine: subtractPaid(0, finePaid), interest: subtractPaid(0, interestPaid) };
  let unpaidAtDueDay = amount as number;
  let centavoDays = 0n;
  for (const { day, reduction } of changes) {
    if (day <= dueDayNumber) unpaidAtDueDay -= reduction;
    else if (day < lastDay) centavoDays -= BigInt(reduction) * BigInt(lastDay - day);
  }
  centavoDays += BigInt(unpaidAtDueDay) * BigInt(lastDay - dueDayNumber);
  const fine = computeFine(cents(unpaidAtDueDay), terms.fine);
  const interest = computeLateInterest(centavoDays, terms.lateInterest);
  return { fine: subtractPaid(fine, finePaid), interest: subtractPaid(interest, interestPaid) };
}

/** Sorts events by instant, stably. They are nearly always sorted already, so this is checked first. */
export function sortByTime<T extends { readonly at: Instant }>(events: readonly T[]): readonly T[] {
  for (let i = 1; i < events.length; i++) {
    if (events[i]!.at < events[i - 1]!.at) return events.toSorted((a, b) => a.at - b.at);
  }
  return events;
}

/** Whether a settlement at that instant was on or before the effective due day. */
export function isOnTime(settledAt: Instant, effectiveDueOn: Day): boolean {
  return saoPauloDay(settledAt) <= effectiveDueOn;
}
