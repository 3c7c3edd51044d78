import type { Day } from '#core/day.ts';
import { cents, ZERO } from '#core/money.ts';
import type { Tx } from '#platform/db.ts';
import { type Context, lockInstallment, reallocate, type ToRefund } from './reallocate.ts';

export type Received = {
  readonly customerId: string;
  readonly installmentId: string;
  /** What the sender of the money calls it, e.g. the end-to-end id of a Pix. It counts once. */
  readonly reference: string;
  /** When the PSP says it arrived. */
  readonly receivedAt: Date;
  readonly amountCents: number;
  /** 'extend' only when a charge of that type was paid as asked. */
  readonly purpose: 'pay' | 'extend';
  /** The day whose price the paid charge held, while it lived. */
  readonly pricedOn?: Day;
};

/**
 * Money arrived for an installment: applies it as of its own instant, to interest, fine and outstanding amount, or to an
 * extension, and answers what of all that was ever received for this installment is too much and must be refunded. Nothing
 * happens when it was applied before.
 */
export async function applyReceipt(
  tx: Tx,
  received: Received,
  context: Context,
): Promise<{ fresh: boolean; toRefund: ToRefund[] }> {
  const installment = await lockInstallment(tx, received);
  if (installment.receipts.some(({ reference }) => reference === received.reference))
    return { fresh: false, toRefund: [] };
  const { reference, receivedAt, amountCents, purpose, pricedOn = null } = received;
  const fact = {
    reference,
    receivedAt: receivedAt.getTime(),
    amount: cents(amountCents),
    purpose,
    pricedOn,
    reversedAt: null,
    refunded: ZERO,
  };
  // Last in the list: of two at the same instant, the one heard of first comes first.
  const facts = [...installment.receipts, fact];
  const cause = { kind: 'receipt', reference: `receipt ${reference}`, occurredAt: receivedAt } as const;
  return { fresh: true, toRefund: await reallocate(tx, installment, facts, cause, context) };
}
