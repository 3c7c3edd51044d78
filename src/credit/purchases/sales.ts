import type { CustomerRange } from '#module';
import { sql, type Tx } from '#platform/database/db.ts';

/** A purchase as its merchant sees it, as agreed. */
export type Sale = {
  customer_id: string;
  hash: string;
  merchant_id: number;
  merchant_slug: string;
  merchant_name: string;
  purchased_at: Date;
  financed_cents: number;
  merchant_fee_ppm: number;
  payout_days: number;
};

const SALE = sql`
  c.customer_id, c.hash, c.merchant_id, c.merchant_slug, c.merchant_name, c.purchased_at, c.financed_cents,
  c.merchant_fee_ppm, c.payout_days`;

export async function findSale(tx: Tx, customerId: string, hash: string): Promise<Sale | undefined> {
  return tx.row(
    sql`select ${SALE} from checkouts c where c.customer_id = ${customerId} and c.hash = ${hash}`,
  );
}

/** For other auditors: every sale to these customers, with its installments. */
export async function listSales(
  tx: Tx,
  { after, upTo }: CustomerRange,
): Promise<Array<Sale & { installment_ids: string[] }>> {
  return tx.rows(sql`
    select ${SALE},
           (select json_agg(i.id) from installments i
            where i.customer_id = c.customer_id and i.checkout_hash = c.hash) as installment_ids
    from checkouts c where c.customer_id > ${after} and c.customer_id <= ${upTo}
    order by c.customer_id, c.hash`);
}

/** Which of these are no purchases. */
export async function listUnknownHashes(tx: Tx, hashes: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ hash: string }>(sql`
    select h.hash from unnest(${hashes}::text[]) as h (hash)
    where not exists (select from checkout_hashes k where k.hash = h.hash)`);
  return rows.map(({ hash }) => hash);
}
