import { type Day, saoPauloDay } from '#core/day.ts';
import { isOnTime } from '#core/debt.ts';
import { type Cents, cents, reaisOf, sum, toReais, ZERO } from '#core/money.ts';
import { toPercent } from '#core/percent.ts';
import { allocatePurchase, type PurchaseAllocation, type PurchaseFacts } from '#core/purchase.ts';
import {
  type Agreed,
  allocateReceipts,
  leftOf,
  type ReceiptFacts,
  redeemedOf,
  type ToRefund,
} from '#core/receipts.ts';
import type { EventContext } from '#events';
import { post, reversed } from '#ledger';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { purchaseEntries, receiptEntries, writtenOffEntries } from './entries.ts';
import { figuresOf, type ResultColumns, resultOf, shareColumns, toColumns } from './receipt.ts';
import {
  type FoundInstallment,
  findInstallment,
  findPurchase,
  type InstallmentRow,
  type PurchaseRow,
  type ReceiptRow,
  type WrittenInstallment,
  type WrittenReceipt,
  writeAllocation,
} from './store.ts';
import { type TermsColumns, termsOf } from './terms-columns.ts';

/** An installment and its receipts, read while its customer is locked. */
export type LockedInstallment = {
  readonly customerId: string;
  readonly row: FoundInstallment;
  /** All other installments of the purchase are paid. */
  readonly isLastOpen: boolean;
  readonly agreed: Agreed;
  readonly receipts: ReadonlyArray<{ readonly facts: ReceiptFacts; readonly result: ResultColumns }>;
};

/** Why an installment is reallocated: the reference of the posting, and when it happened. */
export type Cause = { readonly kind: CreditPosting; readonly reference: string; readonly occurredAt: Date };

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

export type Reallocated = {
  /** What is held for a refund from now on. Excess of cashback becomes cashback again, and its module is notified. */
  readonly toRefund: readonly ToRefund[];
  /** Excess of a receipt that is not refunded automatically, where the amount has changed. */
  readonly stranded: readonly ToRefund[];
};

/** The caller has locked the customer. */
export async function readInstallment(
  tx: CustomerTx,
  { customerId, installmentId }: { customerId: string; installmentId: string },
): Promise<LockedInstallment> {
  const row = await findInstallment(tx, customerId, installmentId);
  if (!row) throw new Error(`customer ${customerId} has no installment ${installmentId}`);
  return {
    customerId,
    row,
    isLastOpen: row.installments_total - row.installments_paid === (row.paid_at === null ? 1 : 0),
    agreed: { amount: cents(row.amount_cents), dueOn: row.agreed_due_on as Day, terms: termsOf(row) },
    receipts: (row.receipts ?? []).map((receipt) => ({ facts: factsOf(receipt), result: resultOf(receipt) })),
  };
}

/**
 * Recomputes an installment after its facts have changed to `facts`: allocates every receipt again, writes what differs, posts
 * the difference to the ledger, and emits events. Every change comes through here, once per cause: receipts in any order,
 * chargebacks, refunds. So rows and ledger always match the facts.
 */
export async function reallocate(
  tx: CustomerTx,
  installment: LockedInstallment,
  facts: readonly ReceiptFacts[],
  cause: Cause,
  context: EventContext,
): Promise<Reallocated> {
  const { customerId, row, agreed, receipts: before } = installment;
  if (row.is_returned) {
    const purchase = await readPurchase(tx, customerId, row.checkout_hash);
    return reallocatePurchase(tx, purchase, withReceipts(purchase, row.id, facts), cause, context);
  }
  const allocation = allocateReceipts(agreed, facts);
  const after = allocation.receipts.map(({ facts: fact, applied }) => ({
    facts: fact,
    result: toColumns(applied),
    known: before.find((known) => isSame(known.facts, fact)),
  }));
  const written = after.filter(({ facts: fact, result, known }) => !known || differs(known, fact, result));
  const kept = {
    id: row.id,
    history: null,
    redeemed_cents: redeemedOf(allocation.receipts),
    ...figuresOf(allocation.installment),
  };
  writeAllocation(tx, {
    customerId,
    checkoutHash: row.checkout_hash,
    returnedAt: null,
    now: context.now,
    receipts: written.map(({ facts: fact, result }) => toRow(row.id, fact, result)),
    installments: [kept],
  });
  const entries = [
    ...after.flatMap(({ facts: fact, result }) => receiptEntries(row.id, fact, result)),
    ...reversed(before.flatMap(({ facts: fact, result }) => receiptEntries(row.id, fact, result))),
    ...(row.is_written_off ? writtenOffEntries(row.id, kept.outstanding_cents - row.outstanding_cents) : []),
  ];
  post(tx, { ...cause, customerId, merchantId: row.merchant_id, entries }, context.now);
  const isCashback = ({ reference }: ToRefund) =>
    facts.some((fact) => fact.reference === reference && fact.source === 'cashback');
  const returned = sum(allocation.toRefund.filter(isCashback).map(({ amountCents }) => amountCents));
  const overpaid = cents(returned + creditedOf(facts) - creditedOf(before.map((known) => known.facts)));
  const settled = installment.isLastOpen && kept.paid_at !== null;
  const paidOtherwise = written.some(paysOtherwise) ? row.id : null;
  await emitChanges(tx, customerId, [{ row, kept, overpaid }], { settled, paidOtherwise }, context);
  return {
    toRefund: allocation.toRefund.filter((money) => !isCashback(money)),
    stranded: changedStranded(after),
  };
}

/** A purchase with all its facts, read while its customer is locked. */
export type LockedPurchase = {
  readonly customerId: string;
  readonly row: PurchaseRow;
  readonly facts: PurchaseFacts;
};

/** The caller has locked the customer. */
export async function readPurchase(
  tx: CustomerTx,
  customerId: string,
  hash: string,
): Promise<LockedPurchase> {
  const row = await findPurchase(tx, customerId, hash);
  if (!row) throw new Error(`customer ${customerId} has no purchase ${hash}`);
  return { customerId, row, facts: purchaseFacts(row) };
}

/** The input of the allocation of a purchase with returns. */
export function purchaseFacts(
  row: TermsColumns &
    Pick<PurchaseRow, 'financed_cents' | 'installments_total' | 'purchased_at' | 'receipts' | 'returns'> & {
      installments: ReadonlyArray<Pick<InstallmentRow, 'id' | 'amount_cents' | 'agreed_due_on'>>;
    },
): PurchaseFacts {
  const terms = termsOf(row);
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
      ...factsOf(receipt),
      installment: indexes.get(receipt.installment_id)!,
    })),
    returns: (row.returns ?? []).map(({ id, returned_at_ms, amount_cents }) => ({
      id,
      at: returned_at_ms,
      amount: cents(amount_cents),
    })),
  };
}

/** The facts of a purchase, with these for one installment. */
function withReceipts(
  { row, facts }: LockedPurchase,
  installmentId: string,
  receipts: readonly ReceiptFacts[],
): PurchaseFacts {
  const installment = row.installments.findIndex(({ id }) => id === installmentId);
  const isKnown = (fact: ReceiptFacts) => facts.receipts.some((known) => isSame(known, fact));
  const changed = facts.receipts.map((known) => {
    const now = receipts.find((fact) => isSame(known, fact));
    return now ? { ...now, installment } : known;
  });
  const heard = receipts.filter((fact) => !isKnown(fact)).map((fact) => ({ ...fact, installment }));
  return { ...facts, receipts: [...changed, ...heard] };
}

/** The same for a purchase with returns. `tell` is called after the write, before other events are emitted. */
export async function reallocatePurchase(
  tx: CustomerTx,
  { customerId, row, facts: before }: LockedPurchase,
  facts: PurchaseFacts,
  cause: Cause,
  context: EventContext,
  tell: (gone: Reallocated & { credited: Cents }) => Promise<void> = async () => undefined,
): Promise<Reallocated & { credited: Cents }> {
  const allocation = allocatePurchase(facts);
  const ids = row.installments.map(({ id }) => id);
  const known = (row.receipts ?? []).map((receipt) => ({
    facts: factsOf(receipt),
    result: resultOf(receipt),
  }));
  const after = allocation.receipts.map((receipt) => ({
    facts: receipt.facts,
    result: shareColumns(receipt),
    known: known.find((other) => isSame(other.facts, receipt.facts)),
  }));
  const kept = allocation.installments.map((installment, k) => ({
    id: ids[k]!,
    redeemed_cents: redeemedAt(allocation, k),
    history: installment.events,
    ...figuresOf(installment),
  }));
  const written = after.filter(({ facts: fact, result, known: was }) => !was || differs(was, fact, result));
  const left = facts.plan.financed - sum(facts.returns.map(({ amount }) => amount));
  const returnedAt = left === 0 ? new Date(facts.returns.at(-1)!.at) : null;
  writeAllocation(tx, {
    customerId,
    checkoutHash: row.hash,
    returnedAt,
    now: context.now,
    receipts: written.map(({ facts: fact, result }) => toRow(ids[fact.installment]!, fact, result)),
    installments: kept,
  });
  const entries = [
    ...purchaseEntries(ids, allocation),
    ...reversed(purchaseEntries(ids, allocatePurchase(before))),
    ...row.installments.flatMap(({ id, outstanding_cents }, k) =>
      row.written_off_at ? writtenOffEntries(id, kept[k]!.outstanding_cents - outstanding_cents) : [],
    ),
  ];
  post(tx, { ...cause, customerId, merchantId: row.merchant_id, entries }, context.now);
  const placeOf = ({ reference }: ToRefund) => facts.receipts.find((fact) => fact.reference === reference)!;
  const isCashback = (money: ToRefund) => placeOf(money).source === 'cashback';
  const toCashback = [...allocation.toRefund.filter(isCashback), ...allocation.toCredit];
  const gone = {
    toRefund: allocation.toRefund.filter((money) => !isCashback(money)),
    stranded: changedStranded(after),
    credited: sum(toCashback.map(({ amountCents }) => amountCents)),
  };
  await tell(gone);
  const changes = row.installments.map((installment, k) => {
    const overpaid = toCashback.filter((money) => placeOf(money).installment === k);
    const came = sum(overpaid.map(({ amountCents }) => amountCents));
    return {
      row: { ...row, checkout_hash: row.hash, ...installment, paid_at: toDate(installment.paid_at) },
      kept: kept[k]!,
      overpaid: cents(came + creditedAt(facts, k) - creditedAt(before, k)),
    };
  });
  const settled = kept.every(({ paid_at }) => paid_at !== null);
  const changed = written.find(paysOtherwise);
  const paidOtherwise = changed ? ids[changed.facts.installment]! : null;
  await emitChanges(tx, customerId, changes, { settled, paidOtherwise }, context);
  return gone;
}

/** What of the money of an installment became cashback and was not reversed. */
const creditedAt = ({ receipts }: PurchaseFacts, installment: number): Cents =>
  creditedOf(receipts.filter((fact) => fact.installment === installment));

const creditedOf = (receipts: readonly ReceiptFacts[]): Cents =>
  sum(receipts.map(({ credited }) => credited));

/** What of an installment was settled with cashback. */
export function redeemedAt({ receipts }: PurchaseAllocation, installment: number): Cents {
  return sum(
    receipts
      .filter(({ facts }) => facts.source === 'cashback' && facts.reversedAt === null)
      .flatMap(({ shares }) => shares.filter((share) => share.installment === installment))
      .map(({ principal, discount }) => cents(principal + discount)),
  );
}

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

export function isSame(a: ReceiptFacts, b: ReceiptFacts): boolean {
  return a.reference === b.reference && a.part === b.part;
}

function changedStranded(
  after: ReadonlyArray<{ facts: ReceiptFacts; known: { facts: ReceiptFacts } | undefined }>,
): ToRefund[] {
  return after
    .filter(({ facts, known }) => facts.stranded !== (known?.facts.stranded ?? 0))
    .map(({ facts: { reference, part, stranded: amountCents } }) => ({ reference, part, amountCents }));
}

/** An installment before and after, and what of its money became cashback now; negative: it no longer is cashback. */
type Changed = { readonly row: InstallmentRow; readonly kept: WrittenInstallment; readonly overpaid: Cents };

async function emitChanges(
  tx: CustomerTx,
  customerId: string,
  changes: readonly Changed[],
  { settled, paidOtherwise }: { settled: boolean; paidOtherwise: string | null },
  context: EventContext,
): Promise<void> {
  let isTold = false;
  for (const change of changes)
    if (await emitInstallmentChanges(tx, customerId, change, context)) isTold = true;
  const other = changes.find(({ row }) => row.id === paidOtherwise);
  if (other && !isTold) {
    const { row, kept } = other;
    const place = { checkout_hash: row.checkout_hash, installment_id: row.id, number: row.number };
    const data = { ...place, paid: toReais(kept.paid_cents), outstanding: toReais(kept.outstanding_cents) };
    await context.events.emit(tx, { customerId, type: 'installment.payment_changed', data }, context.now);
  }
  const { checkout_hash, settled_at } = changes[0]!.row;
  if (!settled || settled_at !== null) return;
  await context.events.emit(tx, { customerId, type: 'checkout.paid', data: { checkout_hash } }, context.now);
}

/** Returns whether `installment.paid` or `installment.reopened` was emitted. */
async function emitInstallmentChanges(
  tx: CustomerTx,
  customerId: string,
  { row, kept, overpaid }: Changed,
  { events, now }: EventContext,
): Promise<boolean> {
  const data = { checkout_hash: row.checkout_hash, installment_id: row.id, number: row.number };
  if (kept.due_on !== row.due_on || kept.extensions !== row.extensions) {
    const extended = { ...data, due_on: kept.due_on, extensions: kept.extensions };
    await events.emit(tx, { customerId, type: 'installment.extended', data: extended }, now);
  }
  const purchase = { installments_total: row.installments_total, merchant_name: row.merchant_name };
  if (overpaid !== 0) {
    const credited = { ...data, ...purchase, amount: toReais(overpaid) };
    await events.emit(tx, { customerId, type: 'installment.overpaid', data: credited }, now);
  }
  const before = row.paid_at?.getTime() ?? null;
  const wasOnTime = before !== null && isOnTime(before, row.effective_due_on as Day);
  const onTime = kept.paid_at !== null && isOnTime(kept.paid_at, kept.effective_due_on);
  const isOtherwise =
    kept.paid_at !== before ||
    onTime !== wasOnTime ||
    kept.returned_cents !== row.returned_cents ||
    kept.redeemed_cents !== row.redeemed_cents;
  if (kept.paid_at !== null && isOtherwise) {
    const paid = {
      ...data,
      ...purchase,
      amount: reaisOf(row.amount_cents),
      discount: toReais(kept.discount_cents),
      returned: toReais(kept.returned_cents),
      paid_with_cashback: toReais(kept.redeemed_cents),
      paid_at: new Date(kept.paid_at).toISOString(),
      on_time: onTime,
      cashback_percent: toPercent(termsOf(row).cashback),
    };
    await events.emit(tx, { customerId, type: 'installment.paid', data: paid }, now);
    return true;
  }
  if (before !== null && kept.paid_at === null) {
    const outstanding = toReais(kept.outstanding_cents);
    const reopened = { ...data, ...purchase, outstanding, due_on: kept.due_on };
    await events.emit(tx, { customerId, type: 'installment.reopened', data: reopened }, now);
    return true;
  }
  return false;
}

type ChangedReceipt = {
  readonly facts: ReceiptFacts;
  readonly result: ResultColumns;
  readonly known: { readonly facts: ReceiptFacts; readonly result: ResultColumns } | undefined;
};

/** Whether a receipt pays another sum of the amounts than before. */
function paysOtherwise({ facts, result, known }: ChangedReceipt): boolean {
  return paidOff(facts, result) !== (known ? paidOff(known.facts, known.result) : 0);
}

const paidOff = ({ reversedAt }: ReceiptFacts, result: ResultColumns): number =>
  reversedAt === null ? result.principal_cents + result.elsewhere_principal_cents : 0;

function differs(
  known: { facts: ReceiptFacts; result: ResultColumns },
  fact: ReceiptFacts,
  result: ResultColumns,
): boolean {
  return (
    known.facts.reversedAt !== fact.reversedAt ||
    known.facts.refunded !== fact.refunded ||
    known.facts.taken !== fact.taken ||
    known.facts.credited !== fact.credited ||
    leftOf(known.facts) !== leftOf(fact) ||
    JSON.stringify(known.result) !== JSON.stringify(result)
  );
}

function toRow(installmentId: string, facts: ReceiptFacts, result: ResultColumns): WrittenReceipt {
  const { reference, part, source, receivedAt, amount, purpose, pricedOn, reversedAt, left } = facts;
  return {
    reference,
    part,
    source,
    purpose,
    amount_cents: amount,
    priced_on: pricedOn,
    installment_id: installmentId,
    received_at: new Date(receivedAt),
    reversed_at: reversedAt === null ? null : new Date(reversedAt),
    refunded_cents: facts.refunded,
    taken_cents: facts.taken,
    credited_cents: facts.credited,
    left_cents: leftOf(facts),
    left_at: Object.fromEntries(left.map(({ returnId, amount: gone }) => [returnId, gone])),
    ...result,
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
    credited: cents(row.credited_cents),
    left: Object.entries(row.left_at).map(([returnId, amount]) => ({ returnId, amount: cents(amount) })),
  };
}
