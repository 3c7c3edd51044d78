import { computeExpiryDay, computeLotDeductions, type Lot } from '#core/finance/cashback.ts';
import { addDays, type Day } from '#core/values/day.ts';
import { type Cents, cents } from '#core/values/money.ts';
import { computePercentDown, ppm } from '#core/values/percent.ts';
import { INSTALLMENT_CENTS, INSTALLMENTS } from './purchases.ts';

export const CASHBACK_PPM = 25_000;
export const INVITER_REWARD_CENTS = 2_000;
export const INVITED_REWARD_CENTS = 1_000;
const EARNED_CENTS = computePercentDown(cents(INSTALLMENT_CENTS), ppm(CASHBACK_PPM));
/** The operator deducts ADJUSTMENT_CENTS after every CREDITS_PER_ADJUSTMENT credits. Customers spend no cashback, which would require receipts. */
const ADJUSTMENT_CENTS = cents(200);
const CREDITS_PER_ADJUSTMENT = 15;

type Purchase = { purchaseNumber: number; daysAgo: number; paidInstallments: number };
/** The reason of a credit: a paid installment, or an invitation. Only the reward of the inviter has the number of the guest. */
type CreditReason =
  | { kind: 'earned'; purchaseNumber: number; installmentNumber: number }
  | { kind: 'referral'; guestNumber?: number };
type Credit = { daysAgo: number; amount: number; reason: CreditReason };
/** A line of the cashback statement. Its amounts are in centavos. A lot has the position of the credit that created it. */
type Line = {
  position: number;
  kind: string;
  amount: number;
  balance: number;
  day: Day;
  expiresOn: Day | null;
  /** For expired cashback, the position of the credit that expired. */
  lotPosition: number | null;
  purchaseNumber: number | null;
  installmentNumber: number | null;
  guestNumber: number | null;
};
/** The credit that created a lot, with the remaining and the expired amount of the lot. */
type LotLine = Line & { remaining: number; expired: number };

/** The history of one kind of customer. It is computed once and copied to every customer of this kind. */
export type History = { purchases: Purchase[]; lines: Line[]; lots: LotLine[] };

/**
 * Computes the cashback statement of a customer with these purchases and rewards. Each paid installment earns cashback, the operator
 * sometimes deducts some, and the remainder expires after 180 days.
 */
export function computeHistory(
  today: Day,
  purchases: Purchase[],
  rewards: Array<{ daysAgo: number; amount: number; guestNumber?: number }> = [],
): History {
  const earnedCredits = purchases.flatMap(({ purchaseNumber, daysAgo, paidInstallments }) =>
    Array.from(
      { length: paidInstallments },
      (_, i): Credit => ({
        daysAgo: daysAgo - 7 * (i + 1),
        amount: EARNED_CENTS,
        reason: { kind: 'earned', purchaseNumber, installmentNumber: i + 1 },
      }),
    ),
  );
  const rewardCredits = rewards.map(
    ({ daysAgo, amount, guestNumber }): Credit => ({
      daysAgo,
      amount,
      reason: { kind: 'referral', ...(guestNumber !== undefined && { guestNumber }) },
    }),
  );
  const credits = [...earnedCredits, ...rewardCredits].toSorted((a, b) => b.daysAgo - a.daysAgo);

  const lines: Line[] = [];
  // All lots, and those with a remaining amount, by position.
  const lots = new Map<number, LotLine>();
  const activeLots = new Map<number, Lot>();
  let balance = 0;

  const addLine = (kind: string, amount: number, day: Day, details: Partial<Line> = {}): Line => {
    balance += amount;
    const numbers = { purchaseNumber: null, installmentNumber: null, guestNumber: null };
    const emptyFields = { expiresOn: null, lotPosition: null, ...numbers };
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
  const expireLots = (beforeDay: Day) => {
    // The lots are in order of expiry, because they are in the order in which they were earned.
    for (const { position, expiresOn, remaining } of activeLots.values()) {
      if (expiresOn >= beforeDay) return;
      addLine('expired', -remaining, addDays(expiresOn, 1), { lotPosition: position });
      deductFromLot(position, remaining);
      lots.set(position, { ...lots.get(position)!, expired: remaining });
    }
  };

  for (const [i, { daysAgo, amount, reason }] of credits.entries()) {
    const day = addDays(today, -daysAgo);
    expireLots(day);
    const expiresOn = computeExpiryDay(Date.parse(`${day}T15:00:00Z`));
    const line = addLine(reason.kind, amount, day, { ...reason, expiresOn });
    lots.set(line.position, { ...line, remaining: amount, expired: 0 });
    activeLots.set(line.position, { position: line.position, expiresOn, remaining: cents(amount) });
    const isAdjustmentDue = (i + 1) % CREDITS_PER_ADJUSTMENT === 0;
    if (!isAdjustmentDue || balance < ADJUSTMENT_CENTS) continue;
    const deductions = computeLotDeductions([...activeLots.values()], ADJUSTMENT_CENTS);
    addLine('adjusted', -ADJUSTMENT_CENTS, day);
    for (const deduction of deductions) deductFromLot(deduction.position, deduction.amount);
  }
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
  const currentPurchase = { purchaseNumber: 1, daysAgo: 17, paidInstallments: 2 };
  const paidPurchases = Array.from({ length: olderCount }, (_, i) => ({
    purchaseNumber: currentPurchase.purchaseNumber + 1 + i,
    daysAgo: 60 + i * intervalDays,
    paidInstallments: INSTALLMENTS,
  }));
  return [currentPurchase, ...paidPurchases];
}
