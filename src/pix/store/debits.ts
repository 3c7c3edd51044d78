import type { Day } from '#core/day.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';

const debits = columns({
  customer_id: column.text(),
  charge_id: column.text(),
  authorisation_id: column.text(),
  checkout_hash: column.text(),
  installment_id: column.text(),
  cycle: column.integer(),
  due_on: column.date(),
  attempt_on: column.date(),
  refusals: column.integer(),
  reason: column.text().nullable(),
  open: column.boolean(),
  check_at: column.timestamptz().nullable(),
});
export type DebitRow = RowOf<typeof debits>;

type DebitKey = Pick<DebitRow, 'customer_id' | 'charge_id'>;

export async function insertDebit(tx: Tx, debit: DebitRow): Promise<void> {
  await tx.run(sql`insert into pix_debits ${debits.values(debit)}`);
}

export const findDebit = (db: Queryable, customerId: string, chargeId: string) =>
  db.row<DebitRow>(
    sql`select * from pix_debits where customer_id = ${customerId} and charge_id = ${chargeId}`,
  );

/** The weeks of an authorisation that have a debit. */
export async function listTakenCycles(
  db: Queryable,
  customerId: string,
  authorisationId: string,
): Promise<number[]> {
  const rows = await db.rows<{ cycle: number }>(sql`
    select cycle from pix_debits
    where customer_id = ${customerId} and authorisation_id = ${authorisationId} and open`);
  return rows.map(({ cycle }) => cycle);
}

/** Installments of a purchase with a code that can be paid. */
export async function listCodedInstallments(
  db: Queryable,
  customerId: string,
  checkoutHash: string,
  now: Date,
): Promise<string[]> {
  const rows = await db.rows<{ installment_id: string }>(sql`
    select distinct installment_id from pix_charges
    where customer_id = ${customerId} and checkout_hash = ${checkoutHash} and status in ('creating', 'pending')
      and expires_at > ${now}`);
  return rows.map(({ installment_id }) => installment_id);
}

/** The PSP has it. False when another process has decided. */
export async function markDebitPending(
  tx: Tx,
  { customer_id, charge_id }: DebitKey,
  { attemptOn, heldUntil, checkAt }: { attemptOn: Day; heldUntil: Date; checkAt: Date },
): Promise<boolean> {
  await tx.run(sql`
    update pix_debits set attempt_on = ${attemptOn}, check_at = ${checkAt}
    where customer_id = ${customer_id} and charge_id = ${charge_id}`);
  const touched = await tx.run(sql`
    update pix_charges set status = 'pending', held_until = ${heldUntil}
    where customer_id = ${customer_id} and id = ${charge_id} and status = 'creating'`);
  return touched === 1;
}

/** What the PSP says of its attempts. */
export async function updateDebit(
  tx: Tx,
  { customer_id, charge_id }: DebitKey,
  known: Pick<DebitRow, 'refusals' | 'reason' | 'check_at'> & { attemptOn: Day; heldUntil: Date },
): Promise<void> {
  await tx.run(sql`
    update pix_debits set attempt_on = ${known.attemptOn}, refusals = ${known.refusals}, reason = ${known.reason},
      check_at = ${known.check_at}
    where customer_id = ${customer_id} and charge_id = ${charge_id}`);
  await tx.run(sql`
    update pix_charges set held_until = ${known.heldUntil}
    where customer_id = ${customer_id} and id = ${charge_id} and held_until is distinct from ${known.heldUntil}`);
}

/** The PSP does not have it, or no longer: its week is free again. */
export async function markClosed(db: Queryable, { customer_id, charge_id }: DebitKey): Promise<void> {
  await db.run(sql`
    update pix_debits set open = false, check_at = null
    where customer_id = ${customer_id} and charge_id = ${charge_id}`);
}

/** The txids of debits about which the PSP is to be asked by now. */
export async function listDebitsToCheck(db: Queryable, now: Date, limit: number): Promise<string[]> {
  // Debits that were settled or withdrawn meanwhile need no check.
  await db.run(sql`
    update pix_debits d set check_at = null from pix_charges c
    where d.check_at <= ${now} and c.customer_id = d.customer_id and c.id = d.charge_id
      and c.status not in ('creating', 'pending')`);
  const rows = await db.rows<{ txid: string }>(sql`
    select c.txid from pix_debits d join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id
    where d.check_at <= ${now} and c.status = 'pending' order by d.check_at limit ${limit}`);
  return rows.map(({ txid }) => txid);
}

/** The txids of debits that were withdrawn here, and may still be made. */
export async function listDebitsToWithdraw(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.rows<{ txid: string }>(sql`
    select txid from pix_charges
    where status in ('cancelled', 'discarded') and removed_at is null and authorisation_id is not null
    order by created_at limit ${limit}`);
  return rows.map(({ txid }) => txid);
}

/** When a debit is to be looked at, after this instant. */
export async function findNextCheck(db: Queryable, after: Date): Promise<Date | null> {
  const row = await db.row<{ at: Date | null }>(sql`
    select min(d.check_at) as at from pix_debits d join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id
    where d.check_at > ${after} and c.status = 'pending'`);
  return row?.at ?? null;
}
