import type { CustomerRange } from '#module';
import { sql, type Tx } from '#platform/database/db.ts';

type AuditedPayment = {
  customer_id: string;
  end_to_end_id: string;
  amount_cents: number;
  /** Whether the payment is assigned to this customer, and whether it arrived for this customer. A move changes only the first. */
  is_here: boolean;
  arrived_here: boolean;
  /** The value of `is_here` that follows from the moves of the payment. */
  should_be_here: boolean;
  /** Our refunds, in progress or done. `forced_cents`: chargebacks. */
  refunded_cents: number;
  forced_cents: number;
  /** The part of both that the PSP has returned. */
  returned_cents: number;
};

export async function listAuditedPayments(tx: Tx, { after, upTo }: CustomerRange): Promise<AuditedPayment[]> {
  return tx.rows(sql`
    select p.customer_id, p.end_to_end_id, p.amount_cents, p.moved_at is null as is_here,
           coalesce((select m.side = 'from' from pix_moves m
                     where m.customer_id = p.customer_id and m.end_to_end_id = p.end_to_end_id
                     order by m.position limit 1), true) as arrived_here,
           coalesce((select m.side = 'to' from pix_moves m
                     where m.customer_id = p.customer_id and m.end_to_end_id = p.end_to_end_id
                     order by m.position desc limit 1), true) as should_be_here,
           coalesce(sum(x.amount_cents) filter (where not x.forced), 0)::bigint as refunded_cents,
           coalesce(sum(x.amount_cents) filter (where x.forced), 0)::bigint as forced_cents,
           coalesce(sum(x.amount_cents) filter (where x.status = 'returned'), 0)::bigint as returned_cents
    from pix_payments p
    left join pix_refunds x on x.customer_id = p.customer_id and x.end_to_end_id = p.end_to_end_id
                           and x.status in ('asked', 'processing', 'returned')
    where p.customer_id > ${after} and p.customer_id <= ${upTo}
    group by p.customer_id, p.end_to_end_id order by p.customer_id, p.end_to_end_id`);
}

/** Lists charges that are paid without a payment, or have a payment and are not paid. A payment that was moved later counts. */
export const listMismatchedCharges = (tx: Tx, { after, upTo }: CustomerRange) =>
  tx.rows<{ id: string; status: string; payments: number }>(sql`
    select * from (
      select c.id, c.status, (select count(*) from pix_payments p
                              where p.customer_id = c.customer_id and p.charge_id = c.id and p.moved_at is null)
                             + (select count(*) from pix_moves m
                                where m.customer_id = c.customer_id and m.charge_id = c.id and m.side = 'from') as payments
      from pix_charges c where c.customer_id > ${after} and c.customer_id <= ${upTo}
    ) as compared
    where (status = 'paid') <> (payments > 0) order by id`);
