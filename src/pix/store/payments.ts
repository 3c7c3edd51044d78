import { type Queryable, sql, type Tx } from '#platform/db.ts';
import type { ChargeRow } from './charges.ts';

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

/** From here on it counts for this charge, and for no other. False when it counts for one already. */
export async function claimPayment(
  tx: Tx,
  { customer_id, id }: Pick<ChargeRow, 'customer_id' | 'id'>,
  endToEndId: string,
): Promise<boolean> {
  const claimed = await tx.row<{ was_orphan: boolean }>(sql`
    insert into pix_end_to_end_ids as known (end_to_end_id, customer_id, charge_id)
    values (${endToEndId}, ${customer_id}, ${id})
    on conflict (end_to_end_id) do update
      set customer_id = excluded.customer_id, charge_id = excluded.charge_id where known.customer_id is null
    returning xmax <> 0 as was_orphan`);
  if (claimed?.was_orphan) tx.write(sql`delete from pix_orphans where end_to_end_id = ${endToEndId}`);
  return claimed !== undefined;
}

/**
 * A payment that was claimed: its charge is paid, whatever it was before, and no discrepancy any more. The other charges of the
 * installment that could still be paid ask for what is no longer owed: they are cancelled. Answers how many those were. One
 * that has been shown as expired stays so.
 */
export async function insertPayment(
  tx: Tx,
  payment: PaymentRow,
  { receivedAt, now }: { receivedAt: Date; now: Date },
): Promise<number> {
  const row = await tx.row<{ cancelled: number }>(sql`
    with resolved as (
      update pix_discrepancies set resolved_at = ${payment.recorded_at}
      where customer_id = ${payment.customer_id} and charge_id = ${payment.charge_id} and resolved_at is null
    ), payment as (
      insert into pix_payments (customer_id, end_to_end_id, charge_id, installment_id, amount_cents, paid_at,
                                recorded_at)
      values (${payment.customer_id}, ${payment.end_to_end_id}, ${payment.charge_id}, ${payment.installment_id},
              ${payment.amount_cents}, ${payment.paid_at}, ${payment.recorded_at})
    ), paid as (
      update pix_charges set status = 'paid', paid_at = ${receivedAt}
      where customer_id = ${payment.customer_id} and id = ${payment.charge_id} and status <> 'paid'
    ), others as (
      update pix_charges set status = 'cancelled'
      where customer_id = ${payment.customer_id} and installment_id = ${payment.installment_id}
        and id <> ${payment.charge_id} and status in ('creating', 'pending') and expires_at > ${now}
      returning id
    )
    select count(*) as cancelled from others`);
  return row!.cancelled;
}

/** Whose payment it is; both null for an orphan. */
export type PaymentOwner = { end_to_end_id: string; customer_id: string | null; charge_id: string | null };

/** Those of these payments that we know, applied or orphans. */
export async function listPaymentOwners(db: Queryable, endToEndIds: string[]): Promise<PaymentOwner[]> {
  return db.rows(sql`select * from pix_end_to_end_ids where end_to_end_id = any(${endToEndIds})`);
}
