import { amountStillHeld, NEW_RECEIPT_STATE, type ReceiptFacts } from '#core/finance/receipts.ts';
import type { Day } from '#core/values/day.ts';
import { cents } from '#core/values/money.ts';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import {
  type LockedInstallment,
  loadInstallment,
  type ReallocationResult,
  reallocate,
} from './reallocate.ts';

export type ReceivedPayment = {
  readonly customerId: string;
  readonly installmentId: string;
  /** The reference of the sender, e.g. the end-to-end id of a Pix. Repeated receipts are recognized by it. */
  readonly reference: string;
  /** The excess of a Pix is refunded by Pix. Any other excess is left for the operator. */
  readonly source: ReceiptFacts['source'];
  readonly receivedAt: Date;
  readonly amountCents: number;
  /** 'extend' only if an extension charge was paid with its exact amount. */
  readonly purpose: 'pay' | 'extend';
  /** The day whose price the charge had fixed, if the charge was paid while it was valid. */
  readonly pricedOn?: Day;
  /** Whether penalties accrued since that day are waived if the payment settles the installment. */
  readonly waivesPenalties?: boolean;
  /** Set if the payment is moved from another installment: see `detachPayment`. */
  readonly move?: { readonly id: string; readonly part: number };
};

/**
 * Applies money that arrived for an installment, as of the instant it arrived: to interest, fine and outstanding amount, or to an
 * extension. Returns the resulting excess of all receipts of this installment. Idempotent by reference:
 * `fresh` is false if the money was applied before. The caller has locked the customer, and may pass the installment if it is loaded.
 */
export async function applyReceipt(
  tx: CustomerTx,
  received: ReceivedPayment,
  context: EventContext,
  loadedInstallment?: LockedInstallment,
): Promise<ReallocationResult & { fresh: boolean }> {
  const installment = loadedInstallment ?? (await loadInstallment(tx, received));
  const { reference, source, purpose, receivedAt, amountCents, move } = received;
  const part = move?.part ?? 0;
  const existingReceipts = installment.receipts.map(({ facts }) => facts);
  if (existingReceipts.some((facts) => facts.reference === reference && facts.part >= part))
    return { fresh: false, toRefund: [], stranded: [] };
  const newReceipt: ReceiptFacts = {
    reference,
    part,
    source,
    purpose,
    pricedOn: received.pricedOn ?? null,
    waivesPenalties: received.waivesPenalties ?? false,
    receivedAt: receivedAt.getTime(),
    amount: cents(amountCents),
    reversedAt: null,
    ...NEW_RECEIPT_STATE,
  };
  // A payment that is moved back to an earlier installment is restored there as it was.
  const detachedReceipt =
    move &&
    existingReceipts.find((facts) => facts.reference === reference && amountStillHeld(facts) === amountCents);
  const receipts = detachedReceipt
    ? existingReceipts.map((facts) => (facts === detachedReceipt ? { ...facts, reversedAt: null } : facts))
    : // Appended last: among receipts of the same instant, the one reported first comes first.
      [...existingReceipts, newReceipt];
  const cause = move
    ? ({ kind: 'move', reference: `move ${move.id} to`, occurredAt: context.now } as const)
    : ({ kind: 'receipt', reference: `receipt ${reference}`, occurredAt: receivedAt } as const);
  return { fresh: true, ...(await reallocate(tx, installment, receipts, cause, context)) };
}
