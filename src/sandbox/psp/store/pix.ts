import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { readPageWithTotal, type Slice } from './charges.ts';

type RefundStatus = 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';

/** `Instant` is a string if the refund is read as JSON inside a pix. */
export type RefundRow<Instant = Date> = {
  end_to_end_id: string;
  id: string;
  return_id: string;
  amount_cents: number;
  nature: string;
  description: string | null;
  status: RefundStatus;
  requested_at: Instant;
  settled_at: Instant | null;
};

export type PixRow = {
  end_to_end_id: string;
  /** The end-to-end id that callbacks and responses contain instead, if the fault `reused` was active. */
  told_as: string | null; // the end-to-end id that is reported instead of the real one
  txid: string;
  /** Null: the payment of a debit, which has an account instead of a key. */
  key: string | null;
  amount_cents: number;
  paid_at: Date;
  refunds: Array<RefundRow<string>>;
};

export const insertPix = (tx: Tx, pix: Omit<PixRow, 'refunds'>) =>
  tx.run(sql`
    insert into psp_sim_pix (end_to_end_id, told_as, txid, key, amount_cents, paid_at)
    values (${pix.end_to_end_id}, ${pix.told_as}, ${pix.txid}, ${pix.key}, ${pix.amount_cents},
            ${pix.paid_at})`);

/** Returns the end-to-end id of the last payment of any other charge. */
export const findLastEndToEndId = async (tx: Tx, txid: string) =>
  (await tx.value<string>(sql`
    select end_to_end_id from psp_sim_pix where txid <> ${txid} and told_as is null
    order by paid_at desc, end_to_end_id desc limit 1`)) ?? null;

const refundsColumn = sql`
  coalesce((select jsonb_agg(to_jsonb(refund) order by refund.requested_at, refund.id) from psp_sim_refunds refund
            where refund.end_to_end_id = pix.end_to_end_id), '[]') as refunds`;

export const findPix = (db: Queryable, endToEndId: string) =>
  db.row<PixRow>(
    sql`select pix.*, ${refundsColumn} from psp_sim_pix pix where pix.end_to_end_id = ${endToEndId}`,
  );

/** Serialises refunds of one pix, so that their sum never exceeds it. */
export async function lockPix(tx: Tx, endToEndId: string): Promise<PixRow | undefined> {
  const count = await tx.run(sql`select 1 from psp_sim_pix where end_to_end_id = ${endToEndId} for update`);
  return count === 0 ? undefined : findPix(tx, endToEndId);
}

/** Lists payments in the order of their arrival. A charge has several payments only if one was forced. */
export const listPixByTxids = (db: Queryable, txids: string[]) =>
  db.rows<PixRow>(sql`
    select pix.*, ${refundsColumn} from psp_sim_pix pix where pix.txid = any(${txids}) order by pix.paid_at, pix.end_to_end_id`);

type PixFilter = {
  from: Date;
  to: Date;
  txid: string | null;
  hasTxid: boolean | null;
  hasRefund: boolean | null;
};

export const listPix = (db: Queryable, { from, to, txid, hasTxid, hasRefund }: PixFilter, slice: Slice) =>
  readPageWithTotal(slice, ({ offset, limit }) =>
    db.rows<PixRow & { total: number }>(sql`
      select pix.*, ${refundsColumn}, count(*) over () as total from psp_sim_pix pix
      where pix.paid_at between ${from} and ${to}
        and (${txid}::text is null or pix.txid = ${txid})
        and ${hasTxid ?? true}::boolean -- every payment has a txid
        and (${hasRefund}::boolean is null or ${hasRefund} = exists (
          select 1 from psp_sim_refunds refund where refund.end_to_end_id = pix.end_to_end_id))
      order by pix.paid_at, pix.end_to_end_id offset ${offset} limit ${limit}`),
  );

export const insertRefund = (
  tx: Tx,
  refund: RefundRow & {
    /** Counted from now. Null: the refund is settled already, or stays in progress until the fault is removed. */
    settlesAfterMs: number | null;
    outcome: RefundStatus;
  },
) =>
  tx.run(sql`
    insert into psp_sim_refunds (end_to_end_id, id, return_id, amount_cents, nature, description, status,
      requested_at, settled_at, settles_at, outcome)
    values (${refund.end_to_end_id}, ${refund.id}, ${refund.return_id}, ${refund.amount_cents},
      ${refund.nature}, ${refund.description}, ${refund.status}, ${refund.requested_at}, ${refund.settled_at},
      clock_timestamp() + ${refund.settlesAfterMs}::float8 * interval '1 millisecond', ${refund.outcome})`);

export async function hasDueRefunds(db: Queryable): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from psp_sim_refunds where status = 'EM_PROCESSAMENTO' and settles_at <= clock_timestamp() limit 1`);
  return row !== undefined;
}

/** Settles refunds that are due, and returns the end-to-end ids of their payments. */
export const settleDueRefunds = (tx: Tx, now: Date) =>
  tx.values<string>(sql`
    update psp_sim_refunds set status = outcome, settled_at = case when outcome = 'DEVOLVIDO' then ${now}::timestamptz end
    where status = 'EM_PROCESSAMENTO' and settles_at <= clock_timestamp() returning end_to_end_id`);

export const releaseStuckRefunds = (db: Queryable) =>
  db.run(sql`
    update psp_sim_refunds set settles_at = clock_timestamp()
    where status = 'EM_PROCESSAMENTO' and settles_at is null`);
