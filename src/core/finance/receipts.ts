import type { Day, Instant } from '../values/day.ts';
import { DAY_MS } from '../values/duration.ts';
import { type Cents, cents, sum, ZERO } from '../values/money.ts';
import { type AppliedReceipt, type Receipt, replayReceipts } from './allocation.ts';
import type { Installment } from './debt.ts';

/** A Pix can be refunded for 90 days, by the rules of the Central Bank. */
export const REFUNDABLE_MS = 90 * DAY_MS;

export const isTooOldToRefund = (arrivedAt: Instant, now: Instant): boolean =>
  now - arrivedAt > REFUNDABLE_MS;

/**
 * The sources of a receipt. `label` names the source in documents, `amountSuffix` follows an amount in a sentence, and `clearing` is the
 * account of the source in the ledger. `refundedBy` says how excess and returned money go back; null if a staff user has to handle them.
 */
export const RECEIPT_SOURCES = {
  pix: { label: 'Pix', amountSuffix: ' por Pix', clearing: 'pix_clearing', refundedBy: 'pix' },
  cashback: {
    label: 'cashback',
    amountSuffix: ' com cashback',
    clearing: 'cashback_clearing',
    refundedBy: 'cashback',
  },
  manual: { label: 'outro meio', amountSuffix: '', clearing: 'pix_clearing', refundedBy: null },
} as const;

export type ReceiptSource = keyof typeof RECEIPT_SOURCES;

export const RECEIPT_SOURCE_NAMES = Object.keys(RECEIPT_SOURCES) as ReceiptSource[];

export type AgreedInstallment = Omit<Installment, 'events'>;

export type ReceiptFacts = {
  readonly reference: string;
  /**
   * 0: the payment as it arrived. 1, 2, ...: the remainder after a partial chargeback or return, which has effect from then on, or the
   * part that a staff user moved to another installment, which has effect from its arrival.
   */
  readonly part: number;
  readonly source: ReceiptSource;
  readonly receivedAt: Instant;
  readonly amount: Cents;
  readonly purpose: 'pay' | 'extend';
  readonly pricedOn: Day | null;
  /** Whether penalties accrued since `pricedOn` are waived if the receipt settles the installment. True for a retried autopay debit. */
  readonly waivesPenalties: boolean;
  /** When a chargeback reversed the receipt, at least in part. From then on it pays nothing, and its remainder is another part. */
  readonly reversedAt: Instant | null;
  /** The amount that was refunded by us or is being refunded. */
  readonly refunded: Cents;
  /** The amount that was removed without having been applied: by a chargeback, or moved to another part. */
  readonly taken: Cents;
  /** Excess that is not refunded automatically; a staff user has to handle it. */
  readonly stranded: Cents;
  /** The amount that became cashback, because it could not be refunded. */
  readonly credited: Cents;
  /** The amounts that left the receipt at returns. Until then they paid installments; from then on they are other parts. */
  readonly withdrawals: readonly Withdrawal[];
};

type Withdrawal = { readonly returnId: string; readonly amount: Cents };

export const NEW_RECEIPT_STATE = {
  refunded: ZERO,
  taken: ZERO,
  stranded: ZERO,
  credited: ZERO,
  withdrawals: [],
} as const;

/** An amount of a receipt that is to be refunded. */
export type RefundDue = { readonly reference: string; readonly part: number; readonly amountCents: Cents };

type Allocation = {
  /** The receipts in their original order. Their excess is now held for a refund. */
  readonly receipts: ReadonlyArray<{ readonly facts: ReceiptFacts; readonly applied: AppliedReceipt }>;
  readonly installment: Installment;
  readonly refundsDue: readonly RefundDue[];
};

/**
 * Applies all receipts of an installment, each without its refunded and reversed amounts. Excess is held for a refund, so later reports
 * cannot apply it.
 */
export function allocateReceipts(
  agreedInstallment: AgreedInstallment,
  receiptFacts: readonly ReceiptFacts[],
): Allocation {
  const activeReceipts = receiptFacts.filter((receipt) => amountToApply(receipt) > 0);
  const { applied, installment } = replayReceipts(agreedInstallment, activeReceipts.map(toReceipt));
  const appliedByReceipt = new Map(activeReceipts.map((receipt, i) => [receipt, applied[i]!]));
  const refundsDue: RefundDue[] = [];
  const receipts = receiptFacts.map((receipt) => {
    const { event, excess } = appliedByReceipt.get(receipt) ?? NOT_APPLIED;
    const heldAmount = computeExcessToRefund(receipt, excess);
    if (heldAmount > 0)
      refundsDue.push({ reference: receipt.reference, part: receipt.part, amountCents: heldAmount });
    const unheldExcess = cents(excess - heldAmount);
    const isActive = receipt.reversedAt === null;
    const newState = {
      refunded: cents(receipt.refunded + heldAmount),
      stranded: isActive ? unheldExcess : ZERO,
    };
    return { facts: { ...receipt, ...newState }, applied: { event, excess: unheldExcess } };
  });
  return { receipts, installment, refundsDue };
}

/** Finds the part of a payment with the lowest number: the payment as it arrived, or as it was moved to this installment. */
export function findFirstPart<T extends Pick<ReceiptFacts, 'part'>>(parts: readonly T[]): T {
  return parts.reduce((first, candidate) => (candidate.part < first.part ? candidate : first));
}

/** Returns the amount of a receipt that is applied as of its arrival. */
export function amountToApply({ amount, refunded, taken, credited }: ReceiptFacts): Cents {
  return cents(amount - refunded - taken - credited);
}

/** Returns the amount of a receipt that is neither being refunded nor withdrawn. */
export function amountStillHeld(facts: ReceiptFacts): Cents {
  return cents(amountToApply(facts) - sumWithdrawals(facts));
}

export function sumWithdrawals({ withdrawals }: ReceiptFacts): Cents {
  return sum(withdrawals.map(({ amount }) => amount));
}

/** Computes the excess to refund. A receipt that a chargeback reversed is not refunded. */
export function computeExcessToRefund({ source, reversedAt, stranded }: ReceiptFacts, excess: Cents): Cents {
  if (RECEIPT_SOURCES[source].refundedBy === null || reversedAt !== null) return ZERO;
  return cents(Math.max(0, excess - stranded));
}

/** Sums the part of an installment that was settled with cashback, including discounts for early payment. */
export function sumRedeemedCashback(receipts: Allocation['receipts']): Cents {
  return sum(
    receipts.flatMap(({ facts, applied: { event } }) =>
      facts.source === 'cashback' && facts.reversedAt === null && event?.kind === 'payment'
        ? cents(event.principal + event.discount)
        : [],
    ),
  );
}

const NOT_APPLIED: AppliedReceipt = { event: null, excess: ZERO };

export function toReceipt(facts: ReceiptFacts): Receipt {
  const { receivedAt, purpose, pricedOn, waivesPenalties, reversedAt } = facts;
  const price = { ...(pricedOn && { pricedOn }), ...(waivesPenalties && { waivesPenalties }) };
  return { receivedAt, amount: amountToApply(facts), purpose, ...price, reversedAt };
}
