import type { CustomerRange } from '#module';
import { sql, type Tx } from '#platform/database/db.ts';

type AuditedPayment = {
  customer_id: string;
  end_to_end_id: string;
  amount_cents: number;
  /** It counts for this customer, and arrived for this customer: a person may have moved it. */
  is_here: boolean;
  arrived_here: boolean;
  /** The same as `is_here`, as its moves say. */
  should_be_here: boolean;
  /** Refunds of ours, in progress or done; and chargebacks. */
  refunded_cents: number;
  forced_cents: number;
  /** What of both has left the PSP. */
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

/** Charges that are marked paid without a payment, or the other way round. What was paid and moved since counts. */
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
