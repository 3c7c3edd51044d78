import { type Applied, type Receipt, replay } from '#core/allocation.ts';
import { type Day, type Instant, startOfDay } from '#core/day.ts';
import { type Debt, type DebtEvent, debtAt, type Installment } from '#core/debt.ts';
import { type Cents, cents, ZERO } from '#core/money.ts';
import { lastFact } from './debt-now.ts';

/** What was agreed for an installment. */
export type Agreed = Omit<Installment, 'events'>;

/** Money that arrived, as the facts have it. */
export type ReceiptFacts = {
  readonly reference: string;
  readonly receivedAt: Instant;
  readonly amount: Cents;
  readonly purpose: 'pay' | 'extend';
  readonly pricedOn: Day | null;
  readonly reversedAt: Instant | null;
  /** What is on its way back, or back, with the payer. */
  readonly refunded: Cents;
};

/** What is kept of an installment, and follows from its receipts. */
export type InstallmentFigures = Pick<
  Debt,
  'dueOn' | 'effectiveDueOn' | 'paid' | 'discount' | 'outstanding' | 'extensions' | 'paidAt'
>;

/**
 * What all receipts of an installment come to, in the order they are given, and what is left of it then. What was refunded
 * is out of the world: only the rest of a receipt is applied, and what of that is too much is still to be refunded.
 */
export function allocateReceipts(
  agreed: Agreed,
  facts: readonly ReceiptFacts[],
): { results: Applied[]; installment: Installment } {
  const held = facts.filter(({ amount, refunded }) => amount > refunded);
  const { applied, installment } = replay(agreed, held.map(toReceipt));
  const byReference = new Map(held.map(({ reference }, i) => [reference, applied[i]!]));
  return { results: facts.map(({ reference }) => byReference.get(reference) ?? NOTHING), installment };
}

const NOTHING: Applied = { event: null, excess: ZERO };

function toReceipt({ receivedAt, amount, refunded, purpose, pricedOn, reversedAt }: ReceiptFacts): Receipt {
  return {
    at: receivedAt,
    amount: cents(amount - refunded),
    purpose,
    ...(pricedOn && { pricedOn }),
    reversedAt,
  };
}

/** The figures that hold once everything we know of has happened. */
export function figuresOf(installment: Installment): InstallmentFigures {
  const debt = debtAt(installment, lastFact(installment) ?? startOfDay(installment.dueOn));
  const { dueOn, effectiveDueOn, paid, discount, outstanding, extensions, paidAt } = debt;
  return { dueOn, effectiveDueOn, paid, discount, outstanding, extensions, paidAt };
}

/** What a receipt came to, as columns. */
export type ResultColumns = {
  outcome: 'payment' | 'extension' | 'nothing';
  interest_cents: number;
  fine_cents: number;
  principal_cents: number;
  discount_cents: number;
  fee_cents: number;
  extended_to: string | null;
  excess_cents: number;
};

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
    excess_cents: excess,
  };
}

/** The event a receipt came to, from its columns; null when it came to nothing. */
export function toEvent(
  columns: Omit<ResultColumns, 'excess_cents'>,
  at: Instant,
  reversedAt: Instant | null,
): Exclude<DebtEvent, { kind: 'reduction' }> | null {
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
      }
    : { kind: 'extension', ...shared, fee: cents(columns.fee_cents), dueOn: columns.extended_to as Day };
}
