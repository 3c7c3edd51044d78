import type { DebtEvent } from '#core/finance/debt.ts';
import type { ReceiptFacts } from '#core/finance/receipts.ts';
import type { CustomerRange } from '#module';
import type { TableRow } from '#platform/database/columns.ts';
import { sql, type Tx } from '#platform/database/db.ts';
import type { checkouts, installments } from '../generated/tables.ts';
import type { ReceiptRow, ReturnFacts } from '../purchases/store.ts';
import { termsColumns } from '../purchases/terms.ts';

export type AuditedCheckout = TableRow<typeof checkouts> & {
  /** When the purchase was written off according to `write_offs`; null without a write-off or after it was undone. */
  active_write_off_at: Date | null;
};

export const listAuditedCheckouts = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<AuditedCheckout>(sql`
    select c.*, (select w.written_off_at from write_offs w
                 where w.customer_id = c.customer_id and w.checkout_hash = c.hash and w.reinstated_at is null
                ) as active_write_off_at
    from checkouts c where c.customer_id > ${afterId} and c.customer_id <= ${lastId}`);

export type AcceptedOffer = {
  customer_id: string;
  offer_id: string;
  /** The column values that the purchase of the offer must have. */
  agreedColumns: Record<string, string | number>;
};

export async function listAcceptedOffers(
  tx: Tx,
  { afterId, lastId }: CustomerRange,
): Promise<AcceptedOffer[]> {
  const rows = await tx.rows<Record<string, string | number>>(sql`
    select customer_id, id as offer_id, checkout_hash as hash, merchant_id, amount_cents as financed_cents,
           accepted_installments as installments_total, ${termsColumns.selectFrom('o')}, merchant_fee_ppm, payout_days
    from offers o where status = 'accepted' and customer_id > ${afterId} and customer_id <= ${lastId}`);
  return rows.map(({ customer_id, offer_id, ...agreedColumns }) => ({
    customer_id: String(customer_id),
    offer_id: String(offer_id),
    agreedColumns,
  }));
}

export type CheckoutKey = { customer_id: string; checkout_hash: string };

/** Without `overdue_told`, the due days for which an overdue event was published. */
export type AuditedInstallment = Omit<TableRow<typeof installments>, 'history' | 'overdue_told'> & {
  history: DebtEvent[] | null;
};

export const listAuditedInstallments = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<AuditedInstallment>(sql`
    select * from installments where customer_id > ${afterId} and customer_id <= ${lastId}
    order by customer_id, checkout_hash, number`);

export type AuditedReceipt = ReceiptRow &
  CheckoutKey & {
    /** Money that left the receipt to pay another installment. */
    left_cents: number;
  };

export const listAuditedReceipts = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<AuditedReceipt>(sql`
    select *, (extract(epoch from received_at) * 1000)::bigint as received_at_ms,
           (extract(epoch from reversed_at) * 1000)::bigint as reversed_at_ms
    from receipts where customer_id > ${afterId} and customer_id <= ${lastId}
    order by customer_id, received_at, position`);

export type AuditedReturn = ReturnFacts & CheckoutKey;

export const listAuditedReturns = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<AuditedReturn>(sql`
    select customer_id, checkout_hash, id, (extract(epoch from returned_at) * 1000)::bigint as returned_at_ms,
           amount_cents
    from returns where customer_id > ${afterId} and customer_id <= ${lastId} order by customer_id, position`);

export type ReceivedMoney = {
  customer_id: string;
  reference: string;
  source: ReceiptFacts['source'];
  received_cents: number;
  applied_cents: number;
  excess_cents: number;
  refunded_cents: number;
  /** Money that was converted to cashback because it could not be refunded. */
  credited_cents: number;
};

/** For auditors of other modules: sums the receipts of each payment. Part 0 has the whole received amount; `taken_cents` was removed unapplied. */
export const listReceivedMoney = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<ReceivedMoney>(sql`
    select customer_id, reference, source,
           coalesce(sum(amount_cents) filter (where part = 0), 0)::bigint as received_cents,
           coalesce(sum(amount_cents - refunded_cents - taken_cents - credited_cents - left_cents - excess_cents)
                    filter (where reversed_at is null), 0)::bigint as applied_cents,
           coalesce(sum(excess_cents) filter (where reversed_at is null), 0)::bigint as excess_cents,
           sum(refunded_cents)::bigint as refunded_cents, sum(credited_cents)::bigint as credited_cents
    from receipts where customer_id > ${afterId} and customer_id <= ${lastId}
    group by customer_id, reference, source`);

export type SettledInstallment = {
  id: string;
  /** The agreed amount, before `returned_cents` is deducted. */
  amount_cents: number;
  returned_cents: number;
  /** The part that was paid with cashback. */
  redeemed_cents: number;
  cashback_ppm: number;
  paid_at: Date;
  effective_due_on: string;
};

export const listSettledInstallments = (tx: Tx, { afterId, lastId }: CustomerRange) =>
  tx.rows<SettledInstallment>(sql`
    select i.id, i.amount_cents, i.returned_cents, i.redeemed_cents, c.cashback_ppm, i.paid_at, i.effective_due_on
    from installments i join checkouts c on c.customer_id = i.customer_id and c.hash = i.checkout_hash
    where i.customer_id > ${afterId} and i.customer_id <= ${lastId} and i.paid_at is not null`);
