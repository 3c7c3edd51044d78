import { type ReceiptFacts, type RefundDue, sumWithdrawals } from '#core/finance/receipts.ts';
import type { Day } from '#core/values/day.ts';
import { cents, ZERO } from '#core/values/money.ts';
import type { ResultColumns } from './receipt.ts';
import type { ReceiptRow, StoredReceipt } from './store.ts';

/** A receipt after a reallocation, and before it. `previous` is undefined for a new receipt. */
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

export function hasChanged({ facts, result, previous }: ReceiptChange): boolean {
  return (
    !previous ||
    previous.facts.reversedAt !== facts.reversedAt ||
    previous.facts.refunded !== facts.refunded ||
    previous.facts.taken !== facts.taken ||
    previous.facts.credited !== facts.credited ||
    sumWithdrawals(previous.facts) !== sumWithdrawals(facts) ||
    JSON.stringify(previous.result) !== JSON.stringify(result)
  );
}

export function toReceiptRow(installmentId: string, { facts, result }: ReceiptChange): StoredReceipt {
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

export function isSameReceipt(a: ReceiptFacts, b: ReceiptFacts): boolean {
  return a.reference === b.reference && a.part === b.part;
}

export function listStrandedChanges(receipts: readonly ReceiptChange[]): RefundDue[] {
  return receipts
    .filter(({ facts, previous }) => facts.stranded !== (previous?.facts.stranded ?? 0))
    .map(({ facts: { reference, part, stranded: amountCents } }) => ({ reference, part, amountCents }));
}
