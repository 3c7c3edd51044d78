import { saoPauloDay } from '#core/values/day.ts';
import { findCustomerId, lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import { isPosted } from '#ledger';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { notFound } from '#platform/problem.ts';
import { creditCashback, debitCashback } from './cashback-account.ts';
import { adjustedAlready, cashbackTooLittle } from './problems.ts';
import { findBalances } from './reading-store.ts';

type Adjustment = {
  /** Id or phone. */
  readonly customer: string;
  /** Positive to give cashback, negative to take it. */
  readonly amountCents: number;
  /** Shown to the customer. */
  readonly reason: string;
  /** The operator's reference, e.g. a ticket. A repeated adjustment is recognized by it. */
  readonly reference: string | null;
};

/** The operator gives cashback, or takes at most the balance. Returns the new balance. */
export async function adjustCashback(
  tx: CustomerTx,
  { customer, amountCents, reason, reference }: Adjustment,
  context: EventContext,
): Promise<{ customerId: string; balanceCents: number }> {
  const customerId = await findCustomerId(tx, customer);
  if (customerId === undefined || !(await lockCustomerById(tx, customerId)))
    throw notFound({
      en: `There is no customer '${customer}'.`,
      pt: `O cliente '${customer}' não existe.`,
    });
  const posting = reference === null ? {} : { reference: `cashback adjusted ${reference}` };
  if (posting.reference !== undefined && (await isPosted(tx, customerId, posting.reference)))
    throw adjustedAlready(reference);
  const today = saoPauloDay(context.now.getTime());
  const { balance_cents: balanceBefore } = await findBalances(tx, customerId, today);
  if (amountCents < 0 && balanceBefore + amountCents < 0) throw cashbackTooLittle(balanceBefore);
  const movement = {
    customerId,
    kind: 'adjusted',
    causedAt: context.now,
    description: `Ajuste: ${reason}`,
  } as const;
  if (amountCents > 0) await creditCashback(tx, { ...movement, ...posting, amountCents }, context);
  else await debitCashback(tx, { ...movement, ...posting, amountCents: -amountCents }, context);
  return { customerId, balanceCents: balanceBefore + amountCents };
}
