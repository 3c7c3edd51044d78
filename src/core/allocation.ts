import type { Day, Instant } from './day.ts';
import {
  type Debt,
  type DebtEvent,
  debtAt,
  type Extension,
  type Installment,
  inOrder,
  type Payment,
} from './debt.ts';
import { extensionPrice } from './extension.ts';
import { type Cents, cents, min } from './money.ts';
import { futureValue } from './rates.ts';
import type { Terms } from './terms.ts';

/** Money that arrived for an installment. */
export type Receipt = {
  /** When the PSP says it arrived, not when it was reported to us. */
  readonly at: Instant;
  readonly amount: Cents;
  /** 'extend' only when a charge of that type was paid as asked; if it no longer buys an extension it is a payment. */
  readonly purpose: 'pay' | 'extend';
  /** The day whose price the paid charge held, while it lived. */
  readonly pricedOn?: Day;
  readonly reversedAt: Instant | null;
};

/** The parts of a receipt. Parts and excess add up to its amount. Event null: nothing was applied, all of it is excess. */
export type Applied = { readonly event: Payment | Extension | null; readonly excess: Cents };

/**
 * Interest first, then the fine, then the outstanding amount (Civil Code art. 354). For early payment, whole or partial, interest
 * of the weekly rate is discounted (CDC art. 52 §2).
 */
export function partsOf(amount: Cents, debt: Debt, { weeklyRate }: Pick<Terms, 'weeklyRate'>) {
  const interest = min(amount, debt.interest);
  const fine = min(cents(amount - interest), debt.fine);
  const rest = cents(amount - interest - fine);
  const principal = min(rest, cents(debt.outstanding - debt.settleDiscount));
  const isSettled = principal + debt.settleDiscount === debt.outstanding;
  const given = isSettled
    ? debt.settleDiscount
    : futureValue(principal, weeklyRate, debt.daysEarly) - principal;
  return { interest, fine, principal, discount: cents(given), excess: cents(rest - principal) };
}

/**
 * Applies a receipt to an installment as of its own instant. Later events must be replayed on top of it, so a receipt older than
 * a known event is refused here: see {@link replay}.
 */
export function applyReceipt(installment: Installment, receipt: Receipt): Applied {
  const { at, amount, purpose, pricedOn, reversedAt } = receipt;
  if (amount < 1) throw new RangeError(`a receipt of ${amount} centavos`);
  if (installment.events.some((event) => event.at > at))
    throw new RangeError('a later event is known: replay instead');
  const debt = debtAt(installment, at, pricedOn);
  if (purpose === 'extend') {
    const price = extensionPrice(debt, installment.terms);
    if (price.ok && amount >= price.amount) {
      const { interest, fine, fee, dueOn } = price;
      const event: Extension = { kind: 'extension', at, interest, fine, fee, dueOn, reversedAt };
      return { event, excess: cents(amount - price.amount) };
    }
  }
  const { excess, ...parts } = partsOf(amount, debt, installment.terms);
  const event: Payment = { kind: 'payment', at, ...parts, pricedOn: pricedOn ?? null, reversedAt };
  return { event: excess === amount ? null : event, excess };
}

/**
 * Applies all receipts of an installment in the order in which the money arrived, not the order in which it was reported;
 * `applied` has the order of `receipts`. After a late report, compare with the recorded result and post the differences.
 */
export function replay(
  agreed: Omit<Installment, 'events'>,
  receipts: readonly Receipt[],
): { readonly applied: readonly Applied[]; readonly installment: Installment } {
  const applied: Applied[] = [];
  const events: DebtEvent[] = [];
  const facts = receipts.map((receipt, index) => ({ at: receipt.at, receipt, index }));
  for (const { receipt, index } of inOrder(facts)) {
    const result = applyReceipt({ ...agreed, events }, receipt);
    applied[index] = result;
    if (result.event) events.push(result.event);
  }
  return { applied, installment: { ...agreed, events } };
}
