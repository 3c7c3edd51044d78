import { type Queryable, sql } from '#platform/database/db.ts';
import type { Kind } from './store/movements.ts';

/** Cashback credits and debits between two instants, by kind. */
export async function sumMovements(
  db: Queryable,
  since: Date,
  before: Date,
): Promise<Array<{ kind: Kind; amount_cents: number }>> {
  return db.rows(sql`
    select kind, sum(amount_cents)::bigint as amount_cents from cashback_movements
    where occurred_at >= ${since} and occurred_at < ${before} group by kind`);
}
