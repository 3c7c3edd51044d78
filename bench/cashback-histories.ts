import { computeExpiryDay, type Lot, takeFromLots } from '#core/finance/cashback.ts';
import { addDays, type Day } from '#core/values/day.ts';
import { type Cents, cents } from '#core/values/money.ts';
import { percentDown, ppm } from '#core/values/percent.ts';
import { INSTALLMENT_CENTS, INSTALLMENTS } from './purchases.ts';

export const CASHBACK_PPM = 25_000;
export const INVITER_REWARD_CENTS = 2_000;
export const INVITED_REWARD_CENTS = 1_000;
const EARNED_CENTS = percentDown(cents(INSTALLMENT_CENTS), ppm(CASHBACK_PPM));
/** The operator deducts ADJUSTMENT_CENTS after every CREDITS_PER_ADJUSTMENT credits. Cashback spent by customers would require receipts. */
const ADJUSTMENT_CENTS = cents(200);
const CREDITS_PER_ADJUSTMENT = 15;

/** A purchase of a customer: `k` is its number, `paid` the number of its paid installments. */
type Purchase = { k: number; daysAgo: number; paid: number };
/** The reason of a credit: installment `number` of purchase `k`, or the invitation of `guest`. */
type CreditReason = { kind: 'earned' | 'referral'; k?: number; number?: number; guest?: number };
type Line = {
  position: number;
  kind: string;
  amount: number;
  balance: number;
  day: Day;
  expiresOn: Day | null;
  /** For expired cashback, the position of the credit that expired. */
  lotPosition: number | null;
  k: number | null;
  number: number | null;
  guest: number | null;
};
type LotLine = Line & { remaining: number; expired: number };

/** The history of one kind of customer. It is computed once and copied to every customer of this kind. */
export type History = { purchases: Purchase[]; lines: Line[]; lots: LotLine[] };

/**
 * Computes the cashback statement of these purchases and rewards. Each paid installment earns cashback, the operator sometimes deducts
 * some, and the remainder expires after 180 days.
 */
export function computeHistory(
  today: Day,
  purchases: Purchase[],
  rewards: Array<{ daysAgo: number; amount: number; guest?: number }> = [],
): History {
  const credits = [
    ...purchases.flatMap(({ k, daysAgo, paid }) =>
      Array.from({ length: paid }, (_, i) => ({
        daysAgo: daysAgo - 7 * (i + 1),
        amount: EARNED_CENTS as number,
        reason: { kind: 'earned', k, number: i + 1 } as CreditReason,
      })),
    ),
    ...rewards.map(({ daysAgo, amount, guest }) => ({
      daysAgo,
      amount,
      reason: { kind: 'referral', ...(guest !== undefined && { guest }) } as CreditReason,
    })),
  ].toSorted((a, b) => b.daysAgo - a.daysAgo);

  const lines: Line[] = [];
  const lots = new Map<number, LotLine>();
  const activeLots = new Map<number, Lot>();
  let balance = 0;

  const addLine = (kind: string, amount: number, day: Day, details: Partial<Line> = {}): Line => {
    balance += amount;
    const emptyFields = { expiresOn: null, lotPosition: null, k: null, number: null, guest: null };
    const line = { position: lines.length + 1, kind, amount, balance, day, ...emptyFields, ...details };
    lines.push(line);
    return line;
  };
  const deductFromLot = (position: number, amount: Cents) => {
    const remaining = cents(lots.get(position)!.remaining - amount);
    lots.set(position, { ...lots.get(position)!, remaining });
    if (remaining === 0) activeLots.delete(position);
    else activeLots.set(position, { ...activeLots.get(position)!, remaining });
  };
  const expireLots = (now: Day) => {
    // The lots are in order of expiry, because they are in the order in which they were earned.
    for (const { position, expiresOn, remaining } of activeLots.values()) {
      if (expiresOn >= now) return;
      addLine('expired', -remaining, addDays(expiresOn, 1), { lotPosition: position });
      deductFromLot(position, remaining);
      lots.set(position, { ...lots.get(position)!, expired: remaining });
    }
  };

  credits.forEach(({ daysAgo, amount, reason }, i) => {
    const day = addDays(today, -daysAgo);
    expireLots(day);
    const expiresOn = computeExpiryDay(Date.parse(`${day}T15:00:00Z`));
    const line = addLine(reason.kind, amount, day, { ...reason, expiresOn });
    lots.set(line.position, { ...line, remaining: amount, expired: 0 });
    activeLots.set(line.position, { position: line.position, expiresOn, remaining: cents(amount) });
    if (i % CREDITS_PER_ADJUSTMENT !== CREDITS_PER_ADJUSTMENT - 1 || balance < ADJUSTMENT_CENTS) return;
    const deductions = takeFromLots([...activeLots.values()], ADJUSTMENT_CENTS);
    addLine('adjusted', -ADJUSTMENT_CENTS, day);
    for (const deduction of deductions) deductFromLot(deduction.position, deduction.amount);
  });
  expireLots(today);
  return { purchases, lines, lots: [...lots.values()] };
}

/** Returns one purchase that is partly paid, and `olderCount` paid purchases before it, `intervalDays` apart. */
export function createPurchases({
  olderCount,
  intervalDays,
}: {
  olderCount: number;
  intervalDays: number;
}): Purchase[] {
  const createPaidPurchase = (_: unknown, i: number) => ({
    k: i + 2,
    daysAgo: 60 + i * intervalDays,
    paid: INSTALLMENTS,
  });
  return [{ k: 1, daysAgo: 17, paid: 2 }, ...Array.from({ length: olderCount }, createPaidPurchase)];
}
