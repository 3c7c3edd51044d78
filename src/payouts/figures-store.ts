import type { Day } from '#core/day.ts';
import { type Queryable, sql } from '#platform/database/db.ts';

type OwedToMerchant = {
  merchant_slug: string;
  merchant_name: string;
  /** In no payout yet, and what of it is due by the day. */
  owed_cents: number;
  due_cents: number;
  /** In payouts that the bank has not confirmed yet. */
  in_payouts_cents: number;
};

/** What each merchant is owed at the end of a day, the most first; zeros are left out. */
export async function listOwedToMerchants(db: Queryable, on: Day, before: Date): Promise<OwedToMerchant[]> {
  return db.rows(sql`
    select n.merchant_slug, n.merchant_name, o.owed_cents, o.due_cents, o.in_payouts_cents
    from (select merchant_id, sum(owed_cents)::bigint as owed_cents, sum(due_cents)::bigint as due_cents,
                 sum(in_payouts_cents)::bigint as in_payouts_cents
          from (select merchant_id, sum(amount_cents) as owed_cents,
                       coalesce(sum(amount_cents) filter (where due_on <= ${on}), 0) as due_cents, 0 as in_payouts_cents
                from merchant_lines where occurred_at < ${before} group by merchant_id
                union all
                select merchant_id, 0, 0, sum(amount_cents) from payouts
                where created_at < ${before} and (closed_at is null or closed_at >= ${before})
                group by merchant_id) as parts
          group by merchant_id
          having sum(owed_cents) <> 0 or sum(in_payouts_cents) <> 0) as o
    cross join lateral (
      select merchant_slug, merchant_name from merchant_lines l
      where l.merchant_id = o.merchant_id order by occurred_at desc, position desc limit 1) as n
    order by o.owed_cents + o.in_payouts_cents desc, n.merchant_slug`);
}
