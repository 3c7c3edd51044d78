import { type Day, endOfDay, startOfDay } from '#core/values/day.ts';
import { type Queryable, sql } from '#platform/database/db.ts';

type PaidLine = {
  received_at: Date;
  merchant_name: string;
  number: number;
  installments_total: number;
  source: string;
  paid_cents: number;
  charges_cents: number;
};

/** Payments of a customer in a year that were not reversed, the earliest first. */
export async function listPaidInYear(db: Queryable, customerId: string, year: number): Promise<PaidLine[]> {
  const from = new Date(startOfDay(`${year}-01-01` as Day));
  const to = new Date(endOfDay(`${year}-12-31` as Day));
  return db.rows(sql`
    select r.received_at, c.merchant_name, i.number, c.installments_total, r.source,
           r.principal_cents + r.elsewhere_principal_cents as paid_cents,
           r.interest_cents + r.fine_cents + r.fee_cents + r.elsewhere_cents - r.elsewhere_principal_cents as charges_cents
    from receipts r
    join installments i on i.customer_id = ${customerId} and i.id = r.installment_id
    join checkouts c on c.customer_id = ${customerId} and c.hash = r.checkout_hash
    where r.customer_id = ${customerId} and r.outcome <> 'nothing' and r.reversed_at is null
      and r.received_at >= ${from} and r.received_at < ${to}
    order by r.received_at, r.position`);
}

type OwedLine = {
  hash: string;
  merchant_name: string;
  purchased_at: Date;
  total_cents: number;
  outstanding_cents: number;
};

/** Purchases that a customer made until the end of a year, with the amounts outstanding now. */
export async function listPurchasesUntilYear(
  db: Queryable,
  customerId: string,
  year: number,
): Promise<OwedLine[]> {
  const to = new Date(endOfDay(`${year}-12-31` as Day));
  return db.rows(sql`
    select hash, merchant_name, purchased_at, total_cents, outstanding_cents from checkouts
    where customer_id = ${customerId} and purchased_at < ${to} order by purchased_at, hash`);
}
