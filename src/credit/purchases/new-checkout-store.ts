import type { Day } from '#core/values/day.ts';
import { columns } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { batchable, pluck, sql } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import { checkouts } from '../generated/tables.ts';
import type { ApprovedPurchase } from './plan-purchase.ts';
import { toTermsColumns } from './terms.ts';

type NewCheckout = ApprovedPurchase & {
  hash: string;
  installmentIds: string[];
  /** The effective due day of each installment, in the order of the installments. */
  effectiveDueDays: Day[];
  /** Later than `purchasedAt` if the purchase is recorded afterwards. */
  writtenAt: Date;
};

/** Queues the inserts of a purchase and its installments, which are sent with the next awaited statement. */
export function insertCheckout(tx: CustomerTx, checkout: NewCheckout): void {
  const { customerId, hash } = checkout;
  tx.queueWrite(insertHashes({ customerId, hash }));
  tx.queueWrite(insertCheckouts(checkout));
  tx.queueWrite(insertInstallments(checkout));
}

const insertHashes = batchable(
  (rows: ReadonlyArray<{ customerId: string; hash: string }>) => sql`
    insert into checkout_hashes (hash, customer_id)
    select * from unnest(${pluck(rows, 'hash')}::text[], ${pluck(rows, 'customerId')}::text[])`,
);

/** The columns that a new purchase sets. */
const newCheckoutColumns = columns(
  omit(
    checkouts,
    'paid_cents',
    'returned_cents',
    'returned_at',
    'penalty_cents',
    'installments_paid',
    'settled_at',
    'written_off_at',
  ),
);

const insertCheckouts = batchable((rows: readonly NewCheckout[], customerSql) => {
  const checkoutRows = rows.map(({ merchant, schedule, payout, cet, ...checkout }) => ({
    customer_id: checkout.customerId,
    hash: checkout.hash,
    merchant_id: merchant.id,
    merchant_slug: merchant.slug,
    merchant_name: merchant.name,
    description: checkout.description,
    offer_id: checkout.offerId ?? null,
    purchased_at: checkout.purchasedAt,
    created_at: checkout.writtenAt,
    financed_cents: schedule.financed,
    total_cents: schedule.total,
    installments_total: schedule.installments.length,
    ...toTermsColumns(checkout.terms),
    cet_month_ppm: cet.month,
    cet_year_ppm: cet.year,
    merchant_fee_ppm: payout.merchantFee,
    payout_days: payout.days,
    outstanding_cents: schedule.total,
    next_due_on: schedule.installments[0]!.dueOn,
    late_after: checkout.effectiveDueDays[0]!,
    contract_sha256: checkout.contract?.sha256 ?? null,
  }));
  return sql`insert into checkouts ${newCheckoutColumns.valuesFromJson(checkoutRows, customerSql)}`;
});

const insertInstallments = batchable((rows: readonly NewCheckout[], customerSql) => {
  const installmentRows = rows.flatMap(({ customerId, hash, schedule, installmentIds, effectiveDueDays }) =>
    schedule.installments.map((installment, i) => ({
      ...installment,
      customerId,
      hash,
      id: installmentIds[i]!,
      effectiveDueOn: effectiveDueDays[i]!,
    })),
  );
  return sql`
    insert into installments (customer_id, id, checkout_hash, number, amount_cents, principal_cents, interest_cents,
                              agreed_due_on, due_on, effective_due_on, outstanding_cents)
    select ${customerSql}, input.id, input.hash, input.number, input.amount, input.principal, input.interest, input.due_on,
           input.due_on, input.effective_due_on, input.amount
    from unnest(${pluck(installmentRows, 'customerId')}::text[], ${pluck(installmentRows, 'id')}::text[],
                ${pluck(installmentRows, 'hash')}::text[], ${pluck(installmentRows, 'number')}::smallint[],
                ${pluck(installmentRows, 'amount')}::bigint[], ${pluck(installmentRows, 'principal')}::bigint[],
                ${pluck(installmentRows, 'interest')}::bigint[], ${pluck(installmentRows, 'dueOn')}::date[],
                ${pluck(installmentRows, 'effectiveDueOn')}::date[])
         as input (customer_id, id, hash, number, amount, principal, interest, due_on, effective_due_on)`;
});
