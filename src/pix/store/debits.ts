import type { Day } from '#core/values/day.ts';
import { columns, type RowOf } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { pix_debits } from '../generated/tables.ts';

/**
 * `cycle`: the week of the authorisation, counted from 0. `open`: the debit occupies its week at the PSP. `attempt_on`: the day of the planned
 * or the last attempt. `refusals`: how often the bank refused it. `check_at`: when to read it from the PSP if no callback arrives.
 */
const debits = columns(pix_debits);
export type DebitRow = RowOf<typeof debits>;

type DebitKey = Pick<DebitRow, 'customer_id' | 'charge_id'>;

export function insertDebit(tx: Tx, debit: DebitRow): void {
  tx.queueWrite(insertDebits({ ...debit, customerId: debit.customer_id }));
}

const insertDebits = batchable(
  (rows: ReadonlyArray<DebitRow & { customerId: string }>, customerSql) =>
    sql`insert into pix_debits ${debits.valuesFromJson(rows, customerSql)}`,
);

export const findDebit = (db: Queryable, customerId: string, chargeId: string) =>
  db.row<DebitRow>(
    sql`select * from pix_debits where customer_id = ${customerId} and charge_id = ${chargeId}`,
  );

export async function listCyclesWithOpenDebit(tx: Tx, customerId: string, authorisationId: string) {
  const rows = await tx.rows<Pick<DebitRow, 'cycle'>>(selectOpenCycles({ customerId, authorisationId }));
  return pluck(rows, 'cycle');
}

const selectOpenCycles = batchable(
  (rows: ReadonlyArray<{ customerId: string; authorisationId: string }>, customerSql) => sql`
    select d.customer_id, d.cycle
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'authorisationId')}::text[]) as input (customer_id, authorisation_id)
    join pix_debits d on d.customer_id = ${customerSql} and d.authorisation_id = input.authorisation_id and d.open`,
);

/** Lists the ids of installments with a charge or a debit that can still be paid. */
export async function listInstallmentIdsWithLiveCharge(
  tx: Tx,
  customerId: string,
  checkoutHash: string,
  now: Date,
): Promise<string[]> {
  const rows = await tx.rows<Pick<DebitRow, 'installment_id'>>(
    selectInstallmentsWithLiveCharge({ customerId, checkoutHash, now }),
  );
  return pluck(rows, 'installment_id');
}

const selectInstallmentsWithLiveCharge = batchable(
  (rows: ReadonlyArray<{ customerId: string; checkoutHash: string; now: Date }>, customerSql) => sql`
    select distinct c.customer_id, c.installment_id
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'checkoutHash')}::text[],
                ${pluck(rows, 'now')}::timestamptz[]) as input (customer_id, checkout_hash, now)
    join pix_charges c on c.customer_id = ${customerSql} and c.checkout_hash = input.checkout_hash
      and c.status in ('creating', 'pending') and c.expires_at > input.now`,
);

/** Records that the PSP has created the debit. Returns false if another process has changed its charge. */
export async function markDebitPending(
  tx: Tx,
  { customer_id: customerId, charge_id: chargeId }: DebitKey,
  pendingDebit: { attemptOn: Day; heldUntil: Date; checkAt: Date },
): Promise<boolean> {
  const row = { customerId, chargeId, ...pendingDebit };
  tx.queueWrite(saveAttempts(row));
  return (await tx.rows(markChargesPending(row))).length === 1;
}

type PendingDebit = { customerId: string; chargeId: string; attemptOn: Day; heldUntil: Date; checkAt: Date };

const saveAttempts = batchable(
  (rows: readonly PendingDebit[], customerSql) => sql`
    update pix_debits d set attempt_on = input.attempt_on, check_at = input.check_at
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'chargeId')}::text[],
                ${pluck(rows, 'attemptOn')}::date[], ${pluck(rows, 'checkAt')}::timestamptz[]) as input (customer_id, charge_id, attempt_on, check_at)
    where d.customer_id = ${customerSql} and d.charge_id = input.charge_id`,
);

const markChargesPending = batchable(
  (rows: readonly PendingDebit[], customerSql) => sql`
    update pix_charges c set status = 'pending', held_until = input.held_until
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'chargeId')}::text[],
                ${pluck(rows, 'heldUntil')}::timestamptz[]) as input (customer_id, charge_id, held_until)
    where c.customer_id = ${customerSql} and c.id = input.charge_id and c.status = 'creating'
    returning c.customer_id`,
);

/** Saves the planned or last attempt of a debit, and its refusals. The amount of its charge is valid until `heldUntil`. */
export async function updateDebit(
  tx: Tx,
  { customer_id, charge_id }: DebitKey,
  update: Pick<DebitRow, 'refusals' | 'reason'> & { attemptOn: Day; checkAt: Date | null; heldUntil: Date },
): Promise<void> {
  await tx.run(sql`
    update pix_debits set attempt_on = ${update.attemptOn}, refusals = ${update.refusals}, reason = ${update.reason},
      check_at = ${update.checkAt}
    where customer_id = ${customer_id} and charge_id = ${charge_id}`);
  await tx.run(sql`
    update pix_charges set held_until = ${update.heldUntil}
    where customer_id = ${customer_id} and id = ${charge_id} and held_until is distinct from ${update.heldUntil}`);
}

/** Frees the week of a debit that the PSP does not have, or no longer has. */
export const markDebitClosed = (db: Queryable, { customer_id, charge_id }: DebitKey) =>
  db.run(sql`
    update pix_debits set open = false, check_at = null
    where customer_id = ${customer_id} and charge_id = ${charge_id}`);

/** Cancels the checks of debits that were settled or cancelled meanwhile. */
export const clearObsoleteChecks = (db: Queryable, now: Date) =>
  db.run(sql`
    update pix_debits d set check_at = null from pix_charges c
    where d.check_at <= ${now} and c.customer_id = d.customer_id and c.id = d.charge_id
      and c.status not in ('creating', 'pending')`);

/** Lists debits whose result must be read from the PSP now. */
export const listTxidsToCheck = (db: Queryable, now: Date, limit: number) =>
  db.values<string>(sql`
    select c.txid from pix_debits d join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id
    where d.check_at <= ${now} and c.status = 'pending' order by d.check_at limit ${limit}`);

export const listTxidsToCancelAtPsp = (db: Queryable, limit: number) =>
  db.values<string>(sql`
    select txid from pix_charges
    where status in ('cancelled', 'discarded') and removed_at is null and authorisation_id is not null
    order by created_at limit ${limit}`);

export const findNextCheckTime = async (db: Queryable, after: Date) =>
  (await db.row<{ check_at: Date | null }>(sql`
    select min(d.check_at) as check_at
    from pix_debits d join pix_charges c on c.customer_id = d.customer_id and c.id = d.charge_id
    where d.check_at > ${after} and c.status = 'pending'`))!.check_at;
