import type { Tx } from '#platform/db.ts';
import { type Context, lockInstallment, reallocate, type ToRefund } from './reallocate.ts';

/**
 * The payer's bank took the money back (MED): what it had paid is owed again from that instant on. All of it is gone but
 * what is held for a refund, which leaves by that; `takenCents` says how much. Nothing happens the second time.
 */
export async function reverseReceipt(
  tx: Tx,
  reversal: { customerId: string; installmentId: string; reference: string; reversedAt: Date },
  context: Context,
): Promise<{ fresh: boolean; takenCents: number; toRefund: ToRefund[] }> {
  const { reference, reversedAt } = reversal;
  const installment = await lockInstallment(tx, reversal);
  const receipt = installment.receipts.find((known) => known.reference === reference);
  if (!receipt) throw new Error(`nothing was received as ${reference} for ${reversal.installmentId}`);
  if (receipt.reversedAt !== null) return { fresh: false, takenCents: 0, toRefund: [] };
  const facts = installment.receipts.map((known) =>
    known === receipt ? { ...known, reversedAt: reversedAt.getTime() } : known,
  );
  const cause = { kind: 'reversal', reference: `reversal ${reference}`, occurredAt: reversedAt } as const;
  const takenCents = receipt.amount - receipt.refunded;
  return { fresh: true, takenCents, toRefund: await reallocate(tx, installment, facts, cause, context) };
}
