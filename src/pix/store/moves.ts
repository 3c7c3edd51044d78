import { column, columns, type RowOf } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { type Queryable, sql } from '#platform/database/db.ts';
import type { ChargeRow } from './charges.ts';
import type { PaymentRow } from './payments.ts';

const moves = columns({
  customer_id: column.text(),
  id: column.text(),
  side: column.text<'from' | 'to'>(),
  end_to_end_id: column.text(),
  charge_id: column.text(),
  installment_id: column.text(),
  checkout_hash: column.text(),
  amount_cents: column.bigint(),
  reason: column.text(),
  moved_at: column.timestamptz(),
  moved_by: column.text(),
});
export type MoveRow = RowOf<typeof moves>;

/** Inserts one side of a move. */
export async function insertMove(tx: CustomerTx, move: MoveRow): Promise<void> {
  await tx.run(sql`insert into pix_moves ${moves.values(move)}`);
}

/** Assigns the payment from one charge to the other. Returns false if it no longer belongs to the first charge. */
export async function reassignPayment(
  tx: CustomerTx,
  endToEndId: string,
  from: Pick<ChargeRow, 'customer_id' | 'id'>,
  to: Pick<ChargeRow, 'customer_id' | 'id'>,
): Promise<boolean> {
  const updatedCount = await tx.run(sql`
    update pix_end_to_end_ids set customer_id = ${to.customer_id}, charge_id = ${to.id}
    where end_to_end_id = ${endToEndId} and customer_id = ${from.customer_id} and charge_id = ${from.id}`);
  return updatedCount === 1;
}

/** Records that the payment belongs to another customer now. */
export async function markPaymentMoved(
  tx: CustomerTx,
  { customer_id, end_to_end_id }: PaymentRow,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update pix_payments set moved_at = ${now}
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id}`);
}

/** Whether this payment belonged to this charge once, and was moved. */
export async function wasMovedFrom(
  db: Queryable,
  { customer_id, id }: Pick<ChargeRow, 'customer_id' | 'id'>,
  endToEndId: string,
): Promise<boolean> {
  const row = await db.row<{ exists: boolean }>(sql`
    select exists (select from pix_moves
                   where customer_id = ${customer_id} and charge_id = ${id} and end_to_end_id = ${endToEndId}
                     and side = 'from')`);
  return row!.exists;
}

/** Lists both sides of all moves of a payment, the earliest first. */
export async function listMoves(db: Queryable, endToEndId: string): Promise<MoveRow[]> {
  return db.rows(sql`
    select ${moves.selectFrom('m')} from pix_moves m where m.end_to_end_id = ${endToEndId} order by m.position`);
}
