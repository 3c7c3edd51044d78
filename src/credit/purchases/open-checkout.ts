import { findMerchantWithPlan } from '#catalog';
import { DEFAULT_TERMS } from '#core/finance/terms.ts';
import { computeEffectiveDueDay } from '#core/values/calendar.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { type Cents, cents, toReais, ZERO } from '#core/values/money.ts';
import { findCustomerId, type LockedCustomer, lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import { post } from '#ledger';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import { describeErrorCount, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import { generateCheckoutHash } from '../fields.ts';
import {
  cashbackOwed,
  creditLimitExceeded,
  customerLocked,
  customerOverdue,
  termsUnlawful,
} from '../problems.ts';
import type { CheckoutRecord } from './checkout-record.ts';
import { buildContractInsert } from './contract-store.ts';
import { buildReceivableEntries } from './entries.ts';
import { insertCheckout } from './new-checkout-store.ts';
import {
  type ApprovedPurchase,
  type CheckoutRequest,
  type PlanError,
  type PurchaseLimits,
  planPurchase,
} from './plan-purchase.ts';
import { type CashbackDebt, findStanding } from './store.ts';
import { toDefaultTerms, toPayoutTerms } from './terms.ts';

/** Builds the record of an approved purchase. Its ids are null if `ids` is omitted, because the purchase is not opened yet. */
export function buildCheckoutRecord(
  purchase: ApprovedPurchase,
  ids?: { hash: string; installmentIds: string[] },
): CheckoutRecord {
  const { merchant, terms, schedule } = purchase;
  return {
    customer_id: purchase.customerId,
    hash: ids?.hash ?? null,
    offer_id: purchase.offerId ?? null,
    merchant_slug: merchant.slug,
    merchant_name: merchant.name,
    merchant_logo_url: merchant.logo_url,
    description: purchase.description,
    purchased_at: purchase.purchasedAt,
    financed_cents: schedule.financed,
    returned_at: null,
    written_off_at: null,
    terms,
    cet: purchase.cet,
    contract_sha256: purchase.contract?.sha256 ?? null,
    installments: schedule.installments.map(({ number, amount, dueOn }, index) => ({
      id: ids?.installmentIds[index] ?? null,
      number,
      redeemed: ZERO,
      debtFacts: { amount, dueOn, terms, events: [] },
    })),
  };
}

/**
 * Opens an approved purchase, in the transaction of the approval: stores it, posts it to the ledger and emits its event. The writes are
 * queued, and sent with the event. `writtenAt` differs from `now` only in the demo data, where `now` is in the past.
 */
export async function openCheckout(
  tx: CustomerTx,
  purchase: ApprovedPurchase,
  { events, now, writtenAt = now }: EventContext & { writtenAt?: Date },
): Promise<CheckoutRecord> {
  const { customerId, schedule, merchant, purchasedAt, contract } = purchase;
  const { id: merchantId } = merchant;
  const { installments } = schedule;
  // A contract contains the hash, so it is created before the purchase.
  const hash = contract?.hash ?? generateCheckoutHash();
  const installmentIds = installments.map(() => newId('ins', now));
  const effectiveDueDays = installments.map(({ dueOn }) => computeEffectiveDueDay(dueOn));
  insertCheckout(tx, { ...purchase, hash, installmentIds, effectiveDueDays, writtenAt });
  if (contract) tx.queueWrite(buildContractInsert(tx.vault, customerId, contract, writtenAt));
  const entries = installments.flatMap((installment, index) =>
    buildReceivableEntries(installmentIds[index]!, installment),
  );
  const posting = {
    kind: 'checkout',
    reference: `checkout ${hash}`,
    occurredAt: purchasedAt,
    entries,
  } as const;
  post(tx, { ...posting, customerId, merchantId }, now);
  const data = {
    checkout_hash: hash,
    merchant: merchant.slug,
    purchased_at: purchasedAt.toISOString(),
    financed: toReais(schedule.financed),
    total: toReais(schedule.total),
    installments: installments.length,
    first_due_on: installments[0]!.dueOn,
  };
  const purchaseContext = {
    merchant: merchant.slug,
    offer_id: purchase.offerId ?? null,
    reference: purchase.reference ?? null,
  };
  await events.emit(
    tx,
    { type: 'checkout.created', customerId, merchantId, purchase: purchaseContext, data },
    now,
  );
  return buildCheckoutRecord(purchase, { hash, installmentIds });
}

const CUSTOMER_NOT_FOUND = {
  en: 'no customer has this id or phone',
  pt: 'nenhum cliente tem este id ou telefone',
};
const MERCHANT_NOT_FOUND = { en: 'no listed merchant has this slug', pt: 'nenhuma loja ativa tem este slug' };

/** A purchase must be recorded within a day. The sandbox has no limit, because it creates purchases in the past. */
export const computeMaxPurchaseAgeMs = (mode: Mode): number =>
  mode === 'sandbox' ? Number.POSITIVE_INFINITY : DAY_MS;

/**
 * Returns the plan of a purchase, or throws a problem. The customer stays locked until the transaction ends, so the credit limit is
 * still respected when the purchase is written.
 */
export async function approvePurchase(
  tx: CustomerTx,
  request: CheckoutRequest,
  context: PurchaseLimits & { readonly selectCashbackDebt: CashbackDebt },
): Promise<ApprovedPurchase> {
  const customerId = await findCustomerId(tx, request.customer);
  const buyer = customerId === undefined ? undefined : await lockCustomerById(tx, customerId);
  const merchant = await findMerchantWithPlan(tx, request.merchant);
  const defaultTerms = merchant ? toDefaultTerms(merchant) : DEFAULT_TERMS;
  const { plan, errors } = planPurchase(request, defaultTerms, context);
  if (!buyer || !merchant?.listed || !plan) {
    throw buildPlanProblem([
      ...(buyer ? [] : [{ pointer: '/customer', message: CUSTOMER_NOT_FOUND }]),
      ...(merchant?.listed ? [] : [{ pointer: '/merchant', message: MERCHANT_NOT_FOUND }]),
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

/** Builds a problem for these errors. If all errors violate the law, the problem is `termsUnlawful`. */
function buildPlanProblem(errors: PlanError[]) {
  const fieldErrors = errors.map(({ pointer, message }) => ({ pointer, message }));
  if (errors.every(({ law }) => law)) return termsUnlawful('purchase', fieldErrors);
  return validationFailed(fieldErrors, describeErrorCount('purchase', fieldErrors.length));
}

/**
 * Throws a problem if the customer may not buy for this total. The caller has locked the customer, so the result is still valid when
 * the purchase is written.
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

type StandingContext = { readonly now: Date; readonly selectCashbackDebt: CashbackDebt };

/** Throws a problem if the customer may not buy now, regardless of the amount. Returns the debt of the customer. */
export async function requireGoodStanding(
  tx: CustomerTx,
  buyer: LockedCustomer,
  { now, selectCashbackDebt }: StandingContext,
): Promise<Cents> {
  if (buyer.locked_at) throw customerLocked();
  const today = saoPauloDay(now.getTime());
  const { used_cents, is_overdue, cashback_owed_cents } = await findStanding(
    tx,
    buyer.id,
    today,
    selectCashbackDebt,
  );
  if (is_overdue) throw customerOverdue();
  if (cashback_owed_cents > 0) throw cashbackOwed(cents(cashback_owed_cents));
  return cents(used_cents);
}
