import { addDays, type Day, daysBetween, type Instant, saoPauloDay, startOfDay } from '../values/day.ts';
import { type Cents, cents, min, ZERO } from '../values/money.ts';

const CASHBACK_VALIDITY_DAYS = 180;
const INVITATION_VALIDITY_DAYS = 90;
export const MAX_REWARDS_PER_YEAR = 50;
export const YEAR_DAYS = 365;
/** Rewards for purchases at one merchant are limited over this period. */
export const REWARDS_PER_MERCHANT_DAYS = 30;

export function computeExpiryDay(earnedAt: Instant): Day {
  return addDays(saoPauloDay(earnedAt), CASHBACK_VALIDITY_DAYS);
}

function computeRewardDeadline(invitedAt: Instant): Day {
  return addDays(saoPauloDay(invitedAt), INVITATION_VALIDITY_DAYS);
}

/** Whether an invitation earns a reward. `paidOffAt`: when enough was paid, not counting reversed payments; null if not yet. */
export function isRewardEarned(invitedAt: Instant, paidOffAt: Instant | null): boolean {
  return paidOffAt !== null && saoPauloDay(paidOffAt) <= computeRewardDeadline(invitedAt);
}

export function computeEarliestValidInvitedAt(today: Day): Instant {
  return startOfDay(addDays(today, -INVITATION_VALIDITY_DAYS));
}

/** A cashback credit and its remaining amount. `position` is the position of the credit in the statement. */
export type Lot = { readonly position: number; readonly expiresOn: Day; readonly remaining: Cents };

export type LotDeduction = { readonly position: number; readonly amount: Cents };

/**
 * Chooses the lots from which an amount is deducted: first the lot at `ownPosition`, if given, then the lots that expire first.
 * An amount that the lots do not cover is a debt, which the next credits pay first.
 */
export function computeLotDeductions(
  lots: readonly Lot[],
  amount: Cents,
  ownPosition?: number,
): LotDeduction[] {
  const ownRank = (lot: Lot) => (lot.position === ownPosition ? 0 : 1);
  const sortedLots = lots.toSorted(
    (a, b) => ownRank(a) - ownRank(b) || daysBetween(b.expiresOn, a.expiresOn) || a.position - b.position,
  );
  const deductions: LotDeduction[] = [];
  let remainingAmount = amount;
  for (const { position, remaining } of sortedLots) {
    const deductedAmount = min(remainingAmount, remaining);
    if (deductedAmount === 0) continue;
    deductions.push({ position, amount: deductedAmount });
    remainingAmount = cents(remainingAmount - deductedAmount);
  }
  return deductions;
}

/** A line of the statement: a credit with its expiry day, or a debit with its lot, if it belongs to one. */
export type LotLine = { readonly position: number; readonly amount: Cents } & (
  | { readonly isDebit: false; readonly expiresOn: Day }
  | { readonly isDebit: true; readonly lotPosition: number | null; readonly isExpiry: boolean }
);

type LotState = Lot & { readonly expired: Cents };

/** Replays a statement. A credit first pays the debt, if any; a debit is taken from lots as {@link computeLotDeductions} chooses. */
export function replayLots(lines: Iterable<LotLine>): { lots: Map<number, LotState>; balance: Cents } {
  const lots = new Map<number, LotState>();
  let balance = 0;
  for (const line of lines) {
    const { position, amount } = line;
    balance += line.isDebit ? -amount : amount;
    if (!line.isDebit) {
      const remaining = min(amount, cents(Math.max(0, balance)));
      lots.set(position, { position, expiresOn: line.expiresOn, remaining, expired: ZERO });
      continue;
    }
    const ownPosition = line.lotPosition ?? undefined;
    for (const deduction of computeLotDeductions([...lots.values()], amount, ownPosition)) {
      const lot = lots.get(deduction.position)!;
      const remaining = cents(lot.remaining - deduction.amount);
      const expired = line.isExpiry ? deduction.amount : lot.expired;
      lots.set(deduction.position, { ...lot, remaining, expired });
    }
  }
  return { lots, balance: cents(balance) };
}
