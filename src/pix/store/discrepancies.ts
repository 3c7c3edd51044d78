import { type Queryable, sql } from '#platform/database/db.ts';
import { readPage } from '#platform/http/listing.ts';

export type DiscrepancyKind = 'paid_without_payment' | 'end_to_end_id_reused' | 'unreadable_payment';

type DiscrepancyRow = {
  customer_id: string;
  charge_id: string;
  kind: DiscrepancyKind;
  end_to_end_id: string;
  txid: string;
  value_cents: number;
  found_at: Date;
};

/**
 * Returns whether it is new. A known one is rechecked with exponential backoff: after as long again as it has been open, between
 * a minute and a day. Computed in UTC, so that it depends on no setting: Citus accepts nothing else here.
 */
export async function upsertDiscrepancy(db: Queryable, found: DiscrepancyRow): Promise<boolean> {
  const row = await db.row<{ is_new: boolean }>(sql`
    insert into pix_discrepancies as known
      (customer_id, charge_id, kind, end_to_end_id, txid, value_cents, found_at, recheck_at)
    values (${found.customer_id}, ${found.charge_id}, ${found.kind}, ${found.end_to_end_id}, ${found.txid},
            ${found.value_cents}, ${found.found_at}, ${found.found_at}::timestamptz + interval '1 minute')
    on conflict (customer_id, charge_id, kind, end_to_end_id) do update
      set resolved_at = null,
          recheck_at = (
            excluded.found_at at time zone 'UTC'
            + least(interval '1 day', greatest(interval '1 minute', excluded.found_at - known.found_at))
          ) at time zone 'UTC'
    returning xmax = 0 as is_new`);
  return row!.is_new;
}

/** Those that are open, newest first. */
export function listDiscrepancies(db: Queryable, at: { offset: number; limit: number }) {
  const found = sql`select * from pix_discrepancies where resolved_at is null`;
  return readPage<DiscrepancyRow>(db, { found, order: sql`found_at desc, charge_id` }, at);
}

/** The txids of the charges to recheck at the PSP. */
export async function listTxidsToRecheck(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const rows = await db.rows<{ txid: string }>(sql`
    select txid from pix_discrepancies where resolved_at is null and recheck_at <= ${now}
    order by recheck_at limit ${limit}`);
  return rows.map(({ txid }) => txid);
}
