import type { AppliedReceipt } from '#core/finance/allocation.ts';
import {
  computeDebt,
  type Debt,
  type Extension,
  type Installment,
  type Payment,
} from '#core/finance/debt.ts';
import type { PurchaseAllocation } from '#core/finance/purchase.ts';
import type { Share } from '#core/finance/shares.ts';
import { type Day, type Instant, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { cents, sum } from '#core/values/money.ts';
import type { TableRow } from '#platform/database/columns.ts';
import type { receipts } from '../generated/tables.ts';

/** Computes the stored figures of an installment as of its last event. Without events: as of its due day, when no penalty has accrued. */
export function computeFigures(installment: Installment) {
  const debt = computeDebt(installment, findLastEventAt(installment) ?? startOfDay(installment.dueOn));
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
export type InstallmentFigures = ReturnType<typeof computeFigures>;

/**
 * The columns with the result of a receipt. `elsewhere_cents` is the part that pays other installments of the purchase, and
 * `elsewhere_principal_cents` the principal within that part, without penalties.
 */
const RESULT_COLUMNS = [
  'outcome',
  'interest_cents',
  'fine_cents',
  'principal_cents',
  'discount_cents',
  'waived_interest_cents',
  'waived_fine_cents',
  'fee_cents',
  'extended_to',
  'elsewhere_cents',
  'elsewhere_principal_cents',
  'excess_cents',
] as const;
export type ResultColumns = Pick<TableRow<typeof receipts>, (typeof RESULT_COLUMNS)[number]>;

export const pickResultColumns = (row: ResultColumns): ResultColumns =>
  Object.fromEntries(RESULT_COLUMNS.map((name) => [name, row[name]])) as ResultColumns;

export function toResultColumns({ event, excess }: AppliedReceipt): ResultColumns {
  const payment = event?.kind === 'payment' ? event : null;
  const extension = event?.kind === 'extension' ? event : null;
  return {
    outcome: event?.kind ?? 'nothing',
    interest_cents: event?.interest ?? 0,
    fine_cents: event?.fine ?? 0,
    principal_cents: payment?.principal ?? 0,
    discount_cents: payment?.discount ?? 0,
    ...toWaivedColumns(event),
    fee_cents: extension?.fee ?? 0,
    extended_to: extension?.dueOn ?? null,
    elsewhere_cents: 0,
    elsewhere_principal_cents: 0,
    excess_cents: excess,
  };
}

function toWaivedColumns(event: Payment | Extension | null) {
  const waived = event?.kind === 'payment' ? event.waived : undefined;
  return { waived_interest_cents: waived?.interest ?? 0, waived_fine_cents: waived?.fine ?? 0 };
}

/** Like `toResultColumns`, for a receipt that may pay several installments of its purchase, as after a return. */
export function toPurchaseResultColumns(receipt: PurchaseAllocation['receipts'][number]): ResultColumns {
  const { facts, event, shares, excess } = receipt;
  // `facts.installmentIndex` is that of the installment that the receipt was paid for.
  const ownShares = shares.filter(({ installmentIndex }) => installmentIndex === facts.installmentIndex);
  const sumField = (field: keyof Omit<Share, 'installmentIndex'>, summedShares = ownShares) =>
    sum(summedShares.map((share) => share[field]));
  const otherShares = shares.filter((share) => !ownShares.includes(share));
  return {
    // A receipt that was all excess when it arrived has no event, but a later return may assign its money to its own installment.
    outcome: event?.kind ?? (ownShares.length > 0 ? 'payment' : 'nothing'),
    interest_cents: sumField('interest'),
    fine_cents: sumField('fine'),
    principal_cents: sumField('principal'),
    discount_cents: sumField('discount'),
    ...toWaivedColumns(event),
    fee_cents: sumField('fee'),
    extended_to: event?.kind === 'extension' ? event.dueOn : null,
    elsewhere_cents: sum(
      (['interest', 'fine', 'principal', 'fee'] as const).map((field) => sumField(field, otherShares)),
    ),
    elsewhere_principal_cents: sumField('principal', otherShares),
    excess_cents: excess,
  };
}

/** Builds the debt event of a receipt from its result. Returns null if nothing was applied. */
export function toDebtEvent(
  result: Omit<ResultColumns, 'elsewhere_cents' | 'elsewhere_principal_cents' | 'excess_cents'> & {
    priced_on: string | null;
  },
  receivedAt: Instant,
  reversedAt: Instant | null,
): Payment | Extension | null {
  if (result.outcome === 'nothing') return null;
  const commonFields = {
    at: receivedAt,
    interest: cents(result.interest_cents),
    fine: cents(result.fine_cents),
    reversedAt,
  };
  return result.outcome === 'payment'
    ? {
        kind: 'payment',
        ...commonFields,
        principal: cents(result.principal_cents),
        discount: cents(result.discount_cents),
        pricedOn: result.priced_on as Day | null,
        ...(result.waived_fine_cents + result.waived_interest_cents > 0 && {
          waived: {
            fine: cents(result.waived_fine_cents),
            interest: cents(result.waived_interest_cents),
          },
        }),
      }
    : {
        kind: 'extension',
        ...commonFields,
        fee: cents(result.fee_cents),
        dueOn: result.extended_to as Day,
      };
}

/**
 * Computes the debt now. Includes all known events, even if they are slightly in the future because the PSP's clock is ahead of ours.
 * Days are counted up to today.
 */
export function computeDebtNow(installment: Installment, now: Instant): Debt {
  const lastEventAt = findLastEventAt(installment);
  return lastEventAt === null || lastEventAt <= now
    ? computeDebt(installment, now)
    : computeDebt(installment, lastEventAt, saoPauloDay(now));
}

export function findLastEventAt({ events }: Installment): Instant | null {
  let lastEventAt: Instant | null = null;
  for (const event of events) {
    const reversedAt = 'reversedAt' in event ? event.reversedAt : null;
    lastEventAt = Math.max(lastEventAt ?? event.at, event.at, reversedAt ?? event.at);
  }
  return lastEventAt;
}
