import { sql, type Tx } from '#platform/database/db.ts';
import type { LineRow, PayoutRow } from './store.ts';

export type AuditedLine = {
  merchant_id: number;
  id: string;
  kind: LineRow['kind'];
  amount_cents: number;
  due_on: string;
  checkout_hash: string;
};

/** Lists the statement lines of these sales. */
export const listSaleLines = (tx: Tx, hashes: readonly string[]) =>
  tx.rows<AuditedLine>(sql`
    select merchant_id, id, kind, amount_cents, due_on, checkout_hash from merchant_lines
    where checkout_hash = any(${hashes})`);

/** Lists the hashes of sales that have lines, in order, after the hash `after`. */
export const listHashesWithLines = (tx: Tx, after: string, limit: number) =>
  tx.values<string>(sql`
    select distinct checkout_hash from merchant_lines where checkout_hash > ${after}
    order by checkout_hash limit ${limit}`);

export type AuditedPayout = {
  id: string;
  merchant_id: number;
  amount_cents: number;
  due_on: string;
  status: PayoutRow['status'];
  /** The sum of the lines that the payout settles, without its own line; the next field is their latest due day. */
  settled_cents: number;
  settled_due_on: string | null;
  /** Count of settled lines that belong to other merchants. */
  other_merchant_lines: number;
  payout_line_cents: number | null;
  failed_cents: number | null;
};

export const listAuditedPayouts = (tx: Tx, after: string, limit: number) =>
  tx.rows<AuditedPayout>(sql`
    select p.id, p.merchant_id, p.amount_cents, p.due_on, p.status, coalesce(s.settled_cents, 0)::bigint as settled_cents,
           s.settled_due_on, coalesce(s.other_merchant_lines, 0) as other_merchant_lines,
           (select amount_cents from merchant_lines where of_payout_id = p.id and kind = 'payout') as payout_line_cents,
           (select amount_cents from merchant_lines where of_payout_id = p.id and kind = 'payout_failed') as failed_cents
    from (select * from payouts where id > ${after} order by id limit ${limit}) as p
    left join lateral (
      select sum(l.amount_cents) as settled_cents, max(l.due_on) as settled_due_on,
             count(*) filter (where l.merchant_id <> p.merchant_id) as other_merchant_lines
      from merchant_lines l where l.payout_id = p.id and l.kind <> 'payout') as s on true
    order by p.id`);

/** Sums the fees and the paid payouts in each merchant's lines. */
export const sumMerchantLines = (tx: Tx) =>
  tx.rows<{ merchant_id: number; fee_cents: number; paid_cents: number }>(sql`
    select l.merchant_id,
           coalesce(sum(l.amount_cents) filter (where l.kind in ('fee', 'return_fee')), 0)::bigint as fee_cents,
           coalesce(sum(-l.amount_cents) filter (where l.kind = 'payout' and p.status = 'paid'), 0)::bigint as paid_cents
    from merchant_lines l left join payouts p on p.id = l.of_payout_id
    group by l.merchant_id order by l.merchant_id`);
