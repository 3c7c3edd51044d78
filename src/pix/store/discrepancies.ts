import type { TableRow } from '#platform/database/columns.ts';
import { type Queryable, sql } from '#platform/database/db.ts';
import { queryPage } from '#platform/http/list-query.ts';
import type { pix_discrepancies } from '../generated/tables.ts';

type DiscrepancyRow = TableRow<typeof pix_discrepancies>;
export type DiscrepancyKind = DiscrepancyRow['kind'];

/**
 * Returns whether the discrepancy is new. A known one is rechecked with exponential backoff: after as long as it has been open,
 * at least a minute and at most a day. The time is computed in UTC, because Citus only accepts expressions that do not depend on
 * settings.
 */
export const upsertDiscrepancy = async (
  db: Queryable,
  discrepancy: Omit<DiscrepancyRow, 'recheck_at' | 'resolved_at'>,
) =>
  (await db.value<boolean>(sql`
    insert into pix_discrepancies as known
      (customer_id, charge_id, kind, end_to_end_id, txid, value_cents, found_at, recheck_at)
    values (${discrepancy.customer_id}, ${discrepancy.charge_id}, ${discrepancy.kind}, ${discrepancy.end_to_end_id}, ${discrepancy.txid},
            ${discrepancy.value_cents}, ${discrepancy.found_at}, ${discrepancy.found_at}::timestamptz + interval '1 minute')
    on conflict (customer_id, charge_id, kind, end_to_end_id) do update
      set resolved_at = null,
          recheck_at = (
            excluded.found_at at time zone 'UTC'
            + least(interval '1 day', greatest(interval '1 minute', excluded.found_at - known.found_at))
          ) at time zone 'UTC'
    returning xmax = 0 as is_new`))!;

export function listDiscrepancies(db: Queryable, page: { offset: number; limit: number }) {
  const statement = sql`select * from pix_discrepancies where resolved_at is null`;
  return queryPage<DiscrepancyRow>(db, { statement, orderBy: sql`found_at desc, charge_id` }, page);
}

export const listTxidsToRecheck = (db: Queryable, now: Date, limit: number) =>
  db.values<string>(sql`
    select txid from pix_discrepancies where resolved_at is null and recheck_at <= ${now}
    order by recheck_at limit ${limit}`);
