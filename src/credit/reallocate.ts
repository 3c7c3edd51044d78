import type { Day } from '#core/day.ts';
import { isOnTime } from '#core/debt.ts';
import { cents, toReais } from '#core/money.ts';
import { toPercent } from '#core/percent.ts';
import { lockCustomerById } from '#customers';
import type { Events } from '#events';
import { post, reversed } from '#ledger';
import type { Tx } from '#platform/db.ts';
import { receiptEntries } from './entries.ts';
import {
  type Agreed,
  allocateReceipts,
  figuresOf,
  type InstallmentFigures,
  type ReceiptFacts,
  type ResultColumns,
  toColumns,
} from './receipt.ts';
import {
  findInstallment,
  type InstallmentRow,
  insertReceipt,
  markCheckout,
  markInstallment,
  markReceipt,
  type ReceiptRow,
} from './store.ts';
import { termsOf } from './terms-columns.ts';

/** What a verb acts with: whom to tell, and what time it is. */
export type Context = { readonly events: Events; readonly now: Date };

/** An installment whose customer is locked, and what was received for it. */
export type LockedInstallment = {
  readonly customerId: string;
  readonly row: InstallmentRow;
  readonly agreed: Agreed;
  readonly receipts: ReadonlyArray<ReceiptFacts & { readonly result: ResultColumns }>;
};

/** Why an installment is restated: what the posting is called, and when it happened. */
export type Cause = { readonly kind: CreditPosting; readonly reference: string; readonly occurredAt: Date };

export const CREDIT_POSTINGS = ['checkout', 'receipt', 'reversal', 'refund_held', 'refund_released'] as const;
export type CreditPosting = (typeof CREDIT_POSTINGS)[number];

/** What is too much of a receipt, and waits to be refunded. */
export type ToRefund = { readonly reference: string; readonly amountCents: number };

export async function lockInstallment(
  tx: Tx,
  { customerId, installmentId }: { customerId: string; installmentId: string },
): Promise<LockedInstallment> {
  await lockCustomerById(tx, customerId);
  const row = await findInstallment(tx, customerId, installmentId);
  if (!row) throw new Error(`customer ${customerId} has no installment ${installmentId}`);
  return {
    customerId,
    row,
    agreed: { amount: cents(row.amount_cents), dueOn: row.agreed_due_on as Day, terms: termsOf(row) },
    receipts: (row.receipts ?? []).map((receipt) => ({ ...factsOf(receipt), result: resultOf(receipt) })),
  };
}

/**
 * The facts of an installment have changed to `facts`: works out anew what each receipt comes to, writes down what differs,
 * posts the difference, and tells. Money is heard of in any order, taken back, refunded: it all comes through here, so what
 * stands in the rows and in the book is always what the facts say.
 */
export async function reallocate(
  tx: Tx,
  installment: LockedInstallment,
  facts: readonly ReceiptFacts[],
  cause: Cause,
  context: Context,
): Promise<ToRefund[]> {
  const { customerId, row, agreed, receipts } = installment;
  const place = { customerId, installmentId: row.id, checkoutHash: row.checkout_hash };
  const { results, installment: allocated } = allocateReceipts(agreed, facts);
  const columns = results.map(toColumns);
  for (const [i, fact] of facts.entries()) {
    const known = receipts.find(({ reference }) => reference === fact.reference);
    if (!known) await insertReceipt(tx, place, fact, columns[i]!, context.now);
    else if (differs(known, fact, columns[i]!)) await markReceipt(tx, customerId, fact, columns[i]!);
  }
  const kept = figuresOf(allocated);
  await markInstallment(tx, customerId, row.id, kept);
  const { settled } = await markCheckout(tx, customerId, row.checkout_hash);

  const before = receipts.flatMap((receipt) => receiptEntries(row.id, receipt, receipt.result));
  const after = facts.flatMap((fact, i) => receiptEntries(row.id, fact, columns[i]!));
  await post(tx, { ...cause, customerId, entries: [...after, ...reversed(before)] }, context.now);
  await emitChanges(tx, installment, kept, settled, context);
  return facts
    .map(({ reference, reversedAt }, i) => {
      // What the payer's bank took cannot be given back, whatever it turns out to have paid for.
      const amountCents = reversedAt === null ? columns[i]!.excess_cents : 0;
      return { reference, amountCents };
    })
    .filter(({ amountCents }) => amountCents > 0);
}

async function emitChanges(
  tx: Tx,
  { customerId, row }: LockedInstallment,
  kept: InstallmentFigures,
  settled: boolean,
  { events, now }: Context,
): Promise<void> {
  const data = { checkout_hash: row.checkout_hash, installment_id: row.id, number: row.number };
  if (kept.extensions > row.extensions) {
    const extended = { ...data, due_on: kept.dueOn, extensions: kept.extensions };
    await events.emit(tx, { customerId, type: 'installment.extended', data: extended }, now);
  }
  const purchase = { installments_total: row.installments_total, merchant_name: row.merchant_name };
  const before = row.paid_at?.getTime() ?? null;
  const wasOnTime = before !== null && isOnTime(before, row.effective_due_on as Day);
  const onTime = kept.paidAt !== null && isOnTime(kept.paidAt, kept.effectiveDueOn);
  if (kept.paidAt !== null && (kept.paidAt !== before || onTime !== wasOnTime)) {
    const paid = {
      ...data,
      ...purchase,
      amount: toReais(cents(row.amount_cents)),
      discount: toReais(kept.discount),
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
  known: ReceiptFacts & { result: ResultColumns },
  fact: ReceiptFacts,
  result: ResultColumns,
): boolean {
  return (
    known.reversedAt !== fact.reversedAt ||
    known.refunded !== fact.refunded ||
    JSON.stringify(known.result) !== JSON.stringify(result)
  );
}

export function factsOf(row: ReceiptRow): ReceiptFacts {
  return {
    reference: row.reference,
    receivedAt: row.received_at_ms,
    amount: cents(row.amount_cents),
    purpose: row.purpose,
    pricedOn: row.priced_on as Day | null,
    reversedAt: row.reversed_at_ms,
    refunded: cents(row.refunded_cents),
  };
}

/** In the order of {@link toColumns}, so that two results can be compared as text. */
export function resultOf(row: ReceiptRow): ResultColumns {
  const { outcome, interest_cents, fine_cents, principal_cents, discount_cents, fee_cents } = row;
  const { extended_to, excess_cents } = row;
  return {
    outcome,
    interest_cents,
    fine_cents,
    principal_cents,
    discount_cents,
    fee_cents,
    extended_to,
    excess_cents,
  };
}
