import type { Day } from '#core/day.ts';
import { type Queryable, sql } from '#platform/database/db.ts';

/** Money refunded to payers between two instants, by day in São Paulo: by us, by hand, or by chargebacks. */
export async function sumRefunded(
  db: Queryable,
  since: Date,
  before: Date,
): Promise<Array<{ day: Day; refunded_cents: number }>> {
  return db.rows(sql`
    select (settled_at at time zone 'America/Sao_Paulo')::date as day, sum(amount_cents)::bigint as refunded_cents
    from pix_refunds where settled_at >= ${since} and settled_at < ${before} group by 1`);
}

type ChargeSum = {
  type: string;
  made: number;
  paid: number;
  made_cents: number;
  paid_cents: number;
  /** Median seconds from code to payment. */
  median_seconds: number | null;
};

/** Codes made between two instants, and what was paid of them until then. */
export async function sumCharges(db: Queryable, since: Date, before: Date): Promise<ChargeSum[]> {
  return db.rows(sql`
    select type, count(*) as made, count(*) filter (where paid_at < ${before}) as paid,
           sum(value_cents)::bigint as made_cents,
           coalesce(sum(value_cents) filter (where paid_at < ${before}), 0)::bigint as paid_cents,
           (percentile_cont(0.5) within group (order by extract(epoch from paid_at - created_at))
              filter (where paid_at < ${before}))::float8 as median_seconds
    from pix_charges
    where created_at >= ${since} and created_at < ${before} and br_code is not null group by type order by type`);
}
