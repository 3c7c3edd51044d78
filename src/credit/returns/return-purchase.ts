import { computeFeeRefund } from '#core/finance/merchant-fee.ts';
import { type Cents, cents, centsToReais, sum, toReais } from '#core/values/money.ts';
import { ppm } from '#core/values/percent.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { defineService } from '#platform/service.ts';
import { checkoutReturned, merchantOwes, returnWaiting, valueOutOfRange } from '../problems.ts';
import { findSale, type Sale } from '../purchases/reading-store.ts';
import { loadPurchase, type ReallocationResult, reallocatePurchase } from '../purchases/reallocate.ts';
import { insertReturn, sumReturned } from '../purchases/store.ts';
import type { CreditSettings } from '../settings.ts';
import { insertWaitingReturn, sumWaitingReturns } from './waiting-store.ts';

/** Requests refunds to the payers, in the transaction of the return. The pix module provides this function. */
export type RequestRefunds = (
  tx: CustomerTx,
  customerId: string,
  result: ReallocationResult,
  now: Date,
) => Promise<void>;

export const refundRequester = defineService<RequestRefunds>('refunds');

export type ReturnOrder = {
  /** The id of the waiting return, if there was one. */
  readonly id?: string;
  readonly customerId: string;
  readonly hash: string;
  /** A part of the purchase amount. Defaults to the amount that has not been returned yet. */
  readonly amount?: Cents | undefined;
  readonly reason: string;
  readonly authorId: string;
};

export type CompletedReturn = {
  readonly id: string;
  readonly amount: Cents;
  readonly returnedAt: Date;
  readonly refunds: ReadonlyArray<{ readonly reference: string; readonly amountCents: Cents }>;
  /** The amount that was converted to cashback, because it cannot be refunded by Pix. */
  readonly credited: Cents;
};

/**
 * Returns a purchase, in part or in full: from now on the purchase is treated as if its amount had been smaller from the beginning.
 * Locks the customer, so a concurrent payment is applied before or after the return, with the same result.
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
  const remainingAmount = cents(facts.plan.financed - returnedBefore);
  if (remainingAmount === 0) throw checkoutReturned();
  const amount = order.amount ?? remainingAmount;
  if (amount < 1 || amount > remainingAmount)
    throw valueOutOfRange('can be returned', cents(1), remainingAmount);
  const { events, now } = context;
  const id = order.id ?? newId('ret', now);
  // A return must come after all receipts, even if some are slightly in the future because the PSP's clock is ahead.
  const receiptInstants = facts.receipts.flatMap(({ receivedAt, reversedAt }) => [
    receivedAt,
    reversedAt ?? receivedAt,
  ]);
  const returnInstants = facts.returns.map((earlierReturn) => earlierReturn.returnedAt);
  const returnInstant = Math.max(now.getTime(), ...receiptInstants, ...returnInstants);
  const returnedAt = new Date(returnInstant);
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
  const factsAfter = { ...facts, returns: [...facts.returns, { id, returnedAt: returnInstant, amount }] };
  const cause = { kind: 'return', reference: `return ${id}`, occurredAt: returnedAt } as const;
  const result = await reallocatePurchase(
    tx,
    purchase,
    factsAfter,
    cause,
    context,
    async ({ toRefund, credited }) => {
      const refundedAmount = cents(sum(toRefund.map(({ amountCents }) => amountCents)) + credited);
      const data = {
        checkout_hash: hash,
        merchant: row.merchant_slug,
        amount: toReais(amount),
        returned: centsToReais(returnedBefore + amount),
        refunded: toReais(refundedAmount),
        whole: amount === remainingAmount,
        reason,
        returned_at: returnedAt.toISOString(),
      };
      await events.emit(tx, { type: 'checkout.returned', customerId, data }, now);
    },
  );
  await requestRefunds(tx, customerId, result, now);
  return { id, amount, returnedAt, refunds: result.toRefund, credited: result.credited };
}

/** The amounts that the operator owes the merchant before and after a return; negative if the merchant owes the operator. */
export type BalanceChange = { readonly owedBefore: Cents; readonly owedAfter: Cents };

type ReturnDeps = EventContext & FloorDeps & { readonly requestRefunds: RequestRefunds };

/**
 * Returns a sale for its merchant, in part or in full. If the merchant would then owe more than allowed, stores a return that waits for
 * approval, and moves no money.
 */
export async function requestReturn(tx: CustomerTx, order: ReturnOrder, deps: ReturnDeps) {
  const { sale, amount, owedAfter } = await planReturn(tx, order, deps);
  if (!isBelowFloor(owedAfter, deps))
    return { completedReturn: await returnPurchase(tx, { ...order, amount }, deps) };
  const waitingReturn = await insertWaitingReturn(tx, {
    id: newId('ret', deps.now),
    merchant_id: sale.merchant_id,
    merchant_slug: sale.merchant_slug,
    merchant_name: sale.merchant_name,
    customer_id: order.customerId,
    checkout_hash: order.hash,
    amount_cents: amount,
    reason: order.reason,
    asked_at: deps.now,
    asked_by: order.authorId,
  });
  return { waitingReturn };
}

/** Carries out the return even if it needs approval. The caller rolls the transaction back. */
export async function previewReturn(tx: CustomerTx, order: ReturnOrder, deps: ReturnDeps) {
  const { amount, owedBefore, owedAfter } = await planReturn(tx, order, deps);
  const completedReturn = await returnPurchase(tx, { ...order, amount }, deps);
  return { owedBefore, owedAfter, completedReturn, wouldWait: isBelowFloor(owedAfter, deps) };
}

/** Computes the amount of a return and the merchant's balance before and after it. Locks the customer, then the merchant's balance. */
async function planReturn(
  tx: CustomerTx,
  { customerId, hash, ...order }: ReturnOrder,
  { balances }: FloorDeps,
): Promise<BalanceChange & { sale: Sale; amount: Cents }> {
  await lockCustomerById(tx, customerId);
  const sale = (await findSale(tx, customerId, hash))!;
  const remainingAmount = cents(sale.financed_cents - (await sumReturned(tx, customerId, hash)));
  if (remainingAmount === 0) throw checkoutReturned();
  const maxAmount = cents(remainingAmount - (await sumWaitingReturns(tx, hash)));
  if (maxAmount <= 0) throw returnWaiting();
  const amount = order.amount ?? maxAmount;
  if (amount < 1 || amount > maxAmount) throw valueOutOfRange('can be returned', cents(1), maxAmount);
  const owedBefore = cents(await balances.lock(tx, sale.merchant_id));
  const rate = ppm(sale.merchant_fee_ppm);
  const feeRefund = computeFeeRefund(remainingAmount, cents(remainingAmount - amount), rate);
  return { sale, amount, owedBefore, owedAfter: cents(owedBefore - amount + feeRefund) };
}

/** Returns balances of merchants in centavos; negative if the merchant owes. The payouts module provides this service. */
export type MerchantBalances = {
  readonly find: (db: Queryable, merchantId: number) => Promise<number>;
  /** Locks the balance until the commit. Payout batches and other returns of this merchant wait. */
  readonly lock: (tx: Tx, merchantId: number) => Promise<number>;
};

export const merchantBalancesService = defineService<MerchantBalances>('merchant balances');

type FloorDeps = Pick<CreditSettings, 'merchantFloorCents'> & { readonly balances: MerchantBalances };

const isBelowFloor = (balanceCents: number, { merchantFloorCents }: Pick<FloorDeps, 'merchantFloorCents'>) =>
  balanceCents < -merchantFloorCents;

/** Throws a problem if the merchant owes more than allowed. The merchant may create offers again once its debt is lower. */
export async function refuseBelowFloor(db: Queryable, merchantId: number, deps: FloorDeps): Promise<void> {
  const balance = await deps.balances.find(db, merchantId);
  if (isBelowFloor(balance, deps))
    throw merchantOwes(centsToReais(-balance), toReais(deps.merchantFloorCents));
}
