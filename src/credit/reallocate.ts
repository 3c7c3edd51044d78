import type { Day } from '#core/day.ts';
import { isOnTime } from '#core/debt.ts';
import { type Cents, cents, sum, toReais, ZERO } from '#core/money.ts';
import { toPercent } from '#core/percent.ts';
import {
  type Agreed,
  allocateReceipts,
  type ReceiptFacts,
  redeemedOf,
  type ToRefund,
} from '#core/receipts.ts';
import type { Events } from '#events';
import { post, reversed } from '#ledger';
import type { Tx } from '#platform/db.ts';
import { receiptEntries } from './entries.ts';
import { figuresOf, type InstallmentFigures, type ResultColumns, toColumns } from './receipt.ts';
import {
  findInstallment,
  type InstallmentRow,
  type ReceiptRow,
  type WrittenReceipt,
  writeAllocation,
} from './store.ts';
import { termsOf } from './terms-columns.ts';

/** What a verb acts with: whom to tell, and what time it is. */
export type Context = { readonly events: Events; readonly now: Date };

/** An installment and what was received for it, read while its customer is locked. */
export type LockedInstallment = {
  readonly customerId: string;
  readonly row: InstallmentRow;
  readonly agreed: Agreed;
  readonly receipts: ReadonlyArray<{ readonly facts: ReceiptFacts; readonly result: ResultColumns }>;
};

/** Why an installment is reallocated: what the posting is called, and when it happened. */
export type Cause = { readonly kind: CreditPosting; readonly reference: string; readonly occurredAt: Date };

export const CREDIT_POSTINGS = ['checkout', 'receipt', 'chargeback', 'refund_released'] as const;
export type CreditPosting = (typeof CREDIT_POSTINGS)[number];

export type Reallocated = {
  /** What is held from now on, to be refunded. What of cashback is too much is cashback again: whoever keeps it is told. */
  readonly toRefund: readonly ToRefund[];
  /** What is too much of a receipt and not to go back by itself, where that is another amount than before. */
  readonly stranded: readonly ToRefund[];
};

/** The caller has locked the customer. */
export async function readInstallment(
  tx: Tx,
  { customerId, installmentId }: { customerId: string; installmentId: string },
): Promise<LockedInstallment> {
  const row = await findInstallment(tx, customerId, installmentId);
  if (!row) throw new Error(`customer ${customerId} has no installment ${installmentId}`);
  return {
    customerId,
    row,
    agreed: { amount: cents(row.amount_cents), dueOn: row.agreed_due_on as Day, terms: termsOf(row) },
    receipts: (row.receipts ?? []).map((receipt) => ({ facts: factsOf(receipt), result: resultOf(receipt) })),
  };
}

/**
 * The facts of an installment have changed to `facts`: works out anew what each receipt comes to, writes down what differs,
 * posts the difference, and tells. Money is heard of in any order, taken back, refunded: it all comes through here, once for
 * each cause, so what stands in the rows and in the book is always what the facts say.
 */
export async function reallocate(
  tx: Tx,
  installment: LockedInstallment,
  facts: readonly ReceiptFacts[],
  cause: Cause,
  context: Context,
): Promise<Reallocated> {
  const { customerId, row, agreed, receipts: before } = installment;
  const allocation = allocateReceipts(agreed, facts);
  const after = allocation.receipts.map(({ facts: fact, applied }) => ({
    facts: fact,
    result: toColumns(applied),
    known: before.find((known) => isSame(known.facts, fact)),
  }));
  const place = { customerId, installmentId: row.id, checkoutHash: row.checkout_hash };
  const written = after.filter(({ facts: fact, result, known }) => !known || differs(known, fact, result));
  const kept = { ...figuresOf(allocation.installment), redeemed: redeemedOf(allocation.receipts) };
  const { settled } = await writeAllocation(tx, place, written.map(toRow), kept, context.now);
  const entries = [
    ...after.flatMap(({ facts: fact, result }) => receiptEntries(row.id, fact, result)),
    ...reversed(before.flatMap(({ facts: fact, result }) => receiptEntries(row.id, fact, result))),
  ];
  await post(tx, { ...cause, customerId, merchantId: row.merchant_id, entries }, context.now);
  const isCashback = ({ reference }: ToRefund) =>
    facts.some((fact) => fact.reference === reference && fact.source === 'cashback');
  const overpaid = sum(allocation.toRefund.filter(isCashback).map(({ amountCents }) => amountCents));
  await emitChanges(tx, installment, { ...kept, overpaid }, settled, context);
  const stranded = after
    .filter(({ facts: fact, known }) => fact.stranded !== (known?.facts.stranded ?? 0))
    .map(({ facts: { reference, part, stranded: amountCents } }) => ({ reference, part, amountCents }));
  return { toRefund: allocation.toRefund.filter((money) => !isCashback(money)), stranded };
}

export function isSame(a: ReceiptFacts, b: ReceiptFacts): boolean {
  return a.reference === b.reference && a.part === b.part;
}

async function emitChanges(
  tx: Tx,
  { customerId, row }: LockedInstallment,
  kept: InstallmentFigures & { readonly redeemed: Cents; readonly overpaid: Cents },
  settled: boolean,
  { events, now }: Context,
): Promise<void> {
  const data = { checkout_hash: row.checkout_hash, installment_id: row.id, number: row.number };
  if (kept.extensions > row.extensions) {
    const extended = { ...data, due_on: kept.dueOn, extensions: kept.extensions };
    await events.emit(tx, { customerId, type: 'installment.extended', data: extended }, now);
  }
  const purchase = { installments_total: row.installments_total, merchant_name: row.merchant_name };
  if (kept.overpaid > 0) {
    const overpaid = { ...data, ...purchase, amount: toReais(kept.overpaid) };
    await events.emit(tx, { customerId, type: 'installment.overpaid', data: overpaid }, now);
  }
  const before = row.paid_at?.getTime() ?? null;
  const wasOnTime = before !== null && isOnTime(before, row.effective_due_on as Day);
  const onTime = kept.paidAt !== null && isOnTime(kept.paidAt, kept.effectiveDueOn);
  const isOtherwise = kept.paidAt !== before || onTime !== wasOnTime || kept.redeemed !== row.redeemed_cents;
  if (kept.paidAt !== null && isOtherwise) {
    const paid = {
      ...data,
      ...purchase,
      amount: toReais(cents(row.amount_cents)),
      discount: toReais(kept.discount),
      paid_with_cashback: toReais(kept.redeemed),
      paid_at: new Date(kept.paidAt).toISOString(),
      on_time: onTime,
      cashback_percent: toPercent(termsOf(row).cashback),
    };
    await events.emit(tx, { customerId, type: 'installment.paid', data: paid }, now);
  }
  if (before !== null && kept.paidAt === null) {
    const outstanding = toReais(kept.outstanding);
    const reopened = { ...data, ...purchase, outstanding, due_on: kept.dueOn };
    await events.emit(tx, { customerId, type: 'installment.reopened', data: reopened }, now);
  }
  if (settled && row.settled_at === null) {
    const paid = { checkout_hash: row.checkout_hash };
    await events.emit(tx, { customerId, type: 'checkout.paid', data: paid }, now);
  }
}

function differs(
  known: { facts: ReceiptFacts; result: ResultColumns },
  fact: ReceiptFacts,
  result: ResultColumns,
): boolean {
  return (
    known.facts.reversedAt !== fact.reversedAt ||
    known.facts.refunded !== fact.refunded ||
    known.facts.taken !== fact.taken ||
    JSON.stringify(known.result) !== JSON.stringify(result)
  );
}

function toRow({ facts, result }: { facts: ReceiptFacts; result: ResultColumns }): WrittenReceipt {
  const { reference, part, source, receivedAt, amount, purpose, pricedOn, reversedAt } = facts;
  return {
    ...{ reference, part, source, purpose, amount_cents: amount, priced_on: pricedOn },
    received_at: new Date(receivedAt),
    reversed_at: reversedAt === null ? null : new Date(reversedAt),
    ...{ refunded_cents: facts.refunded, taken_cents: facts.taken, ...result },
  };
}

export function factsOf(row: ReceiptRow): ReceiptFacts {
  return {
    reference: row.reference,
    part: row.part,
    source: row.source,
    receivedAt: row.received_at_ms,
    amount: cents(row.amount_cents),
    purpose: row.purpose,
    pricedOn: row.priced_on as Day | null,
    reversedAt: row.reversed_at_ms,
    refunded: cents(row.refunded_cents),
    taken: cents(row.taken_cents),
    stranded: row.reversed_at_ms === null ? cents(row.excess_cents) : ZERO,
  };
}

/** In the order of {@link toColumns}, so that two results can be compared as text. */
export function resultOf(row: ReceiptRow): ResultColumns {
  const { outcome, interest_cents, fine_cents, principal_cents, discount_cents, fee_cents } = row;
  const { extended_to, excess_cents } = row;
  const parts = { outcome, interest_cents, fine_cents, principal_cents, discount_cents, fee_cents };
  return { ...parts, extended_to, excess_cents };
}
