import { computeFeeRefund } from '#core/finance/merchant-fee.ts';
import { type Cents, cents, centsToReais, toReais } from '#core/values/money.ts';
import { ppm } from '#core/values/percent.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { defineService } from '#platform/service.ts';
import { checkoutReturned, merchantOwes, returnWaiting, valueOutOfRange } from '../problems.ts';
import { findSale, type Sale } from '../purchases/sales.ts';
import { sumReturned } from '../purchases/store.ts';
import type { CreditSettings } from '../settings.ts';
import { type RequestRefunds, type ReturnOrder, returnPurchase } from './return-purchase.ts';
import { insertWaitingReturn, sumWaitingReturns } from './waiting-store.ts';

/** The balance of the merchant before and after a return; negative if the merchant owes. */
export type BalanceChange = { readonly owedBefore: Cents; readonly owedAfter: Cents };

type ReturnDeps = EventContext & FloorDeps & { readonly requestRefunds: RequestRefunds };

/**
 * A merchant returns a sale, in part or in full. If the merchant would then owe more than allowed, the return waits for approval, and
 * no money moves.
 */
export async function requestReturn(tx: CustomerTx, order: ReturnOrder, deps: ReturnDeps) {
  const { sale, amount, owedAfter } = await planReturn(tx, order, deps);
  if (!isBelowFloor(owedAfter, deps))
    return { completed: await returnPurchase(tx, { ...order, amount }, deps) };
  const waiting = await insertWaitingReturn(tx, {
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
  return { waiting };
}

/** Carries out the return even if it would have to wait. For a transaction that is rolled back. */
export async function previewReturn(tx: CustomerTx, order: ReturnOrder, deps: ReturnDeps) {
  const { amount, owedBefore, owedAfter } = await planReturn(tx, order, deps);
  const completed = await returnPurchase(tx, { ...order, amount }, deps);
  return { owedBefore, owedAfter, completed, wouldWait: isBelowFloor(owedAfter, deps) };
}

/** Computes the amount, and the merchant's balance before and after. Locks the customer, then the merchant's balance. */
async function planReturn(
  tx: CustomerTx,
  { customerId, hash, ...order }: ReturnOrder,
  { balances }: FloorDeps,
): Promise<BalanceChange & { sale: Sale; amount: Cents }> {
  await lockCustomerById(tx, customerId);
  const sale = (await findSale(tx, customerId, hash))!;
  const remaining = cents(sale.financed_cents - (await sumReturned(tx, customerId, hash)));
  if (remaining === 0) throw checkoutReturned();
  const maxAmount = cents(remaining - (await sumWaitingReturns(tx, hash)));
  if (maxAmount <= 0) throw returnWaiting();
  const amount = order.amount ?? maxAmount;
  if (amount < 1 || amount > maxAmount) throw valueOutOfRange('returned', cents(1), maxAmount);
  const owedBefore = cents(await balances.lock(tx, sale.merchant_id));
  const fee = computeFeeRefund(remaining, cents(remaining - amount), ppm(sale.merchant_fee_ppm));
  return { sale, amount, owedBefore, owedAfter: cents(owedBefore - amount + fee) };
}

/** Balances of merchants in centavos; negative if the merchant owes. The payouts module provides it. */
export type MerchantBalances = {
  readonly find: (db: Queryable, merchantId: number) => Promise<number>;
  /** Locks the balance until the commit. Payout batches and other returns of this merchant wait. */
  readonly lock: (tx: Tx, merchantId: number) => Promise<number>;
};

export const merchantBalances = defineService<MerchantBalances>('merchant balances');

export type FloorDeps = Pick<CreditSettings, 'merchantFloorCents'> & { readonly balances: MerchantBalances };

export const isBelowFloor = (
  balanceCents: number,
  { merchantFloorCents }: Pick<FloorDeps, 'merchantFloorCents'>,
) => balanceCents < -merchantFloorCents;

/** Throws a problem if the merchant owes more than allowed. It may create offers again once its debt is lower. */
export async function refuseBelowFloor(db: Queryable, merchantId: number, floor: FloorDeps): Promise<void> {
  const balance = await floor.balances.find(db, merchantId);
  if (isBelowFloor(balance, floor))
    throw merchantOwes(centsToReais(-balance), toReais(floor.merchantFloorCents));
}
