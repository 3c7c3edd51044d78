import type { Day, Instant } from '../values/day.ts';
import { type Cents, cents, min } from '../values/money.ts';
import { quoteExtension } from './charge.ts';
import {
  computeDebt,
  type Debt,
  type DebtEvent,
  type Extension,
  type Installment,
  type Payment,
  type Penalties,
  sortByTime,
} from './debt.ts';
import { futureValue } from './rates.ts';
import type { Terms } from './terms.ts';

export type Receipt = {
  /** When the money arrived according to the PSP, not when it was reported to us. */
  readonly receivedAt: Instant;
  readonly amount: Cents;
  /** 'extend' only if a charge of that type was paid in full. If an extension is no longer possible, the receipt is a payment. */
  readonly purpose: 'pay' | 'extend';
  /** The day whose price the paid charge guaranteed. */
  readonly pricedOn?: Day;
  /** Whether the penalties accrued since `pricedOn` are waived if the receipt settles the installment at the guaranteed price. */
  readonly waivesPenalties?: boolean;
  readonly reversedAt: Instant | null;
};

/** The event and the excess add up to the amount of the receipt. `event` is null if all of it is excess. */
export type AppliedReceipt = { readonly event: Payment | Extension | null; readonly excess: Cents };

/**
 * Splits a payment: interest first, then the fine, then the outstanding amount (Civil Code art. 354). For early payment, full or partial,
 * interest at the weekly rate is discounted (CDC art. 52 §2).
 */
export function splitPayment(amount: Cents, debt: Debt, { weeklyRate }: Pick<Terms, 'weeklyRate'>) {
  const interest = min(amount, debt.interest);
  const fine = min(cents(amount - interest), debt.fine);
  const remainder = cents(amount - interest - fine);
  const principal = min(remainder, cents(debt.outstanding - debt.settleDiscount));
  const isSettled = principal + debt.settleDiscount === debt.outstanding;
  const discount = isSettled
    ? debt.settleDiscount
    : futureValue(principal, weeklyRate, debt.daysEarly) - principal;
  return { interest, fine, principal, discount: cents(discount), excess: cents(remainder - principal) };
}

/**
 * Applies a receipt to an installment as of the instant the money arrived. Later events must be replayed on top of it, so this throws
 * for a receipt older than a known event: see {@link replayReceipts}.
 */
export function applyReceipt(installment: Installment, receipt: Receipt): AppliedReceipt {
  const { receivedAt, amount, purpose, pricedOn, reversedAt } = receipt;
  if (amount < 1) throw new RangeError(`a receipt of ${amount} centavos`);
  if (installment.events.some((event) => event.at > receivedAt))
    throw new RangeError('a later event exists: replay instead');
  const debt = computeDebt(installment, receivedAt, pricedOn);
  if (purpose === 'extend') {
    const quote = quoteExtension(debt, installment.terms);
    if (quote.ok && amount >= quote.amount) {
      const { interest, fine, fee, dueOn } = quote;
      const event: Extension = { kind: 'extension', at: receivedAt, interest, fine, fee, dueOn, reversedAt };
      return { event, excess: cents(amount - quote.amount) };
    }
  }
  const { excess, ...split } = splitPayment(amount, debt, installment.terms);
  const waived = receipt.waivesPenalties && computeWaivedPenalties(installment, receivedAt, { debt, split });
  const event: Payment = {
    kind: 'payment',
    at: receivedAt,
    ...split,
    pricedOn: pricedOn ?? null,
    ...(waived && { waived }),
    reversedAt,
  };
  return { event: excess === amount ? null : event, excess };
}

/** Returns the penalties accrued beyond the guaranteed price; undefined if none or if the payment does not settle the installment. */
function computeWaivedPenalties(
  installment: Installment,
  receivedAt: Instant,
  { debt, split }: { debt: Debt; split: { principal: Cents; discount: Cents } },
): Penalties | undefined {
  if (split.principal + split.discount !== debt.outstanding) return undefined;
  const accruedDebt = computeDebt(installment, receivedAt);
  const [fine, interest] = [cents(accruedDebt.fine - debt.fine), cents(accruedDebt.interest - debt.interest)];
  return fine + interest > 0 ? { fine, interest } : undefined;
}

/**
 * Applies all receipts of an installment in the order in which the money arrived, not in which it was reported. `applied` has the order
 * of `receipts`. After a late report, the caller compares the result with the recorded one and posts the differences.
 */
export function replayReceipts(
  agreedInstallment: Omit<Installment, 'events'>,
  receipts: readonly Receipt[],
): { readonly applied: readonly AppliedReceipt[]; readonly installment: Installment } {
  const applied: AppliedReceipt[] = [];
  const events: DebtEvent[] = [];
  const timeline = receipts.map((receipt, index) => ({ at: receipt.receivedAt, receipt, index }));
  for (const { receipt, index } of sortByTime(timeline)) {
    const appliedReceipt = applyReceipt({ ...agreedInstallment, events }, receipt);
    applied[index] = appliedReceipt;
    if (appliedReceipt.event) events.push(appliedReceipt.event);
  }
  return { applied, installment: { ...agreedInstallment, events } };
}
