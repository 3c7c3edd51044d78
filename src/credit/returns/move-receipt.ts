import { type Cents, cents } from '#core/money.ts';
import { hereOf, type ReceiptFacts } from '#core/receipts.ts';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Reallocated, readInstallment, reallocate } from '../purchases/reallocate.ts';
import type { Payment } from './apply-refunds.ts';

/**
 * Takes all that is here of a payment off its installment, to be applied to another one: what it had paid is owed again from now
 * on, as after a chargeback. The caller has locked the customer.
 */
export async function takeReceipt(
  tx: CustomerTx,
  payment: Payment & { readonly moveId: string },
  context: EventContext,
): Promise<Reallocated & { readonly amount: Cents }> {
  const installment = await readInstallment(tx, payment);
  let amount = 0;
  const take = (fact: ReceiptFacts): ReceiptFacts => {
    if (fact.reference !== payment.reference || fact.reversedAt !== null || hereOf(fact) === 0) return fact;
    amount += hereOf(fact);
    return { ...fact, reversedAt: Math.max(context.now.getTime(), fact.receivedAt) };
  };
  const facts = installment.receipts.map(({ facts: fact }) => take(fact));
  const cause = {
    kind: 'move',
    reference: `move ${payment.moveId} from`,
    occurredAt: context.now,
  } as const;
  const gone = await reallocate(tx, installment, facts, cause, context);
  return { ...gone, amount: cents(amount) };
}
