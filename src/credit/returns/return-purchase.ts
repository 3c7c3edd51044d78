import { type Cents, cents, centsToReais, sum, toReais } from '#core/values/money.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import { defineService } from '#platform/service.ts';
import { checkoutReturned, valueOutOfRange } from '../problems.ts';
import { loadPurchase, type ReallocationResult, reallocatePurchase } from '../purchases/reallocate.ts';
import { insertReturn } from '../purchases/store.ts';

/** Requests refunds to the payers, in the transaction of the return. The pix module provides it. */
export type RequestRefunds = (
  tx: CustomerTx,
  customerId: string,
  result: ReallocationResult,
  now: Date,
) => Promise<void>;

export const refunds = defineService<RequestRefunds>('refunds');

export type ReturnOrder = {
  /** The id of the waiting return, if there was one. */
  readonly id?: string;
  readonly customerId: string;
  readonly hash: string;
  /** A part of the purchase amount. Defaults to all that is left of it. */
  readonly amount?: Cents | undefined;
  readonly reason: string;
  readonly authorId: string;
};

export type CompletedReturn = {
  readonly id: string;
  readonly amount: Cents;
  readonly returnedAt: Date;
  readonly refunds: ReadonlyArray<{ readonly reference: string; readonly amountCents: Cents }>;
  readonly credited: Cents;
};

/**
 * Returns a purchase, in part or in full: from this instant on it is treated as if its amount had been that much smaller. Locks the
 * customer, so a concurrent payment is applied before or after the return, with the same result.
 */
export async function returnPurchase(
  tx: CustomerTx,
  { customerId, hash, reason, authorId, ...order }: ReturnOrder,
  { requestRefunds, ...context }: EventContext & { readonly requestRefunds: RequestRefunds },
): Promise<CompletedReturn> {
  await lockCustomerById(tx, customerId);
  const purchase = await loadPurchase(tx, customerId, hash);
  const { facts, row } = purchase;
  const returnedBefore = sum(facts.returns.map(({ amount }) => amount));
  const remaining = cents(facts.plan.financed - returnedBefore);
  if (remaining === 0) throw checkoutReturned();
  const amount = order.amount ?? remaining;
  if (amount < 1 || amount > remaining) throw valueOutOfRange('returned', cents(1), remaining);
  const { events, now } = context;
  const id = order.id ?? newId('ret', now);
  // The return comes after all receiptInstants events, even those slightly in the future because the PSP's clock is ahead.
  const receiptInstants = facts.receipts.flatMap(({ receivedAt, reversedAt }) => [
    receivedAt,
    reversedAt ?? receivedAt,
  ]);
  const at = Math.max(now.getTime(), ...receiptInstants, ...facts.returns.map((earlier) => earlier.at));
  const returnedAt = new Date(at);
  await insertReturn(tx, {
    customer_id: customerId,
    checkout_hash: hash,
    id,
    amount_cents: amount,
    reason,
    returned_at: returnedAt,
    recorded_at: now,
    returned_by: authorId,
  });
  const factsAfter = { ...facts, returns: [...facts.returns, { id, at, amount }] };
  const cause = { kind: 'return', reference: `return ${id}`, occurredAt: returnedAt } as const;
  const result = await reallocatePurchase(
    tx,
    purchase,
    factsAfter,
    cause,
    context,
    async ({ toRefund, credited }) => {
      const refunded = cents(sum(toRefund.map(({ amountCents }) => amountCents)) + credited);
      const data = {
        checkout_hash: hash,
        merchant: row.merchant_slug,
        amount: toReais(amount),
        returned: centsToReais(returnedBefore + amount),
        refunded: toReais(refunded),
        whole: amount === remaining,
        reason,
        returned_at: returnedAt.toISOString(),
      };
      await events.emit(tx, { type: 'checkout.returned', customerId, data }, now);
    },
  );
  await requestRefunds(tx, customerId, result, now);
  return { id, amount, returnedAt, refunds: result.toRefund, credited: result.credited };
}
