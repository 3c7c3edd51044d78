import { saoPauloDay } from '#core/day.ts';
import { findCustomerId, lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import { isPosted } from '#ledger';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { notFound } from '#platform/problem.ts';
import { creditCashback, debitCashback } from './cashback-account.ts';
import { adjustedAlready, cashbackTooLittle } from './problems.ts';
import { findBalances } from './reading-store.ts';

export type Adjustment = {
  /** Id or phone. */
  readonly customer: string;
  /** Positive: the customer gets it. */
  readonly amountCents: number;
  /** What the customer reads. */
  readonly reason: string;
  /** The operator's reference, e.g. a ticket. Deduplicated by it. */
  readonly reference: string | null;
};

/** The operator gives or takes cashback, but takes no more than the balance. Returns the new balance. */
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
  const named = reference === null ? {} : { reference: `cashback adjusted ${reference}` };
  if (named.reference !== undefined && (await isPosted(tx, customerId, named.reference)))
    throw adjustedAlready(reference);
  const today = saoPauloDay(context.now.getTime());
  const { balance_cents: before } = await findBalances(tx, customerId, today);
  if (amountCents < 0 && before + amountCents < 0) throw cashbackTooLittle(before);
  const movement = {
    customerId,
    kind: 'adjusted',
    causedAt: context.now,
    description: `Ajuste: ${reason}`,
  } as const;
  if (amountCents > 0) await creditCashback(tx, { ...movement, ...named, amountCents }, context);
  else await debitCashback(tx, { ...movement, ...named, amountCents: -amountCents }, context);
  return { customerId, balanceCents: before + amountCents };
}
