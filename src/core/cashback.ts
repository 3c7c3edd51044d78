import { addDays, type Day, type Instant, saoPauloDay, startOfDay } from './day.ts';
import { type Cents, cents, min, ZERO } from './money.ts';

/** Days that cashback is valid after the day it was earned. */
const CASHBACK_DAYS = 180;
/** The invited has so many days to pay enough. */
const INVITATION_DAYS = 90;
/** Limit of rewarded invitations within a year. */
export const REWARDS_A_YEAR = 50;
export const YEAR_DAYS = 365;

export function lastDayOf(earnedAt: Instant): Day {
  return addDays(saoPauloDay(earnedAt), CASHBACK_DAYS);
}

/** The last day on which what is paid rewards an invitation. */
function lastDayToReward(invitedAt: Instant): Day {
  return addDays(saoPauloDay(invitedAt), INVITATION_DAYS);
}

/** Whether an invitation is to be rewarded: by when enough of what stands was paid. */
export function isRewardDeserved(invitedAt: Instant, paidOffAt: Instant | null): boolean {
  return paidOffAt !== null && saoPauloDay(paidOffAt) <= lastDayToReward(invitedAt);
}

/** Invitations from before this instant have expired on that day. */
export function invitedInTimeFrom(today: Day): Instant {
  return startOfDay(addDays(today, -INVITATION_DAYS));
}

/** What is left of a credited amount. `position`: its place in the statement. */
export type Lot = { readonly position: number; readonly expiresOn: Day; readonly remaining: Cents };

export type Take = { readonly position: number; readonly amount: Cents };

/**
 * The lots that an amount is taken from: first the lot it belongs to, if any, then those that expire first. What the lots do not
 * cover is a debt, which the next credits pay first.
 */
export function takeFrom(lots: readonly Lot[], amount: Cents, own?: number): Take[] {
  const isOwn = (lot: Lot) => (lot.position === own ? 0 : 1);
  const inOrder = lots.toSorted(
    (a, b) =>
      isOwn(a) - isOwn(b) ||
      (a.expiresOn < b.expiresOn ? -1 : a.expiresOn > b.expiresOn ? 1 : a.position - b.position),
  );
  const takes: Take[] = [];
  let left = amount;
  for (const { position, remaining } of inOrder) {
    const taken = min(left, remaining);
    if (taken === 0) continue;
    takes.push({ position, amount: taken });
    left = cents(left - taken);
  }
  return takes;
}

/** A line of the statement: a credit with its last day, or a debit, with its lot if it belongs to one. */
export type LotLine = { readonly position: number; readonly amount: Cents } & (
  | { readonly went: false; readonly expiresOn: Day }
  | { readonly went: true; readonly of: number | null; readonly expired: boolean }
);

type LotState = Lot & { readonly expired: Cents };

/** What is left of each lot after all these lines, and what of it has expired. */
export function replayLots(lines: Iterable<LotLine>): { lots: Map<number, LotState>; balance: Cents } {
  const lots = new Map<number, LotState>();
  let balance = 0;
  for (const line of lines) {
    const { position, amount } = line;
    balance += line.went ? -amount : amount;
    if (!line.went) {
      const remaining = min(amount, cents(Math.max(0, balance)));
      lots.set(position, { position, expiresOn: line.expiresOn, remaining, expired: ZERO });
      continue;
    }
    for (const taken of takeFrom([...lots.values()], amount, line.of ?? undefined)) {
      const lot = lots.get(taken.position)!;
      const remaining = cents(lot.remaining - taken.amount);
      lots.set(taken.position, { ...lot, remaining, expired: line.expired ? taken.amount : lot.expired });
    }
  }
  return { lots, balance: cents(balance) };
}
