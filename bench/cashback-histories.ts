import { type Lot, lastDayOf, takeFrom } from '#core/cashback.ts';
import { addDays, type Day } from '#core/day.ts';
import { type Cents, cents } from '#core/money.ts';
import { percentDown, ppm } from '#core/percent.ts';
import { INSTALLMENT_CENTS, INSTALLMENTS } from './purchases.ts';

export const CASHBACK_PPM = 25_000;
export const REFERRER_CENTS = 2_000;
export const INVITED_CENTS = 1_000;
const EARNED = percentDown(cents(INSTALLMENT_CENTS), ppm(CASHBACK_PPM));
/** The operator deducts this much after a number of paid installments. Spending by customers would need receipts, too. */
const ADJUSTED = cents(200);
const PAID_BETWEEN = 15;

type Purchase = { k: number; daysAgo: number; paid: number };
/** `number`: the installment that earned it; `guest`: whose invitation it is for. */
type Cause = { kind: 'earned' | 'referral'; k?: number; number?: number; guest?: number };
type Line = {
  position: number;
  kind: string;
  amount: number;
  balance: number;
  day: Day;
  expiresOn: Day | null;
  ofPosition: number | null;
  k: number | null;
  number: number | null;
  guest: number | null;
};
type LotLine = Line & { remaining: number; expired: number };

/** The history of a customer of one kind, computed once and copied to each of them. */
export type History = { purchases: Purchase[]; lines: Line[]; lots: LotLine[] };

/**
 * The cashback statement of these purchases and rewards: each installment earns, some is deducted now and then, and what is
 * left after 180 days expires.
 */
export function historyOf(
  today: Day,
  purchases: Purchase[],
  rewards: Array<{ daysAgo: number; amount: number; guest?: number }> = [],
): History {
  const credits = [
    ...purchases.flatMap(({ k, daysAgo, paid }) =>
      Array.from({ length: paid }, (_, i) => ({
        daysAgo: daysAgo - 7 * (i + 1),
        amount: EARNED as number,
        cause: { kind: 'earned', k, number: i + 1 } as Cause,
      })),
    ),
    ...rewards.map(({ daysAgo, amount, guest }) => ({
      daysAgo,
      amount,
      cause: { kind: 'referral', ...(guest !== undefined && { guest }) } as Cause,
    })),
  ].toSorted((a, b) => b.daysAgo - a.daysAgo);

  const lines: Line[] = [];
  const lots = new Map<number, LotLine>();
  const live = new Map<number, Lot>();
  let balance = 0;

  const write = (kind: string, amount: number, day: Day, more: Partial<Line> = {}): Line => {
    balance += amount;
    const none = { expiresOn: null, ofPosition: null, k: null, number: null, guest: null };
    const line = { position: lines.length + 1, kind, amount, balance, day, ...none, ...more };
    lines.push(line);
    return line;
  };
  const take = (position: number, amount: Cents) => {
    const remaining = cents(lots.get(position)!.remaining - amount);
    lots.set(position, { ...lots.get(position)!, remaining });
    if (remaining === 0) live.delete(position);
    else live.set(position, { ...live.get(position)!, remaining });
  };
  const expire = (now: Day) => {
    // In order of expiry, because they were earned in order.
    for (const { position, expiresOn, remaining } of live.values()) {
      if (expiresOn >= now) return;
      write('expired', -remaining, addDays(expiresOn, 1), { ofPosition: position });
      take(position, remaining);
      lots.set(position, { ...lots.get(position)!, expired: remaining });
    }
  };

  credits.forEach(({ daysAgo, amount, cause }, i) => {
    const day = addDays(today, -daysAgo);
    expire(day);
    const expiresOn = lastDayOf(Date.parse(`${day}T15:00:00Z`));
    const line = write(cause.kind, amount, day, { ...cause, expiresOn });
    lots.set(line.position, { ...line, remaining: amount, expired: 0 });
    live.set(line.position, { position: line.position, expiresOn, remaining: cents(amount) });
    if (i % PAID_BETWEEN !== PAID_BETWEEN - 1 || balance < ADJUSTED) return;
    const takes = takeFrom([...live.values()], ADJUSTED);
    write('adjusted', -ADJUSTED, day);
    for (const taken of takes) take(taken.position, taken.amount);
  });
  expire(today);
  return { purchases, lines, lots: [...lots.values()] };
}

/** One purchase not fully paid, and `older` ones before it, `everyDays` apart. */
export function purchasesOf(older: number, everyDays: number): Purchase[] {
  const past = (_: unknown, i: number) => ({ k: i + 2, daysAgo: 60 + i * everyDays, paid: INSTALLMENTS });
  return [{ k: 1, daysAgo: 17, paid: 2 }, ...Array.from({ length: older }, past)];
}
