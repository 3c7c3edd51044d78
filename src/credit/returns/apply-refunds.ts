import { ZERO } from '#core/money.ts';
import { type Chargeback, planRefunds, type RefundChanges, type RefundPlan } from '#core/refunds.ts';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Reallocated, readInstallment, reallocate } from '../purchases/reallocate.ts';

/** The receipts of one payment. */
export type Payment = {
  readonly customerId: string;
  readonly installmentId: string;
  /** Of its receipts. */
  readonly reference: string;
};

export type HeardRefunds = Omit<RefundChanges, 'chargebacks'> & {
  readonly chargebacks: ReadonlyArray<Chargeback & { readonly id: string }>;
};

/**
 * Applies failed refunds and chargebacks of a payment: what the payment had paid is owed again from that instant on, money that
 * turned out to be here is applied, and excess is held for other refunds. The caller has locked the customer.
 */
export async function applyRefunds(
  tx: CustomerTx,
  payment: Payment,
  heard: HeardRefunds,
  context: EventContext,
): Promise<Reallocated & Omit<RefundPlan, 'receipts'>> {
  const installment = await readInstallment(tx, payment);
  const known = installment.receipts.map(({ facts }) => facts);
  const parts = known.filter(({ reference }) => reference === payment.reference);
  if (parts.length === 0)
    throw new Error(`nothing was received as ${payment.reference} for ${payment.installmentId}`);
  const inOrder = parts.toSorted((a, b) => a.part - b.part);
  const { receipts, ...plan } = planRefunds(inOrder, heard, context.now.getTime());
  // Existing parts keep their place, new ones are last.
  const facts = known
    .map((fact) => (fact.reference === payment.reference ? receipts[fact.part]! : fact))
    .concat(receipts.slice(parts.length));
  const { chargebacks, failed } = heard;
  const kind = chargebacks.length > 0 ? 'chargeback' : 'refund_released';
  const names = [...chargebacks, ...failed].map(({ id }) => id).join(' ');
  const occurredAt = new Date(chargebacks.at(-1)?.at ?? context.now);
  const cause = { kind, reference: `${kind} ${payment.reference} ${names}`, occurredAt } as const;
  return { ...(await reallocate(tx, installment, facts, cause, context)), ...plan };
}

/** Refunds again what had been given up of a part. The caller has locked the customer. */
export async function holdStranded(
  tx: CustomerTx,
  payment: Payment & { part: number },
  context: EventContext,
): Promise<Reallocated> {
  const installment = await readInstallment(tx, payment);
  const isIts = (fact: { reference: string; part: number }) =>
    fact.reference === payment.reference && fact.part === payment.part;
  const facts = installment.receipts.map(({ facts: fact }) =>
    isIts(fact) ? { ...fact, stranded: ZERO } : fact,
  );
  // Held or not, it is owed to the payer: nothing is posted.
  const cause = { kind: 'receipt', reference: 'held', occurredAt: context.now } as const;
  return reallocate(tx, installment, facts, cause, context);
}
