import type { CustomerRange } from '#module';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';

/** The agreed facts of a purchase that concern its merchant. */
const saleColumns = columns({
  customer_id: column.text(),
  hash: column.text(),
  merchant_id: column.bigint(),
  merchant_slug: column.text(),
  merchant_name: column.text(),
  purchased_at: column.timestamptz(),
  financed_cents: column.bigint(),
  merchant_fee_ppm: column.integer(),
  payout_days: column.smallint(),
});
export type Sale = RowOf<typeof saleColumns>;

export async function findSale(tx: Tx, customerId: string, hash: string): Promise<Sale | undefined> {
  return tx.row(
    sql`select ${saleColumns.selectFrom('c')} from checkouts c where c.customer_id = ${customerId} and c.hash = ${hash}`,
  );
}

type DaySales = { day: string; sales: number; sold_cents: number };
export type Period = { readonly since: Date; readonly before: Date };

/** Sums a merchant's sales by day, in order. Leaves out days without sales. */
export async function sumSalesByDay(db: Queryable, merchantId: number, { since, before }: Period) {
  return db.rows<DaySales>(sql`
    select (purchased_at at time zone 'America/Sao_Paulo')::date as day, count(*) as sales,
           sum(financed_cents)::bigint as sold_cents
    from checkouts
    where merchant_id = ${merchantId} and purchased_at >= ${since} and purchased_at < ${before}
    group by 1 order by 1`);
}

/** For auditors of other modules: all sales to these customers, with the ids of their installments. */
export async function listSalesInRange(tx: Tx, { after, upTo }: CustomerRange) {
  return tx.rows<Sale & { installment_ids: string[] }>(sql`
    select ${saleColumns.selectFrom('c')},
           (select json_agg(i.id) from installments i
            where i.customer_id = c.customer_id and i.checkout_hash = c.hash) as installment_ids
    from checkouts c where c.customer_id > ${after} and c.customer_id <= ${upTo}
    order by c.customer_id, c.hash`);
}

/** Returns the hashes that belong to no purchase. */
export async function listUnknownHashes(tx: Tx, hashes: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ hash: string }>(sql`
    select h.hash from unnest(${hashes}::text[]) as h (hash)
    where not exists (select from checkout_hashes k where k.hash = h.hash)`);
  return rows.map(({ hash }) => hash);
}
