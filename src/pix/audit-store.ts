import type { Stretch } from '#ledger';
import { sql, type Tx } from '#platform/db.ts';

export type CrookedPayment = {
  end_to_end_id: string;
  amount_cents: number;
  received_cents: number | null;
  held_cents: number;
  refunding_cents: number;
  returned_cents: number;
  forced: boolean;
};

/** Payments that were not received once and whole, or whose refunds are not what is held of their receipts. */
export async function listCrookedPayments(tx: Tx, { after, upTo }: Stretch): Promise<CrookedPayment[]> {
  return tx.rows(sql`
    select * from (
      select p.end_to_end_id, p.amount_cents,
             (select r.amount_cents from receipts r
              where r.customer_id = p.customer_id and r.reference = p.end_to_end_id) as received_cents,
             (select coalesce(sum(r.refunded_cents), 0)::bigint from receipts r
              where r.customer_id = p.customer_id
                and r.reference in (select x.receipt from pix_refunds x where x.customer_id = p.customer_id
                                    and x.end_to_end_id = p.end_to_end_id and not x.forced
                                    union select p.receipt)) as held_cents,
             (select coalesce(sum(x.amount_cents), 0)::bigint from pix_refunds x
              where x.customer_id = p.customer_id and x.end_to_end_id = p.end_to_end_id and not x.forced
                and x.status in ('asked', 'processing', 'returned', 'overtaken')) as refunding_cents,
             exists (select from pix_refunds x where x.customer_id = p.customer_id
                     and x.end_to_end_id = p.end_to_end_id and x.forced) as forced,
             (select coalesce(sum(x.amount_cents), 0)::bigint from pix_refunds x
              where x.customer_id = p.customer_id and x.end_to_end_id = p.end_to_end_id
                and x.status = 'returned') as returned_cents
      from pix_payments p where p.customer_id > ${after} and p.customer_id <= ${upTo}
    ) as compared
    -- What the payer's bank took may have been too much already: then it is held, and no refund of ours.
    where received_cents is distinct from amount_cents or (held_cents <> refunding_cents and not forced)
       or returned_cents > amount_cents
    order by end_to_end_id`);
}

/** Charges that say they are paid and are not, or the other way round. */
export async function listCrookedCharges(
  tx: Tx,
  { after, upTo }: Stretch,
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
export async function listCrookedCustomers(
  tx: Tx,
  { after, upTo }: Stretch,
): Promise<Array<{ customer_id: string; clearing_cents: number; expected_cents: number }>> {
  return tx.rows(sql`
    select * from (
      select c.id as customer_id,
             (select coalesce(sum(e.amount_cents), 0)::bigint from ledger_entries e
              where e.customer_id = c.id and e.account = 'pix_clearing') as clearing_cents,
             -- Receipts that came another way than by Pix are taken at their word.
             ((select coalesce(sum(r.amount_cents), 0) from receipts r
               where r.customer_id = c.id and r.reversed_at is null
                 and not exists (select from pix_payments p where p.customer_id = r.customer_id
                                 and p.end_to_end_id = split_part(r.reference, ' ', 1)))
              + (select coalesce(sum(p.amount_cents), 0) from pix_payments p where p.customer_id = c.id)
              - (select coalesce(sum(x.amount_cents), 0) from pix_refunds x
                 where x.customer_id = c.id and x.status = 'returned'))::bigint as expected_cents
      from customers c where c.id > ${after} and c.id <= ${upTo}
    ) as compared
    where clearing_cents <> expected_cents order by customer_id`);
}
