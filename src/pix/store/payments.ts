import { type Queryable, sql, type Tx } from '#platform/db.ts';

export type PaymentRow = {
  customer_id: string;
  end_to_end_id: string;
  charge_id: string;
  installment_id: string;
  amount_cents: number;
  paid_at: Date;
  recorded_at: Date;
};

export async function findPayment(
  db: Queryable,
  customerId: string,
  endToEndId: string,
): Promise<PaymentRow | undefined> {
  return db.row(sql`
    select * from pix_payments where customer_id = ${customerId} and end_to_end_id = ${endToEndId}`);
}

/** The payment has been counted for another charge: nothing may come of it a second time. */
export class EndToEndIdReused extends Error {}

/** From here on it counts for its charge, and for no other; it is no orphan and no discrepancy any more. */
export async function insertPayment(tx: Tx, payment: PaymentRow): Promise<void> {
  const claimed = await tx.row<{ was_orphan: boolean }>(sql`
    insert into pix_end_to_end_ids as known (end_to_end_id, customer_id, charge_id)
    values (${payment.end_to_end_id}, ${payment.customer_id}, ${payment.charge_id})
    on conflict (end_to_end_id) do update
      set customer_id = excluded.customer_id, charge_id = excluded.charge_id where known.customer_id is null
    returning xmax <> 0 as was_orphan`);
  if (!claimed) throw new EndToEndIdReused(payment.end_to_end_id);
  if (claimed.was_orphan)
    await tx.run(sql`delete from pix_orphans where end_to_end_id = ${payment.end_to_end_id}`);
  await tx.run(sql`
    with resolved as (
      update pix_discrepancies set resolved_at = ${payment.recorded_at}
      where customer_id = ${payment.customer_id} and charge_id = ${payment.charge_id} and resolved_at is null
    )
    insert into pix_payments (customer_id, end_to_end_id, charge_id, installment_id, amount_cents, paid_at,
                              recorded_at)
    values (${payment.customer_id}, ${payment.end_to_end_id}, ${payment.charge_id}, ${payment.installment_id},
            ${payment.amount_cents}, ${payment.paid_at}, ${payment.recorded_at})`);
}

/** Whose payment it is; both null for an orphan. */
export type PaymentOwner = { end_to_end_id: string; customer_id: string | null; charge_id: string | null };

/** Those of these payments that we know, applied or orphans. */
export async function listPaymentOwners(db: Queryable, endToEndIds: string[]): Promise<PaymentOwner[]> {
  return db.rows(sql`select * from pix_end_to_end_ids where end_to_end_id = any(${endToEndIds})`);
}
