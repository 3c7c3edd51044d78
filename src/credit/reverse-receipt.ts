import type { Tx } from '#platform/db.ts';
import { type Given, lockInstallment, restate, type ToRefund } from './restate.ts';

/**
 * The payer's bank took the money back (MED): what it had paid is owed again from that instant on. What of it was too much
 * is no part of this; it leaves by its refund. Nothing happens the second time. `owedAgainCents`: what of it had been applied.
 */
export async function reverseReceipt(
  tx: Tx,
  reversal: { customerId: string; installmentId: string; reference: string; reversedAt: Date },
  given: Given,
): Promise<{ fresh: boolean; owedAgainCents: number; toRefund: ToRefund[] }> {
  const { reference, reversedAt } = reversal;
  const installment = await lockInstallment(tx, reversal);
  const receipt = installment.receipts.find((known) => known.reference === reference);
  if (!receipt) throw new Error(`nothing was received as ${reference} for ${reversal.installmentId}`);
  if (receipt.reversedAt !== null) return { fresh: false, owedAgainCents: 0, toRefund: [] };
  const facts = installment.receipts.map((known) =>
    known === receipt ? { ...known, reversedAt: reversedAt.getTime() } : known,
  );
  const cause = { kind: 'reversal', reference: `reversal ${reference}`, occurredAt: reversedAt } as const;
  const owedAgainCents = receipt.amount - receipt.refunded - receipt.result.excess_cents;
  return { fresh: true, owedAgainCents, toRefund: await restate(tx, installment, facts, cause, given) };
}
