import { type Cents, cents, reaisOf, sum, toReais } from '#core/money.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import { service } from '#platform/service.ts';
import { checkoutReturned, valueOutOfRange } from '../problems.ts';
import { type Reallocated, readPurchase, reallocatePurchase } from '../purchases/reallocate.ts';
import { insertReturn } from '../purchases/store.ts';

/** Refunds money to its payer. Provided by the module that received it. Runs in the transaction of the return. */
export type RequestRefunds = (
  tx: CustomerTx,
  customerId: string,
  gone: Pick<Reallocated, 'toRefund' | 'stranded'>,
  now: Date,
) => Promise<void>;

export const refunds = service<RequestRefunds>('refunds');

export type ReturnOrder = {
  /** Of one that waited; a new one unless given. */
  readonly id?: string;
  readonly customerId: string;
  readonly hash: string;
  /** Of the purchase amount; by default everything that is left of it. */
  readonly amount?: Cents | undefined;
  readonly reason: string;
  /** The author of the return. */
  readonly by: string;
};

export type MadeReturn = {
  readonly id: string;
  readonly amount: Cents;
  readonly returnedAt: Date;
  readonly refunds: ReadonlyArray<{ readonly reference: string; readonly amountCents: Cents }>;
  /** What became cashback. */
  readonly credited: Cents;
};

/**
 * Returns some or all of a purchase: from this instant on it is as if it had been that much smaller. Locks the customer, so a
 * concurrent payment comes before or after it, with the same result.
 */
export async function returnPurchase(
  tx: CustomerTx,
  { customerId, hash, reason, by, ...order }: ReturnOrder,
  { requestRefunds, ...context }: EventContext & { readonly requestRefunds: RequestRefunds },
): Promise<MadeReturn> {
  await lockCustomerById(tx, customerId);
  const purchase = await readPurchase(tx, customerId, hash);
  const { facts, row } = purchase;
  const before = sum(facts.returns.map(({ amount }) => amount));
  const left = cents(facts.plan.financed - before);
  if (left === 0) throw checkoutReturned();
  const amount = order.amount ?? left;
  if (amount < 1 || amount > left) throw valueOutOfRange('returned', cents(1), left);
  const { events, now } = context;
  const id = order.id ?? newId('ret', now);
  // After all known events, also those that the PSP's clock puts slightly into the future.
  const known = facts.receipts.flatMap(({ receivedAt, reversedAt }) => [
    receivedAt,
    reversedAt ?? receivedAt,
  ]);
  const at = Math.max(now.getTime(), ...known, ...facts.returns.map((made) => made.at));
  const returnedAt = new Date(at);
  await insertReturn(tx, {
    customer_id: customerId,
    checkout_hash: hash,
    id,
    amount_cents: amount,
    reason,
    returned_at: returnedAt,
    recorded_at: now,
    returned_by: by,
  });
  const after = { ...facts, returns: [...facts.returns, { id, at, amount }] };
  const cause = { kind: 'return', reference: `return ${id}`, occurredAt: returnedAt } as const;
  const gone = await reallocatePurchase(
    tx,
    purchase,
    after,
    cause,
    context,
    async ({ toRefund, credited }) => {
      const refunded = cents(sum(toRefund.map(({ amountCents }) => amountCents)) + credited);
      const data = {
        checkout_hash: hash,
        merchant: row.merchant_slug,
        amount: toReais(amount),
        returned: reaisOf(before + amount),
        refunded: toReais(refunded),
        whole: amount === left,
        returned_at: returnedAt.toISOString(),
      };
      await events.emit(tx, { type: 'checkout.returned', customerId, data }, now);
    },
  );
  await requestRefunds(tx, customerId, gone, now);
  return { id, amount, returnedAt, refunds: gone.toRefund, credited: gone.credited };
}
