import { amountStillHeld, NEW_RECEIPT_STATE, type ReceiptFacts } from '#core/finance/receipts.ts';
import { type Chargeback, planRefunds, type RefundChanges, type RefundPlan } from '#core/finance/refunds.ts';
import type { Day } from '#core/values/day.ts';
import { type Cents, cents, sum, ZERO } from '#core/values/money.ts';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import {
  type LockedInstallment,
  loadInstallment,
  type ReallocationCause,
  type ReallocationResult,
  reallocate,
} from './reallocate.ts';

type ReceivedPayment = {
  readonly customerId: string;
  readonly installmentId: string;
  /** The reference of the sender, e.g. the end-to-end id of a Pix. It identifies repeated receipts. */
  readonly reference: string;
  /** The excess of a Pix is refunded by Pix. Any other excess is left for the operator. */
  readonly source: ReceiptFacts['source'];
  readonly receivedAt: Date;
  readonly amountCents: number;
  /** 'extend' only if an extension charge was paid with its exact amount. */
  readonly purpose: 'pay' | 'extend';
  /** The day whose price the charge had fixed, if the charge was paid while it was valid. */
  readonly pricedOn?: Day;
  /** Whether penalties accrued since `pricedOn` are waived if the payment settles the installment. */
  readonly waivesPenalties?: boolean;
  /** Set if the payment is moved from another installment: see `detachPayment`. `part` is the number of the new receipt. */
  readonly move?: { readonly id: string; readonly part: number };
};

/**
 * Applies money that arrived for an installment, as of the instant it arrived: to interest, fine and outstanding amount, or to an
 * extension. Returns the resulting excess of all receipts of this installment. Idempotent by reference: `isNew` is false if the
 * money was applied before. The caller has locked the customer, and may pass the installment if it is already loaded.
 */
export async function applyReceipt(
  tx: CustomerTx,
  receivedPayment: ReceivedPayment,
  context: EventContext,
  loadedInstallment?: LockedInstallment,
): Promise<ReallocationResult & { isNew: boolean }> {
  const installment = loadedInstallment ?? (await loadInstallment(tx, receivedPayment));
  const { reference, source, purpose, receivedAt, amountCents, move } = receivedPayment;
  const part = move?.part ?? 0;
  const existingReceipts = installment.receipts.map(({ facts }) => facts);
  // Parts are numbered in the order in which they are created, so a part with a higher number implies that this one was applied.
  if (existingReceipts.some((facts) => facts.reference === reference && facts.part >= part))
    return { isNew: false, toRefund: [], stranded: [] };
  const newReceipt: ReceiptFacts = {
    reference,
    part,
    source,
    purpose,
    pricedOn: receivedPayment.pricedOn ?? null,
    waivesPenalties: receivedPayment.waivesPenalties ?? false,
    receivedAt: receivedAt.getTime(),
    amount: cents(amountCents),
    reversedAt: null,
    ...NEW_RECEIPT_STATE,
  };
  // A payment that is moved back to an earlier installment becomes the same receipt again.
  const detachedReceipt =
    move &&
    existingReceipts.find((facts) => facts.reference === reference && amountStillHeld(facts) === amountCents);
  // A new receipt is appended: receipts of the same instant are in the order in which they were reported.
  const receipts = detachedReceipt
    ? existingReceipts.map((facts) => (facts === detachedReceipt ? { ...facts, reversedAt: null } : facts))
    : [...existingReceipts, newReceipt];
  const cause = move
    ? ({ kind: 'move', reference: `move ${move.id} to`, occurredAt: context.now } as const)
    : ({ kind: 'receipt', reference: `receipt ${reference}`, occurredAt: receivedAt } as const);
  return { isNew: true, ...(await reallocate(tx, installment, receipts, cause, context)) };
}

type PaymentKey = {
  readonly customerId: string;
  readonly installmentId: string;
  /** The reference that all receipts of the payment share. */
  readonly reference: string;
};

export type ReportedRefunds = Omit<RefundChanges, 'chargebacks'> & {
  readonly chargebacks: ReadonlyArray<Chargeback & { readonly id: string }>;
};

/**
 * Applies failed refunds and chargebacks of a payment. The debt that the payment had paid is owed again from the chargeback on. Money
 * of failed refunds is applied, and new excess is held for refunds. The caller has locked the customer.
 */
export async function applyRefundChanges(
  tx: CustomerTx,
  payment: PaymentKey,
  reportedRefunds: ReportedRefunds,
  context: EventContext,
): Promise<ReallocationResult & Omit<RefundPlan, 'receipts'>> {
  const installment = await loadInstallment(tx, payment);
  const existingReceipts = installment.receipts.map(({ facts }) => facts);
  const ownParts = existingReceipts.filter(({ reference }) => reference === payment.reference);
  if (ownParts.length === 0)
    throw new Error(`nothing was received as ${payment.reference} for ${payment.installmentId}`);
  const sortedParts = ownParts.toSorted((left, right) => left.part - right.part);
  const { receipts: plannedParts, ...plan } = planRefunds(
    sortedParts,
    reportedRefunds,
    context.now.getTime(),
  );
  // The plan has the existing parts in the same order, and then the new ones. Existing parts keep their position among all receipts.
  const newParts = plannedParts.slice(ownParts.length);
  const changedReceipts = existingReceipts.map((receipt) =>
    receipt.reference === payment.reference ? plannedParts[sortedParts.indexOf(receipt)]! : receipt,
  );
  const receipts = [...changedReceipts, ...newParts];
  const { chargebacks, failed } = reportedRefunds;
  const kind = chargebacks.length > 0 ? 'chargeback' : 'refund_released';
  const ids = [...chargebacks, ...failed].map(({ id }) => id).join(' ');
  const occurredAt = new Date(chargebacks.at(-1)?.settledAt ?? context.now);
  const cause = { kind, reference: `${kind} ${payment.reference} ${ids}`, occurredAt } as const;
  return { ...(await reallocate(tx, installment, receipts, cause, context)), ...plan };
}

/** Holds the stranded money of a part for a refund again; the caller then requests the refund. The caller has locked the customer. */
export async function holdStrandedMoney(
  tx: CustomerTx,
  payment: PaymentKey & { part: number },
  context: EventContext,
): Promise<ReallocationResult> {
  // The payer is owed the money whether it is held or stranded, so nothing is posted, and the reference is not used.
  const cause = { kind: 'receipt', reference: 'held', occurredAt: context.now } as const;
  const holdForRefund = (receipt: ReceiptFacts) =>
    receipt.part === payment.part ? { ...receipt, stranded: ZERO } : receipt;
  return changeParts(tx, payment, holdForRefund, cause, context);
}

/**
 * Converts stranded money of a part, up to this amount, to cashback, because it can no longer be refunded. The caller has locked
 * the customer.
 */
export async function convertStrandedMoney(
  tx: CustomerTx,
  payment: PaymentKey & { part: number; refundId: string; amountCents: number },
  context: EventContext,
): Promise<ReallocationResult> {
  const { reference, part, refundId, amountCents } = payment;
  const kind = 'refund_credited';
  const cause = { kind, reference: `${kind} ${reference} ${refundId}`, occurredAt: context.now } as const;
  const creditPart = (receipt: ReceiptFacts): ReceiptFacts => {
    if (receipt.part !== part) return receipt;
    const { stranded, credited } = receipt;
    const amount = Math.min(amountCents, stranded);
    return { ...receipt, stranded: cents(stranded - amount), credited: cents(credited + amount) };
  };
  return changeParts(tx, payment, creditPart, cause, context);
}

/**
 * Detaches the remaining amount of a payment from its installment, so that it can be applied to another installment. The debt that the
 * payment had paid is owed again from now on, as after a chargeback. The caller has locked the customer.
 */
export async function detachPayment(
  tx: CustomerTx,
  payment: PaymentKey & { readonly moveId: string },
  context: EventContext,
): Promise<ReallocationResult & { readonly amount: Cents }> {
  const installment = await loadInstallment(tx, payment);
  const shouldDetach = (receipt: ReceiptFacts) =>
    receipt.reference === payment.reference && receipt.reversedAt === null && amountStillHeld(receipt) > 0;
  const existingReceipts = installment.receipts.map(({ facts }) => facts);
  const amount = sum(existingReceipts.filter(shouldDetach).map(amountStillHeld));
  const receipts = existingReceipts.map((receipt) =>
    shouldDetach(receipt)
      ? { ...receipt, reversedAt: Math.max(context.now.getTime(), receipt.receivedAt) }
      : receipt,
  );
  const cause = { kind: 'move', reference: `move ${payment.moveId} from`, occurredAt: context.now } as const;
  return { ...(await reallocate(tx, installment, receipts, cause, context)), amount };
}

/** Changes the receipts of a payment, which are its parts, and reallocates the installment. */
async function changeParts(
  tx: CustomerTx,
  payment: PaymentKey,
  changePart: (receipt: ReceiptFacts) => ReceiptFacts,
  cause: ReallocationCause,
  context: EventContext,
): Promise<ReallocationResult> {
  const installment = await loadInstallment(tx, payment);
  const receipts = installment.receipts.map(({ facts }) =>
    facts.reference === payment.reference ? changePart(facts) : facts,
  );
  return reallocate(tx, installment, receipts, cause, context);
}
