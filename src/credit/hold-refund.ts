import { cents } from '#core/money.ts';
import type { Tx } from '#platform/db.ts';
import { type Context, lockInstallment, reallocate, type ToRefund } from './reallocate.ts';

export type Refund = {
  readonly customerId: string;
  readonly installmentId: string;
  /** Of the receipt whose money goes back. */
  readonly reference: string;
  /** Of the refund itself. */
  readonly refundId: string;
  readonly amountCents: number;
};

/**
 * A refund is about to be asked of the PSP: from here on this part of the receipt is not applied to anything any more,
 * whatever else is heard of the installment. To be done in the transaction that writes the refund down, before the call.
 */
export async function holdRefund(tx: Tx, refund: Refund, context: Context): Promise<void> {
  await change(tx, refund, refund.amountCents, 'refund_held', context);
}

/** The PSP could not do it: the money is here after all, and is applied if something is owed by now. Answers what is not. */
export async function releaseRefund(tx: Tx, refund: Refund, context: Context): Promise<ToRefund[]> {
  return change(tx, refund, -refund.amountCents, 'refund_released', context);
}

async function change(
  tx: Tx,
  { customerId, installmentId, reference, refundId }: Refund,
  byCents: number,
  kind: 'refund_held' | 'refund_released',
  context: Context,
): Promise<ToRefund[]> {
  const installment = await lockInstallment(tx, { customerId, installmentId });
  const receipt = installment.receipts.find((known) => known.reference === reference);
  if (!receipt) throw new Error(`nothing was received as ${reference} for ${installmentId}`);
  const refunded = receipt.refunded + byCents;
  if (refunded < 0 || byCents > receipt.result.excess_cents)
    throw new Error(`${byCents} centavos of ${reference} cannot be refunded`);
  const facts = installment.receipts.map((known) =>
    known === receipt ? { ...known, refunded: cents(refunded) } : known,
  );
  const cause = { kind, reference: `${kind} ${refundId}`, occurredAt: context.now };
  return reallocate(tx, installment, facts, cause, context);
}
