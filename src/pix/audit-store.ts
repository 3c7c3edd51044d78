import type { CustomerRange } from '#ledger';
import { sql, type Tx } from '#platform/db.ts';

export type MismatchedPayment = {
  end_to_end_id: string;
  amount_cents: number;
  received_cents: number | null;
  applied_cents: number;
  excess_cents: number;
  returning_cents: number;
};

/** Payments that were not received once and whole, or of which a centavo is in two places or in none. */
export async function listMismatchedPayments(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<MismatchedPayment[]> {
  return tx.rows(sql`
    with of_payments as (
      select customer_id, split_part(reference, ' ', 1) as end_to_end_id,
             sum(amount_cents - refunded_cents - excess_cents) filter (where reversed_at is null) as applied_cents,
             sum(excess_cents) filter (where reversed_at is null) as excess_cents,
             max(amount_cents) filter (where position(' ' in reference) = 0) as received_cents
      from receipts where customer_id > ${after} and customer_id <= ${upTo} group by 1, 2
    ), of_refunds as (
      select customer_id, end_to_end_id, sum(amount_cents) as returning_cents
      from pix_refunds
      where customer_id > ${after} and customer_id <= ${upTo} and status in ('asked', 'processing', 'returned')
      group by 1, 2
    )
    select * from (
      select p.end_to_end_id, p.amount_cents, r.received_cents,
             coalesce(r.applied_cents, 0)::bigint as applied_cents,
             coalesce(r.excess_cents, 0)::bigint as excess_cents,
             coalesce(b.returning_cents, 0)::bigint as returning_cents
      from pix_payments p
      left join of_payments r using (customer_id, end_to_end_id)
      left join of_refunds b using (customer_id, end_to_end_id)
      where p.customer_id > ${after} and p.customer_id <= ${upTo}
    ) as compared
    where received_cents is distinct from amount_cents
       or amount_cents <> applied_cents + excess_cents + returning_cents
    order by end_to_end_id`);
}

/** Charges that say they are paid and are not, or the other way round. */
export async function listMismatchedCharges(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<Array<{ id: string; status: string; payments: number }>> {
  return tx.rows(sql`
    select * from (
      select c.id, c.status, (select count(*) from pix_payments p
                              where p.customer_id = c.customer_id and p.charge_id = c.id) as payments
      from pix_charges c where c.customer_id > ${after} and c.customer_id <= ${upTo}
    ) as compared
    where (status = 'paid') <> (payments > 0) order by id`);
}

/** Customers whose money at the PSP, by the book, is not what arrived less what went back. */
export async function listMismatchedCustomers(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<Array<{ customer_id: string; clearing_cents: number; expected_cents: number }>> {
  return tx.rows(sql`
    select * from (
      select c.id as customer_id,
             (select coalesce(sum(e.amount_cents), 0)::bigint from ledger_entries e
              where e.customer_id = c.id and e.account = 'pix_clearing') as clearing_cents,
             -- Receipts that came another way than by Pix are taken at their word; of those that were reversed, what is
             -- held for a refund is still here.
             ((select coalesce(sum(case when r.reversed_at is null then r.amount_cents
                                        else r.refunded_cents end), 0) from receipts r
               where r.customer_id = c.id
                 and not exists (select from pix_payments p where p.customer_id = r.customer_id
                                 and p.end_to_end_id = split_part(r.reference, ' ', 1)))
              + (select coalesce(sum(p.amount_cents), 0) from pix_payments p where p.customer_id = c.id)
              - (select coalesce(sum(x.amount_cents), 0) from pix_refunds x
                 where x.customer_id = c.id and x.status = 'returned'))::bigint as expected_cents
      from customers c where c.id > ${after} and c.id <= ${upTo}
    ) as compared
    where clearing_cents <> expected_cents order by customer_id`);
}
