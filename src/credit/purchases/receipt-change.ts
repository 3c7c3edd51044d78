import { isDeepStrictEqual } from 'node:util';
import { isOnTime } from '#core/finance/debt.ts';
import { type ReceiptFacts, type RefundDue, sumWithdrawals } from '#core/finance/receipts.ts';
import type { Day } from '#core/values/day.ts';
import { type Cents, cents, centsToReais, toReais, ZERO } from '#core/values/money.ts';
import { toPercent } from '#core/values/percent.ts';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { ResultColumns } from './receipt.ts';
import type { InstallmentRow, ReceiptRow, StoredInstallment, StoredReceipt } from './store.ts';
import { toTerms } from './terms.ts';

/** A receipt after a reallocation. `previous` is the receipt before the reallocation; undefined for a new receipt. */
export type ReceiptChange = {
  readonly facts: ReceiptFacts;
  readonly result: ResultColumns;
  readonly previous: { readonly facts: ReceiptFacts; readonly result: ResultColumns } | undefined;
};

/** Whether a receipt pays a different amount of principal than before. */
export function isPrincipalChanged({ facts, result, previous }: ReceiptChange): boolean {
  const previousPrincipal = previous ? sumPrincipal(previous.facts, previous.result) : 0;
  return sumPrincipal(facts, result) !== previousPrincipal;
}

const sumPrincipal = ({ reversedAt }: ReceiptFacts, result: ResultColumns): number =>
  reversedAt === null ? result.principal_cents + result.elsewhere_principal_cents : 0;

/** Compares the rows to store. The installment of a receipt never changes, so an empty id stands for it in both rows. */
export const hasChanged = ({ previous, ...receipt }: ReceiptChange): boolean =>
  !previous || !isDeepStrictEqual(toReceiptRow('', receipt), toReceiptRow('', previous));

export function toReceiptRow(
  installmentId: string,
  { facts, result }: Omit<ReceiptChange, 'previous'>,
): StoredReceipt {
  const { reference, part, source, receivedAt, amount, purpose, pricedOn, waivesPenalties } = facts;
  const { reversedAt, withdrawals } = facts;
  return {
    reference,
    part,
    source,
    purpose,
    amount_cents: amount,
    priced_on: pricedOn,
    waives_penalties: waivesPenalties,
    installment_id: installmentId,
    received_at: new Date(receivedAt),
    reversed_at: reversedAt === null ? null : new Date(reversedAt),
    refunded_cents: facts.refunded,
    taken_cents: facts.taken,
    credited_cents: facts.credited,
    // What returns have withdrawn from the receipt: the sum, and the amounts by return id.
    left_cents: sumWithdrawals(facts),
    left_at: Object.fromEntries(withdrawals.map((withdrawal) => [withdrawal.returnId, withdrawal.amount])),
    ...result,
  };
}

export function toReceiptFacts(row: ReceiptRow): ReceiptFacts {
  return {
    reference: row.reference,
    part: row.part,
    source: row.source,
    receivedAt: row.received_at_ms,
    amount: cents(row.amount_cents),
    purpose: row.purpose,
    pricedOn: row.priced_on as Day | null,
    waivesPenalties: row.waives_penalties,
    reversedAt: row.reversed_at_ms,
    refunded: cents(row.refunded_cents),
    taken: cents(row.taken_cents),
    stranded: row.reversed_at_ms === null ? cents(row.excess_cents) : ZERO,
    credited: cents(row.credited_cents),
    withdrawals: Object.entries(row.left_at).map(([returnId, amount]) => ({
      returnId,
      amount: cents(amount),
    })),
  };
}

export function isSameReceipt(receipt: ReceiptFacts, otherReceipt: ReceiptFacts): boolean {
  return receipt.reference === otherReceipt.reference && receipt.part === otherReceipt.part;
}

export function listStrandedChanges(receipts: readonly ReceiptChange[]): RefundDue[] {
  return receipts
    .filter(({ facts, previous }) => facts.stranded !== (previous?.facts.stranded ?? 0))
    .map(({ facts: { reference, part, stranded: amountCents } }) => ({ reference, part, amountCents }));
}

/**
 * An installment before (`row`) and after the reallocation (`newFigures`), and the money that was converted to cashback, which is
 * negative if cashback was withdrawn.
 */
type InstallmentChange = {
  readonly row: InstallmentRow;
  readonly newFigures: StoredInstallment;
  readonly newCashback: Cents;
};

/** Emits the events of a reallocation. If `isSettled`, the purchase is now paid. The paid principal of `changedInstallmentId` has changed. */
export async function emitChanges(
  tx: CustomerTx,
  customerId: string,
  changes: readonly InstallmentChange[],
  { isSettled, changedInstallmentId }: { isSettled: boolean; changedInstallmentId: string | null },
  context: EventContext,
): Promise<void> {
  let isPaymentEmitted = false;
  for (const change of changes)
    if (await emitInstallmentChanges(tx, customerId, change, context)) isPaymentEmitted = true;
  const principalChange = changes.find(({ row }) => row.id === changedInstallmentId);
  if (principalChange && !isPaymentEmitted) {
    const { row, newFigures } = principalChange;
    const data = {
      checkout_hash: row.checkout_hash,
      installment_id: row.id,
      number: row.number,
      paid: toReais(newFigures.paid_cents),
      outstanding: toReais(newFigures.outstanding_cents),
    };
    await context.events.emit(tx, { customerId, type: 'installment.payment_changed', data }, context.now);
  }
  // All installments belong to the same purchase.
  const { checkout_hash, settled_at } = changes[0]!.row;
  if (!isSettled || settled_at !== null) return;
  await context.events.emit(tx, { customerId, type: 'checkout.paid', data: { checkout_hash } }, context.now);
}

/** Emits the events of one installment. Returns whether `installment.paid` or `installment.reopened` was among them. */
async function emitInstallmentChanges(
  tx: CustomerTx,
  customerId: string,
  { row, newFigures, newCashback }: InstallmentChange,
  { events, now }: EventContext,
): Promise<boolean> {
  const ids = { checkout_hash: row.checkout_hash, installment_id: row.id, number: row.number };
  if (newFigures.due_on !== row.due_on || newFigures.extensions !== row.extensions) {
    const data = { ...ids, due_on: newFigures.due_on, extensions: newFigures.extensions };
    await events.emit(tx, { customerId, type: 'installment.extended', data }, now);
  }
  const purchase = { installments_total: row.installments_total, merchant_name: row.merchant_name };
  if (newCashback !== 0) {
    const data = { ...ids, ...purchase, amount: toReais(newCashback) };
    await events.emit(tx, { customerId, type: 'installment.overpaid', data }, now);
  }
  const paidAtBefore = row.paid_at?.getTime() ?? null;
  const wasPaidOnTime = paidAtBefore !== null && isOnTime(paidAtBefore, row.effective_due_on as Day);
  const isPaidOnTime =
    newFigures.paid_at !== null && isOnTime(newFigures.paid_at, newFigures.effective_due_on);
  const isPaymentChanged =
    newFigures.paid_at !== paidAtBefore ||
    isPaidOnTime !== wasPaidOnTime ||
    newFigures.returned_cents !== row.returned_cents ||
    newFigures.redeemed_cents !== row.redeemed_cents;
  if (newFigures.paid_at !== null && isPaymentChanged) {
    const data = {
      ...ids,
      ...purchase,
      amount: centsToReais(row.amount_cents),
      discount: toReais(newFigures.discount_cents),
      returned: toReais(newFigures.returned_cents),
      paid_with_cashback: toReais(newFigures.redeemed_cents),
      paid_at: new Date(newFigures.paid_at).toISOString(),
      on_time: isPaidOnTime,
      cashback_percent: toPercent(toTerms(row).cashback),
    };
    await events.emit(tx, { customerId, type: 'installment.paid', data }, now);
    return true;
  }
  if (paidAtBefore !== null && newFigures.paid_at === null) {
    const outstanding = toReais(newFigures.outstanding_cents);
    const data = { ...ids, ...purchase, outstanding, due_on: newFigures.due_on };
    await events.emit(tx, { customerId, type: 'installment.reopened', data }, now);
    return true;
  }
  return false;
}
