import type { Day } from '#core/values/day.ts';
import { type Queryable, sql } from '#platform/database/db.ts';

/** Sums refunds between two instants, by day in São Paulo: our refunds, refunds by hand, and chargebacks. */
export const sumRefunded = (db: Queryable, periodStart: Date, periodEnd: Date) =>
  db.rows<{ day: Day; refunded_cents: number }>(sql`
    select (settled_at at time zone 'America/Sao_Paulo')::date as day, sum(amount_cents)::bigint as refunded_cents
    from pix_refunds where settled_at >= ${periodStart} and settled_at < ${periodEnd} group by day`);

/** `made`: the number of charges that were created. `median_seconds`: from the creation of a charge to its payment. */
type ChargeSum = {
  type: string;
  made: number;
  paid: number;
  made_cents: number;
  paid_cents: number;
  median_seconds: number | null;
};

/** Sums the charges created between two instants: all of them, and the charges that were paid before the second instant. */
export const sumCharges = (db: Queryable, periodStart: Date, periodEnd: Date) =>
  db.rows<ChargeSum>(sql`
    select type, count(*) as made, count(*) filter (where paid_at < ${periodEnd}) as paid,
           sum(value_cents)::bigint as made_cents,
           coalesce(sum(value_cents) filter (where paid_at < ${periodEnd}), 0)::bigint as paid_cents,
           (percentile_cont(0.5) within group (order by extract(epoch from paid_at - created_at))
              filter (where paid_at < ${periodEnd}))::float8 as median_seconds
    from pix_charges
    where created_at >= ${periodStart} and created_at < ${periodEnd} and br_code is not null group by type order by type`);

export const countActiveAuthorisations = async (db: Queryable, instant: Date) =>
  (await db.value<number>(sql`
    select count(*) as count from pix_authorisations where activated_at < ${instant} and (ended_at is null or ended_at >= ${instant})`))!;

/** Counts the attempts (refusals and payments) and the paid attempts of the debits due in these days, by the number of the attempt (`try`). */
export const sumDebitAttempts = (db: Queryable, from: Day, to: Day) =>
  db.rows<{ try: number; tried: number; paid: number; paid_cents: number }>(sql`
    select t.try, count(*) as tried, count(*) filter (where c.status = 'paid' and d.refusals = t.try - 1) as paid,
           coalesce(sum(c.value_cents) filter (where c.status = 'paid' and d.refusals = t.try - 1), 0)::bigint as paid_cents
    from pix_debits d join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id
      cross join lateral generate_series(1, d.refusals + case when c.status = 'paid' then 1 else 0 end) as t (try)
    where d.due_on >= ${from} and d.due_on <= ${to} group by t.try order by t.try`);

/** Counts the refused debits due in these days, by the bank's last reason. */
export const sumDebitRefusals = (db: Queryable, from: Day, to: Day) =>
  db.rows<{ code: string; debits: number; failed: number }>(sql`
    select d.reason as code, count(*) as debits, count(*) filter (where c.status = 'expired') as failed
    from pix_debits d join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id
    where d.due_on >= ${from} and d.due_on <= ${to} and d.reason is not null group by d.reason order by debits desc, code`);
