import { findSellingMerchant } from '#catalog';
import { saoPauloDay } from '#core/day.ts';
import { DAY_MS } from '#core/duration.ts';
import { type Cents, cents } from '#core/money.ts';
import { DEFAULT_TERMS } from '#core/terms.ts';
import { findCustomerId, type LockedCustomer, lockCustomerById } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { faultsIn, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import {
  cashbackOwed,
  creditLimitExceeded,
  customerLocked,
  customerOverdue,
  termsUnlawful,
} from '../problems.ts';
import { payoutTerms, usualTerms } from './merchant-plan.ts';
import {
  type ApprovedPurchase,
  type Order,
  type PlanFault,
  type PurchaseBounds,
  planPurchase,
} from './plan-purchase.ts';
import { type CashbackDebt, findStanding } from './store.ts';

const NO_CUSTOMER = { en: 'no customer has this id or phone', pt: 'nenhum cliente tem este id ou telefone' };
const NO_MERCHANT = { en: 'no listed merchant has this slug', pt: 'nenhuma loja ativa tem este slug' };

/** A purchase is recorded when it is made, or soon after. The sandbox has no such bound: it makes up histories. */
export const lateEntryMs = (mode: Mode): number => (mode === 'sandbox' ? Number.POSITIVE_INFINITY : DAY_MS);

/**
 * What a purchase would cost, or the reason why it is refused. The customer stays locked until the transaction ends, so the check
 * against the limit still holds when the purchase is written.
 */
export async function approvePurchase(
  tx: CustomerTx,
  order: Order,
  context: PurchaseBounds & { readonly cashbackDebt: CashbackDebt },
): Promise<ApprovedPurchase> {
  const customerId = await findCustomerId(tx, order.customer);
  const buyer = customerId === undefined ? undefined : await lockCustomerById(tx, customerId);
  const merchant = await findSellingMerchant(tx, order.merchant);
  const { plan, faults } = planPurchase(order, merchant ? usualTerms(merchant) : DEFAULT_TERMS, context);
  if (!buyer || !merchant?.listed || !plan) {
    throw refusal([
      ...(buyer ? [] : [{ pointer: '/customer', message: NO_CUSTOMER }]),
      ...(merchant?.listed ? [] : [{ pointer: '/merchant', message: NO_MERCHANT }]),
      ...faults,
    ]);
  }
  await refuseBadStanding(tx, buyer, plan.schedule.total, context);
  return {
    ...plan,
    customerId: buyer.id,
    merchant,
    payout: payoutTerms(merchant),
    description: order.description?.trim() ?? null,
  };
}

function refusal(faults: PlanFault[]) {
  const errors = faults.map(({ pointer, message }) => ({ pointer, message }));
  if (faults.every(({ law }) => law)) return termsUnlawful('purchase', errors);
  return validationFailed(errors, faultsIn('purchase', errors.length));
}

/** The caller has locked the customer, so the check against the limit still holds when the purchase is written. */
export async function refuseBadStanding(
  tx: CustomerTx,
  buyer: LockedCustomer,
  total: Cents,
  context: StandingContext,
): Promise<void> {
  const used = await requireGoodStanding(tx, buyer, context);
  const limit = cents(buyer.credit_limit_cents);
  if (total > limit - used) throw creditLimitExceeded({ limit, used, total });
}

type StandingContext = { readonly now: Date; readonly cashbackDebt: CashbackDebt };

/** Refuses customers who may not buy now, whatever the amount. Returns what they owe. */
export async function requireGoodStanding(
  tx: CustomerTx,
  buyer: LockedCustomer,
  { now, cashbackDebt }: StandingContext,
): Promise<Cents> {
  if (buyer.locked_at) throw customerLocked();
  const today = saoPauloDay(now.getTime());
  const { used_cents, overdue, cashback_owed_cents } = await findStanding(tx, buyer.id, today, cashbackDebt);
  if (overdue) throw customerOverdue();
  if (cashback_owed_cents > 0) throw cashbackOwed(cents(cashback_owed_cents));
  return cents(used_cents);
}
