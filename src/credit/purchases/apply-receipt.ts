import type { Day } from '#core/day.ts';
import { cents } from '#core/money.ts';
import { hereOf, type ReceiptFacts, UNTOUCHED } from '#core/receipts.ts';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type LockedInstallment, type Reallocated, readInstallment, reallocate } from './reallocate.ts';

export type Received = {
  readonly customerId: string;
  readonly installmentId: string;
  /** The sender's reference, e.g. the end-to-end id of a Pix. Deduplicated by it. */
  readonly reference: string;
  /** Excess of a Pix is refunded by Pix; any other is left for the operator. */
  readonly source: ReceiptFacts['source'];
  /** When the PSP says it arrived. */
  readonly receivedAt: Date;
  readonly amountCents: number;
  /** 'extend' only when a charge of that type was paid as asked. */
  readonly purpose: 'pay' | 'extend';
  /** The day of the price that the paid charge had fixed, while it was valid. */
  readonly pricedOn?: Day;
  /** It counted for another installment before: see `takeReceipt`. */
  readonly move?: { readonly id: string; readonly part: number };
};

/**
 * Applies money that arrived for an installment, as of its own instant: to interest, fine and outstanding amount, or to an
 * extension. Returns what of all receipts of this installment turns out to be excess. Idempotent by reference. The caller has
 * locked the customer, and may have read the installment.
 */
export async function applyReceipt(
  tx: CustomerTx,
  received: Received,
  context: EventContext,
  read?: LockedInstallment,
): Promise<Reallocated & { fresh: boolean }> {
  const installment = read ?? (await readInstallment(tx, received));
  const { reference, source, receivedAt, amountCents, purpose, pricedOn = null, move } = received;
  const part = move?.part ?? 0;
  const known = installment.receipts.map(({ facts }) => facts);
  if (known.some((facts) => facts.reference === reference && facts.part >= part))
    return { fresh: false, toRefund: [], stranded: [] };
  const arrived: ReceiptFacts = {
    reference,
    part,
    source,
    purpose,
    pricedOn,
    receivedAt: receivedAt.getTime(),
    amount: cents(amountCents),
    reversedAt: null,
    ...UNTOUCHED,
  };
  // Moved back to where it counted before, it counts as it did then.
  const before =
    move && known.find((facts) => facts.reference === reference && hereOf(facts) === amountCents);
  const facts = before
    ? known.map((fact) => (fact === before ? { ...before, reversedAt: null } : fact))
    : // Last in the list: at the same instant the one reported first comes first.
      [...known, arrived];
  const cause = move
    ? ({ kind: 'move', reference: `move ${move.id} to`, occurredAt: context.now } as const)
    : ({ kind: 'receipt', reference: `receipt ${reference}`, occurredAt: receivedAt } as const);
  return { fresh: true, ...(await reallocate(tx, installment, facts, cause, context)) };
}
