import { allocatePurchase, type PurchaseAllocation, type PurchaseFacts } from '#core/finance/purchase.ts';
import {
  type AgreedInstallment,
  allocateReceipts,
  type ReceiptFacts,
  type RefundDue,
  sumRedeemedCashback,
} from '#core/finance/receipts.ts';
import { type Day, saoPauloDay } from '#core/values/day.ts';
import { type Cents, cents, sum } from '#core/values/money.ts';
import type { EventContext } from '#events';
import { post, reverseEntries } from '#ledger';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { buildPurchaseEntries, buildReceiptEntries, buildWriteOffEntries } from './entries.ts';
import {
  computeFigures,
  pickResultColumns,
  type ResultColumns,
  toPurchaseResultColumns,
  toResultColumns,
} from './receipt.ts';
import {
  emitChanges,
  hasChanged,
  isPrincipalChanged,
  isSameReceipt,
  listStrandedChanges,
  type ReceiptChange,
  toReceiptFacts,
  toReceiptRow,
} from './receipt-change.ts';
import {
  findInstallment,
  findPurchase,
  type InstallmentRow,
  type InstallmentWithReceipts,
  type PurchaseRow,
  writeAllocation,
} from './store.ts';
import { type TermsColumns, toTerms } from './terms.ts';

/** An installment and its receipts, loaded while its customer is locked. */
export type LockedInstallment = {
  readonly customerId: string;
  readonly row: InstallmentWithReceipts;
  /** Whether all other installments of the purchase are paid. */
  readonly areOthersPaid: boolean;
  readonly agreedInstallment: AgreedInstallment;
  readonly receipts: ReadonlyArray<{ readonly facts: ReceiptFacts; readonly result: ResultColumns }>;
};

/** The reason for a reallocation. It determines the ledger posting. */
export type ReallocationCause = {
  readonly kind: CreditPosting;
  readonly reference: string;
  readonly occurredAt: Date;
};

export const CREDIT_POSTINGS = [
  'checkout',
  'receipt',
  'chargeback',
  'refund_released',
  'refund_credited',
  'return',
  'write_off',
  'reinstatement',
  'move',
] as const;
export type CreditPosting = (typeof CREDIT_POSTINGS)[number];

export type ReallocationResult = {
  /** Amounts that are held for a refund from now on. Excludes excess cashback, which the handler of an event credits again. */
  readonly toRefund: readonly RefundDue[];
  /** Receipts whose excess is not refunded automatically, if that amount has changed. */
  readonly stranded: readonly RefundDue[];
};

/** Loads an installment with its receipts. The caller has locked the customer. */
export async function loadInstallment(
  tx: CustomerTx,
  { customerId, installmentId }: { customerId: string; installmentId: string },
): Promise<LockedInstallment> {
  const row = await findInstallment(tx, customerId, installmentId);
  if (!row) throw new Error(`customer ${customerId} has no installment ${installmentId}`);
  const otherPaidCount = row.installments_paid - (row.paid_at === null ? 0 : 1);
  return {
    customerId,
    row,
    areOthersPaid: otherPaidCount === row.installments_total - 1,
    agreedInstallment: {
      amount: cents(row.amount_cents),
      dueOn: row.agreed_due_on as Day,
      terms: toTerms(row),
    },
    receipts: (row.receipts ?? []).map((receipt) => ({
      facts: toReceiptFacts(receipt),
      result: pickResultColumns(receipt),
    })),
  };
}

/**
 * Recomputes an installment whose receipts are now `receiptFacts`: allocates all receipts again, writes changed rows, posts the
 * difference to the ledger and emits events. Every receipt, chargeback and refund calls this function once, in any order, so rows and
 * ledger always match the facts.
 */
export async function reallocate(
  tx: CustomerTx,
  installment: LockedInstallment,
  receiptFacts: readonly ReceiptFacts[],
  cause: ReallocationCause,
  context: EventContext,
): Promise<ReallocationResult> {
  const { customerId, row, agreedInstallment, receipts: previousReceipts } = installment;
  if (row.has_returns) {
    const purchase = await loadPurchase(tx, customerId, row.checkout_hash);
    return reallocatePurchase(tx, purchase, replaceReceipts(purchase, row.id, receiptFacts), cause, context);
  }
  const allocation = allocateReceipts(agreedInstallment, receiptFacts);
  const receipts: ReceiptChange[] = allocation.receipts.map(({ facts: receipt, applied }) => ({
    facts: receipt,
    result: toResultColumns(applied),
    previous: previousReceipts.find((previousReceipt) => isSameReceipt(previousReceipt.facts, receipt)),
  }));
  const changedReceipts = receipts.filter(hasChanged);
  const newFigures = {
    id: row.id,
    history: null,
    redeemed_cents: sumRedeemedCashback(allocation.receipts),
    ...computeFigures(allocation.installment),
  };
  writeAllocation(tx, {
    customerId,
    checkoutHash: row.checkout_hash,
    returnedAt: null,
    now: context.now,
    receipts: changedReceipts.map((receipt) => toReceiptRow(row.id, receipt)),
    installments: [newFigures],
  });
  const entries = [
    ...receipts.flatMap((receipt) => buildReceiptEntries(row.id, receipt.facts, receipt.result)),
    ...reverseEntries(
      previousReceipts.flatMap((previous) => buildReceiptEntries(row.id, previous.facts, previous.result)),
    ),
    ...(row.is_written_off
      ? buildWriteOffEntries(row.id, newFigures.outstanding_cents - row.outstanding_cents)
      : []),
  ];
  post(tx, { ...cause, customerId, merchantId: row.merchant_id, entries }, context.now);
  const isCashback = ({ reference }: RefundDue) =>
    receiptFacts.some((receipt) => receipt.reference === reference && receipt.source === 'cashback');
  const excessCashback = sum(allocation.refundsDue.filter(isCashback).map(({ amountCents }) => amountCents));
  const previouslyCredited = sumCredited(previousReceipts.map((receipt) => receipt.facts));
  // Excess cashback is credited again, and money that cannot be refunded is converted to cashback.
  const newCashback = cents(excessCashback + sumCredited(receiptFacts) - previouslyCredited);
  const isSettled = installment.areOthersPaid && newFigures.paid_at !== null;
  const changedInstallmentId = changedReceipts.some(isPrincipalChanged) ? row.id : null;
  const changes = [{ row, newFigures, newCashback }];
  await emitChanges(tx, customerId, changes, { isSettled, changedInstallmentId }, context);
  return {
    toRefund: allocation.refundsDue.filter((refund) => !isCashback(refund)),
    stranded: listStrandedChanges(receipts),
  };
}

export type LockedPurchase = {
  readonly customerId: string;
  readonly row: PurchaseRow;
  readonly facts: PurchaseFacts;
};

/** Loads a purchase with its receipts and returns. The caller has locked the customer. */
export async function loadPurchase(tx: CustomerTx, customerId: string, hash: string) {
  const row = await findPurchase(tx, customerId, hash);
  if (!row) throw new Error(`customer ${customerId} has no purchase ${hash}`);
  return { customerId, row, facts: toPurchaseFacts(row) };
}

export function toPurchaseFacts(
  row: TermsColumns &
    Pick<PurchaseRow, 'financed_cents' | 'installments_total' | 'purchased_at' | 'receipts' | 'returns'> & {
      installments: ReadonlyArray<Pick<InstallmentRow, 'id' | 'amount_cents' | 'agreed_due_on'>>;
    },
): PurchaseFacts {
  const terms = toTerms(row);
  const indexes = new Map(row.installments.map(({ id }, i) => [id, i]));
  return {
    plan: {
      financed: cents(row.financed_cents),
      installments: row.installments_total,
      weeklyRate: terms.weeklyRate,
      purchasedOn: saoPauloDay(row.purchased_at.getTime()),
    },
    installments: row.installments.map(({ amount_cents, agreed_due_on }) => ({
      amount: cents(amount_cents),
      dueOn: agreed_due_on as Day,
      terms,
    })),
    receipts: (row.receipts ?? []).map((receipt) => ({
      ...toReceiptFacts(receipt),
      installmentIndex: indexes.get(receipt.installment_id)!,
    })),
    returns: (row.returns ?? []).map(({ id, returned_at_ms, amount_cents }) => ({
      id,
      returnedAt: returned_at_ms,
      amount: cents(amount_cents),
    })),
  };
}

/** Returns the facts of a purchase with these receipts of one installment. New receipts are appended. */
function replaceReceipts(
  { row, facts }: LockedPurchase,
  installmentId: string,
  receipts: readonly ReceiptFacts[],
): PurchaseFacts {
  const installmentIndex = row.installments.findIndex(({ id }) => id === installmentId);
  const existingReceipts = facts.receipts.map((previousReceipt) => {
    const replacement = receipts.find((receipt) => isSameReceipt(previousReceipt, receipt));
    return replacement ? { ...replacement, installmentIndex } : previousReceipt;
  });
  const addedReceipts = receipts
    .filter((receipt) => !facts.receipts.some((previous) => isSameReceipt(previous, receipt)))
    .map((receipt) => ({ ...receipt, installmentIndex }));
  return { ...facts, receipts: [...existingReceipts, ...addedReceipts] };
}

/** `credited` is the excess that becomes cashback: cashback that was spent, and money that cannot be refunded by Pix. */
type PurchaseReallocationResult = ReallocationResult & { readonly credited: Cents };

/** Like `reallocate`, for a purchase with returns. Calls `onWritten` once the writes are queued, before it emits other events. */
export async function reallocatePurchase(
  tx: CustomerTx,
  { customerId, row, facts: previousFacts }: LockedPurchase,
  facts: PurchaseFacts,
  cause: ReallocationCause,
  context: EventContext,
  onWritten: (result: PurchaseReallocationResult) => Promise<void> = async () => undefined,
): Promise<PurchaseReallocationResult> {
  const allocation = allocatePurchase(facts);
  const ids = row.installments.map(({ id }) => id);
  const previousReceipts = (row.receipts ?? []).map((receipt) => ({
    facts: toReceiptFacts(receipt),
    result: pickResultColumns(receipt),
  }));
  const receipts = allocation.receipts.map((receipt) => ({
    facts: receipt.facts,
    result: toPurchaseResultColumns(receipt),
    previous: previousReceipts.find((previousReceipt) => isSameReceipt(previousReceipt.facts, receipt.facts)),
  }));
  const changedReceipts = receipts.filter(hasChanged);
  const installmentsAfter = allocation.installments.map((installment, index) => ({
    id: ids[index]!,
    redeemed_cents: sumRedeemed(allocation, index),
    history: installment.events,
    ...computeFigures(installment),
  }));
  const remainingAmount = facts.plan.financed - sum(facts.returns.map(({ amount }) => amount));
  const returnedAt = remainingAmount === 0 ? new Date(facts.returns.at(-1)!.returnedAt) : null;
  writeAllocation(tx, {
    customerId,
    checkoutHash: row.hash,
    returnedAt,
    now: context.now,
    receipts: changedReceipts.map((receipt) => toReceiptRow(ids[receipt.facts.installmentIndex]!, receipt)),
    installments: installmentsAfter,
  });
  const entries = [
    ...buildPurchaseEntries(ids, allocation),
    ...reverseEntries(buildPurchaseEntries(ids, allocatePurchase(previousFacts))),
    ...row.installments.flatMap(({ id, outstanding_cents }, index) =>
      row.written_off_at
        ? buildWriteOffEntries(id, installmentsAfter[index]!.outstanding_cents - outstanding_cents)
        : [],
    ),
  ];
  post(tx, { ...cause, customerId, merchantId: row.merchant_id, entries }, context.now);
  const findReceipt = ({ reference }: RefundDue) =>
    facts.receipts.find((receipt) => receipt.reference === reference)!;
  const isCashback = (refund: RefundDue) => findReceipt(refund).source === 'cashback';
  const cashbackCredits = [...allocation.refundsDue.filter(isCashback), ...allocation.creditsDue];
  const result = {
    toRefund: allocation.refundsDue.filter((refund) => !isCashback(refund)),
    stranded: listStrandedChanges(receipts),
    credited: sum(cashbackCredits.map(({ amountCents }) => amountCents)),
  };
  await onWritten(result);
  const changes = row.installments.map((installment, index) => {
    const ownCredits = cashbackCredits.filter((credit) => findReceipt(credit).installmentIndex === index);
    const ownCreditCents = sum(ownCredits.map(({ amountCents }) => amountCents));
    return {
      row: { ...row, checkout_hash: row.hash, ...installment, paid_at: toDate(installment.paid_at) },
      newFigures: installmentsAfter[index]!,
      newCashback: cents(
        ownCreditCents + sumInstallmentCredits(facts, index) - sumInstallmentCredits(previousFacts, index),
      ),
    };
  });
  const isSettled = installmentsAfter.every(({ paid_at }) => paid_at !== null);
  const principalChange = changedReceipts.find(isPrincipalChanged);
  const changedInstallmentId = principalChange ? ids[principalChange.facts.installmentIndex]! : null;
  await emitChanges(tx, customerId, changes, { isSettled, changedInstallmentId }, context);
  return result;
}

/** Sums the money of an installment that was converted to cashback and not reversed. */
const sumInstallmentCredits = ({ receipts }: PurchaseFacts, index: number): Cents =>
  sumCredited(receipts.filter(({ installmentIndex }) => installmentIndex === index));

const sumCredited = (receipts: readonly ReceiptFacts[]): Cents =>
  sum(receipts.map(({ credited }) => credited));

/** Sums the amount of an installment that was paid with cashback. */
export function sumRedeemed({ receipts }: PurchaseAllocation, index: number): Cents {
  return sum(
    receipts
      .filter(({ facts }) => facts.source === 'cashback' && facts.reversedAt === null)
      .flatMap(({ shares }) => shares.filter(({ installmentIndex }) => installmentIndex === index))
      .map(({ principal, discount }) => cents(principal + discount)),
  );
}

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));
