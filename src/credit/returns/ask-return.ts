import { feeBack } from '#core/merchant-fee.ts';
import { type Cents, cents } from '#core/money.ts';
import { ppm } from '#core/percent.ts';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import { checkoutReturned, returnWaiting, valueOutOfRange } from '../problems.ts';
import { findSale, type Sale } from '../purchases/sales.ts';
import { sumReturned } from '../purchases/store.ts';
import { type Floor, isBelow } from './merchant-floor.ts';
import { type MadeReturn, type RequestRefunds, type ReturnOrder, returnPurchase } from './return-purchase.ts';
import { insertWaitingReturn, sumWaiting, type WaitingReturnRow } from './waiting-store.ts';

/** What the merchant is owed, before and after a return. */
export type DebtChange = { readonly owedBefore: Cents; readonly owedAfter: Cents };

type Deps = EventContext & Floor & { readonly requestRefunds: RequestRefunds };

/**
 * A merchant takes back some or all of a sale. If the merchant would then owe more than allowed, the return waits for approval, and
 * no money moves.
 */
export async function askReturn(
  tx: CustomerTx,
  order: ReturnOrder,
  deps: Deps,
): Promise<{ made: MadeReturn } | { waiting: WaitingReturnRow }> {
  const { sale, amount, owedAfter } = await planReturn(tx, order, deps);
  if (!isBelow(owedAfter, deps)) return { made: await returnPurchase(tx, { ...order, amount }, deps) };
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
    asked_by: order.by,
  });
  return { waiting };
}

/** Makes the return, whether or not it would wait. For a transaction that is rolled back. */
export async function rehearseReturn(
  tx: CustomerTx,
  order: ReturnOrder,
  deps: Deps,
): Promise<DebtChange & { made: MadeReturn; wouldWait: boolean }> {
  const { amount, owedBefore, owedAfter } = await planReturn(tx, order, deps);
  const made = await returnPurchase(tx, { ...order, amount }, deps);
  return { owedBefore, owedAfter, made, wouldWait: isBelow(owedAfter, deps) };
}

/** The amount, and the merchant's balance before and after. Locks the customer, then the merchant's balance. */
async function planReturn(
  tx: CustomerTx,
  { customerId, hash, ...order }: ReturnOrder,
  { balances }: Floor,
): Promise<DebtChange & { sale: Sale; amount: Cents }> {
  await lockCustomerById(tx, customerId);
  const sale = (await findSale(tx, customerId, hash))!;
  const left = cents(sale.financed_cents - (await sumReturned(tx, customerId, hash)));
  if (left === 0) throw checkoutReturned();
  const most = cents(left - (await sumWaiting(tx, hash)));
  if (most <= 0) throw returnWaiting();
  const amount = order.amount ?? most;
  if (amount < 1 || amount > most) throw valueOutOfRange('returned', cents(1), most);
  const owedBefore = cents(await balances.lock(tx, sale.merchant_id));
  const fee = feeBack(left, cents(left - amount), ppm(sale.merchant_fee_ppm));
  return { sale, amount, owedBefore, owedAfter: cents(owedBefore - amount + fee) };
}
