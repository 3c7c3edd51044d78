import { findMerchantWithPlan } from '#catalog';
import { DEFAULT_TERMS } from '#core/finance/terms.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { type Cents, cents } from '#core/values/money.ts';
import { findCustomerId, type LockedCustomer, lockCustomerById } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { describeErrorCount, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import {
  cashbackOwed,
  creditLimitExceeded,
  customerLocked,
  customerOverdue,
  termsUnlawful,
} from '../problems.ts';
import { toDefaultTerms, toPayoutTerms } from './merchant-plan.ts';
import {
  type ApprovedPurchase,
  type CheckoutRequest,
  type PlanError,
  type PurchaseLimits,
  planPurchase,
} from './plan-purchase.ts';
import { type CashbackDebt, findStanding } from './store.ts';

const NO_CUSTOMER = { en: 'no customer has this id or phone', pt: 'nenhum cliente tem este id ou telefone' };
const NO_MERCHANT = { en: 'no listed merchant has this slug', pt: 'nenhuma loja ativa tem este slug' };

/** A purchase must be recorded within a day. The sandbox has no limit, because it creates purchases in the past. */
export const computeMaxPurchaseAgeMs = (mode: Mode): number =>
  mode === 'sandbox' ? Number.POSITIVE_INFINITY : DAY_MS;

/**
 * Returns the plan of a purchase, or throws a problem. The customer stays locked until the transaction ends, so the check against
 * the limit still holds when the purchase is written.
 */
export async function approvePurchase(
  tx: CustomerTx,
  request: CheckoutRequest,
  context: PurchaseLimits & { readonly cashbackDebt: CashbackDebt },
): Promise<ApprovedPurchase> {
  const customerId = await findCustomerId(tx, request.customer);
  const buyer = customerId === undefined ? undefined : await lockCustomerById(tx, customerId);
  const merchant = await findMerchantWithPlan(tx, request.merchant);
  const { plan, errors } = planPurchase(
    request,
    merchant ? toDefaultTerms(merchant) : DEFAULT_TERMS,
    context,
  );
  if (!buyer || !merchant?.listed || !plan) {
    throw buildPlanProblem([
      ...(buyer ? [] : [{ pointer: '/customer', message: NO_CUSTOMER }]),
      ...(merchant?.listed ? [] : [{ pointer: '/merchant', message: NO_MERCHANT }]),
      ...errors,
    ]);
  }
  await requireAvailableCredit(tx, buyer, plan.schedule.total, context);
  return {
    ...plan,
    customerId: buyer.id,
    merchant,
    payout: toPayoutTerms(merchant),
    description: request.description?.trim() ?? null,
  };
}

/** If all errors are violations of the law, the problem says so. */
function buildPlanProblem(errors: PlanError[]) {
  const fieldErrors = errors.map(({ pointer, message }) => ({ pointer, message }));
  if (errors.every(({ law }) => law)) return termsUnlawful('purchase', fieldErrors);
  return validationFailed(fieldErrors, describeErrorCount('purchase', fieldErrors.length));
}

/**
 * Throws a problem if the customer may not buy for this total. The caller has locked the customer, so the check still holds on
 * write.
 */
export async function requireAvailableCredit(
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

/** Throws a problem if the customer may not buy now, regardless of the amount. Returns the debt of the customer. */
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
