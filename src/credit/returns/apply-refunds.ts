import { type Cents, cents, ZERO } from '#core/money.ts';
import { hereOf, type ReceiptFacts } from '#core/receipts.ts';
import { type Chargeback, planRefunds, type RefundChanges, type RefundPlan } from '#core/refunds.ts';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Cause, type Reallocated, readInstallment, reallocate } from '../purchases/reallocate.ts';

/** The receipts of one payment. */
type Payment = {
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
    .map((fact) => (fact.reference === payment.reference ? receipts[inOrder.indexOf(fact)]! : fact))
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
  // Held or not, it is owed to the payer: nothing is posted.
  const cause = { kind: 'receipt', reference: 'held', occurredAt: context.now } as const;
  const hold = (fact: ReceiptFacts) => (fact.part === payment.part ? { ...fact, stranded: ZERO } : fact);
  return changeParts(tx, payment, hold, cause, context);
}

/** Turns what was given up of a part, up to this amount, into cashback: no refund can return it any more. The caller has locked the customer. */
export async function creditStranded(
  tx: CustomerTx,
  payment: Payment & { part: number; refundId: string; amountCents: number },
  context: EventContext,
): Promise<Reallocated> {
  const { reference, part, refundId, amountCents } = payment;
  const kind = 'refund_credited';
  const cause = { kind, reference: `${kind} ${reference} ${refundId}`, occurredAt: context.now } as const;
  const credit = (fact: ReceiptFacts): ReceiptFacts => {
    if (fact.part !== part) return fact;
    const amount = Math.min(amountCents, fact.stranded);
    return {
      ...fact,
      stranded: cents(fact.stranded - amount),
      credited: cents(fact.credited + amount),
    };
  };
  return changeParts(tx, payment, credit, cause, context);
}

/**
 * Takes all that is here of a payment off its installment, to be applied to another one: what it had paid is owed again from now
 * on, as after a chargeback. The caller has locked the customer.
 */
export async function takeReceipt(
  tx: CustomerTx,
  payment: Payment & { readonly moveId: string },
  context: EventContext,
): Promise<Reallocated & { readonly amount: Cents }> {
  const { now } = context;
  let amount = 0;
  const take = (fact: ReceiptFacts): ReceiptFacts => {
    if (fact.reversedAt !== null || hereOf(fact) === 0) return fact;
    amount += hereOf(fact);
    return { ...fact, reversedAt: Math.max(now.getTime(), fact.receivedAt) };
  };
  const cause = { kind: 'move', reference: `move ${payment.moveId} from`, occurredAt: now } as const;
  const gone = await changeParts(tx, payment, take, cause, context);
  return { ...gone, amount: cents(amount) };
}

/** `change` gets each part of the payment. */
async function changeParts(
  tx: CustomerTx,
  payment: Payment,
  change: (fact: ReceiptFacts) => ReceiptFacts,
  cause: Cause,
  context: EventContext,
): Promise<Reallocated> {
  const installment = await readInstallment(tx, payment);
  const facts = installment.receipts.map(({ facts: fact }) =>
    fact.reference === payment.reference ? change(fact) : fact,
  );
  return reallocate(tx, installment, facts, cause, context);
}
