import type { Applied } from '#core/allocation.ts';
import { type Day, type Instant, startOfDay } from '#core/day.ts';
import { debtAt, type Extension, type Installment, type Payment } from '#core/debt.ts';
import { cents, sum } from '#core/money.ts';
import type { PurchaseAllocation } from '#core/purchase.ts';
import type { Share } from '#core/shares.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { lastFact } from './debt-now.ts';

/** The stored figures of an installment, after all known events. */
export function figuresOf(installment: Installment) {
  const debt = debtAt(installment, lastFact(installment) ?? startOfDay(installment.dueOn));
  return {
    due_on: debt.dueOn,
    effective_due_on: debt.effectiveDueOn,
    paid_cents: debt.paid,
    discount_cents: debt.discount,
    returned_cents: debt.returned,
    outstanding_cents: debt.outstanding,
    penalty_cents: cents(debt.fine + debt.interest),
    extensions: debt.extensions,
    paid_at: debt.paidAt,
  };
}
export type InstallmentFigures = ReturnType<typeof figuresOf>;

export const result = columns({
  outcome: column.text<'payment' | 'extension' | 'nothing'>(),
  interest_cents: column.bigint(),
  fine_cents: column.bigint(),
  principal_cents: column.bigint(),
  discount_cents: column.bigint(),
  fee_cents: column.bigint(),
  extended_to: column.date().nullable(),
  /** It pays other installments of the purchase. */
  elsewhere_cents: column.bigint(),
  /** What of that is of their amounts, without penalties. */
  elsewhere_principal_cents: column.bigint(),
  excess_cents: column.bigint(),
});
export type ResultColumns = RowOf<typeof result>;

export function toColumns({ event, excess }: Applied): ResultColumns {
  const payment = event?.kind === 'payment' ? event : null;
  const extension = event?.kind === 'extension' ? event : null;
  return {
    outcome: event?.kind ?? 'nothing',
    interest_cents: event?.interest ?? 0,
    fine_cents: event?.fine ?? 0,
    principal_cents: payment?.principal ?? 0,
    discount_cents: payment?.discount ?? 0,
    fee_cents: extension?.fee ?? 0,
    extended_to: extension?.dueOn ?? null,
    elsewhere_cents: 0,
    elsewhere_principal_cents: 0,
    excess_cents: excess,
  };
}

/** The same for a purchase with returns: what it pays now. */
export function shareColumns(receipt: PurchaseAllocation['receipts'][number]): ResultColumns {
  const { facts, event, shares, excess } = receipt;
  const own = shares.filter(({ installment }) => installment === facts.installment);
  const total = (part: keyof Omit<Share, 'installment'>, of = own) => sum(of.map((share) => share[part]));
  const others = shares.filter((share) => !own.includes(share));
  return {
    outcome: event?.kind ?? (own.length > 0 ? 'payment' : 'nothing'),
    interest_cents: total('interest'),
    fine_cents: total('fine'),
    principal_cents: total('principal'),
    discount_cents: total('discount'),
    fee_cents: total('fee'),
    extended_to: event?.kind === 'extension' ? event.dueOn : null,
    elsewhere_cents: sum(
      (['interest', 'fine', 'principal', 'fee'] as const).map((part) => total(part, others)),
    ),
    elsewhere_principal_cents: total('principal', others),
    excess_cents: excess,
  };
}

/** The event of a receipt, from its columns; null when nothing was applied. */
export function toEvent(
  columns: Omit<ResultColumns, 'elsewhere_cents' | 'elsewhere_principal_cents' | 'excess_cents'> & {
    priced_on: string | null;
  },
  at: Instant,
  reversedAt: Instant | null,
): Payment | Extension | null {
  if (columns.outcome === 'nothing') return null;
  const shared = {
    at,
    interest: cents(columns.interest_cents),
    fine: cents(columns.fine_cents),
    reversedAt,
  };
  return columns.outcome === 'payment'
    ? {
        kind: 'payment',
        ...shared,
        principal: cents(columns.principal_cents),
        discount: cents(columns.discount_cents),
        pricedOn: columns.priced_on as Day | null,
      }
    : { kind: 'extension', ...shared, fee: cents(columns.fee_cents), dueOn: columns.extended_to as Day };
}

/** In the order of {@link toColumns}, so that two results can be compared as text. */
export function resultOf(row: ResultColumns): ResultColumns {
  const { outcome, interest_cents, fine_cents, principal_cents, discount_cents, fee_cents } = row;
  const { extended_to, elsewhere_cents, elsewhere_principal_cents, excess_cents } = row;
  const parts = { outcome, interest_cents, fine_cents, principal_cents, discount_cents, fee_cents };
  return { ...parts, extended_to, elsewhere_cents, elsewhere_principal_cents, excess_cents };
}
