import { columns, type RowOf, type TableRow } from '#platform/database/columns.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { batchable, pluck, type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { queryPage } from '#platform/http/list-query.ts';
import { omit } from '#platform/omit.ts';
import { type pix_discrepancies, pix_moves, pix_payments, pix_refunds } from '../generated/tables.ts';
import type { ChargeRow } from './charges.ts';

/** `moved_at`: when the payment was moved to another customer. Null: it belongs to this customer. */
const payments = columns(pix_payments);
export type PaymentRow = RowOf<typeof payments>;

/** The columns that the PSP reports, which do not depend on the charge that the payment is assigned to. */
export type ReportedPayment = Omit<
  PaymentRow,
  'customer_id' | 'charge_id' | 'installment_id' | 'recorded_at' | 'moved_at'
>;

export const findPayment = (db: Queryable, customerId: string, endToEndId: string) =>
  db.row<PaymentRow>(sql`
    select * from pix_payments where customer_id = ${customerId} and end_to_end_id = ${endToEndId}`);

/** Claims a payment for this charge. Returns false if this or another charge has claimed it before. */
export async function claimPayment(
  tx: Tx,
  { customer_id: customerId, id: chargeId }: Pick<ChargeRow, 'customer_id' | 'id'>,
  endToEndId: string,
): Promise<boolean> {
  const newClaim = await tx.row<{ was_orphan: boolean }>(insertClaims({ customerId, chargeId, endToEndId }));
  if (newClaim?.was_orphan) tx.queueWrite(sql`delete from pix_orphans where end_to_end_id = ${endToEndId}`);
  return newClaim !== undefined;
}

/** Inserts claims, and turns the rows of orphans, which have no customer, into claims. Returns no row for a payment that is claimed. */
const insertClaims = batchable(
  (rows: ReadonlyArray<{ customerId: string; chargeId: string; endToEndId: string }>) => sql`
    insert into pix_end_to_end_ids as existing (end_to_end_id, customer_id, charge_id)
    select * from unnest(${pluck(rows, 'endToEndId')}::text[], ${pluck(rows, 'customerId')}::text[],
                         ${pluck(rows, 'chargeId')}::text[]) as input (end_to_end_id, customer_id, charge_id)
    order by input.end_to_end_id
    on conflict (end_to_end_id) do update
      set customer_id = excluded.customer_id, charge_id = excluded.charge_id where existing.customer_id is null
    returning existing.customer_id, xmax <> 0 as was_orphan`, // xmax is 0 if the row is new
);

/**
 * Inserts a claimed payment. Its charge becomes paid, whatever its status was, and its discrepancies are resolved. The amount of
 * the other charges of the installment has changed, so the live ones are cancelled; a charge that clients may have seen as expired
 * stays expired. Returns the number of cancelled charges.
 */
export async function insertPaymentAndCancelCharges(
  tx: Tx,
  payment: PaymentRow,
  { receivedAt, now, isMoved = false }: { receivedAt: Date; now: Date; isMoved?: boolean },
): Promise<number> {
  const row = { ...payment, customerId: payment.customer_id, receivedAt, now };
  tx.queueWrite(isMoved ? upsertMovedPayment(row) : insertPayments(row));
  tx.queueWrite(resolveDiscrepancies(row));
  const closedCharges = await tx.rows<{ status: string }>(closeCharges(row));
  return closedCharges.filter(({ status }) => status === 'cancelled').length;
}

/** `customerId` is the `customer_id` of the payment, by which `batchable` returns results. */
type AppliedPayment = PaymentRow & { customerId: string; receivedAt: Date; now: Date };

const insertPayments = batchable(
  (rows: readonly AppliedPayment[], customerSql) =>
    sql`insert into pix_payments ${payments.valuesFromJson(rows, customerSql)}`,
);

/** Inserts a payment that was moved to this customer. Its row exists already if it belonged to the customer before. */
const upsertMovedPayment = (row: AppliedPayment) => sql`
  insert into pix_payments ${payments.values(row)}
  on conflict (customer_id, end_to_end_id) do update
    set charge_id = excluded.charge_id, installment_id = excluded.installment_id, moved_at = null`;

const resolveDiscrepancies = batchable(
  (rows: readonly AppliedPayment[], customerSql) => sql`
    update pix_discrepancies d set resolved_at = input.now
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'charge_id')}::text[],
                ${pluck(rows, 'now')}::timestamptz[]) as input (customer_id, charge_id, now)
    where d.customer_id = ${customerSql} and d.charge_id = input.charge_id and d.resolved_at is null`,
);

const closeCharges = batchable(
  (rows: readonly AppliedPayment[], customerSql) => sql`
    update pix_charges c set
      status = case when c.id = input.charge_id then 'paid' else 'cancelled' end,
      paid_at = case when c.id = input.charge_id then input.received_at end
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'charge_id')}::text[],
                ${pluck(rows, 'installment_id')}::text[], ${pluck(rows, 'receivedAt')}::timestamptz[],
                ${pluck(rows, 'now')}::timestamptz[]) as input (customer_id, charge_id, installment_id, received_at, now)
    where c.customer_id = ${customerSql} and c.installment_id = input.installment_id
      and ((c.id = input.charge_id and c.status <> 'paid')
           or (c.id <> input.charge_id and c.status in ('creating', 'pending') and c.expires_at > input.now))
    returning c.customer_id, c.status`,
);

/** The customer and the charge that a payment belongs to. Both are null for an orphan. */
export type PaymentOwner = { end_to_end_id: string; customer_id: string | null; charge_id: string | null };

export const listPaymentOwners = (db: Queryable, endToEndIds: string[]) =>
  db.rows<PaymentOwner>(sql`select * from pix_end_to_end_ids where end_to_end_id = any(${endToEndIds})`);

type ChargePayment = { end_to_end_id: string; amount_cents: number; paid_at: Date };

export const listChargePayments = (db: Queryable, customerId: string, chargeId: string) =>
  db.rows<ChargePayment>(sql`
    select end_to_end_id, amount_cents, paid_at from pix_payments
    where customer_id = ${customerId} and charge_id = ${chargeId} and moved_at is null order by paid_at, end_to_end_id`);

const moves = columns(omit(pix_moves, 'position'));
export type MoveRow = RowOf<typeof moves>;

export const insertMove = (tx: CustomerTx, move: MoveRow) =>
  tx.run(sql`insert into pix_moves ${moves.values(move)}`);

/** Assigns the payment to another charge. Returns false if the payment no longer belongs to `fromCharge`. */
export const reassignPayment = async (
  tx: CustomerTx,
  endToEndId: string,
  fromCharge: Pick<ChargeRow, 'customer_id' | 'id'>,
  toCharge: Pick<ChargeRow, 'customer_id' | 'id'>,
) =>
  (await tx.run(sql`
    update pix_end_to_end_ids set customer_id = ${toCharge.customer_id}, charge_id = ${toCharge.id}
    where end_to_end_id = ${endToEndId} and customer_id = ${fromCharge.customer_id} and charge_id = ${fromCharge.id}`)) ===
  1;

export const markMovedToOtherCustomer = (
  tx: CustomerTx,
  { customer_id, end_to_end_id }: PaymentRow,
  now: Date,
) =>
  tx.run(sql`
    update pix_payments set moved_at = ${now}
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id}`);

export const wasMovedFrom = async (
  db: Queryable,
  { customer_id, id }: Pick<ChargeRow, 'customer_id' | 'id'>,
  endToEndId: string,
) =>
  (await db.value<boolean>(sql`
    select exists (select from pix_moves
                   where customer_id = ${customer_id} and charge_id = ${id} and end_to_end_id = ${endToEndId}
                     and side = 'from')`))!;

export const listMoves = (db: Queryable, endToEndId: string) =>
  db.rows<MoveRow>(sql`
    select ${moves.selectFrom('m')} from pix_moves m where m.end_to_end_id = ${endToEndId} order by m.position`);

/**
 * `asked`: stored, and not at the PSP. `credited`: the amount became cashback. `overtaken`: the refund is no longer needed, or a later one
 * includes its amount.
 */
export const REFUND_STATUSES = [
  'asked',
  'processing',
  'returned',
  'failed',
  'given_up',
  'credited',
  'overtaken',
] as const;

/**
 * `part`: the number of the payment part that it refunds; chargebacks, returns and moves split a payment into parts. `forced`: a chargeback,
 * or a refund by hand at the PSP. `stranded_cents`: the given up amount that is still owed to the payer.
 */
const refunds = columns(pix_refunds);
export type RefundRow = RowOf<typeof refunds>;
export type RefundStatus = RefundRow['status'];

/** Whether the PSP may still carry out the refund of a payment or of an orphan. */
export const isRefundOpen = ({ status }: { status: string }): boolean =>
  status === 'asked' || status === 'processing';

export type RefundKey = Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'id'>;

export async function upsertRefunds(
  tx: Tx,
  customerId: string,
  newAndChangedRefunds: ReadonlyArray<Omit<RefundRow, 'customer_id'>>,
): Promise<void> {
  if (newAndChangedRefunds.length === 0) return;
  const rows = newAndChangedRefunds.map((refund) => ({ ...refund, customer_id: customerId }));
  await tx.run(sql`
    insert into pix_refunds ${refunds.valuesFromJson(rows, sql`${customerId}`)}
    on conflict (customer_id, end_to_end_id, id) do update set
      part = excluded.part, status = excluded.status, reason = excluded.reason,
      stranded_cents = excluded.stranded_cents, settled_at = excluded.settled_at`);
}

export const findRefund = (db: Queryable, { customer_id, end_to_end_id, id }: RefundKey) =>
  db.row<RefundRow>(sql`
    select * from pix_refunds
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and id = ${id}`);

export const listRefunds = (db: Queryable, customerId: string, endToEndId: string) =>
  db.rows<RefundRow>(sql`
    select * from pix_refunds where customer_id = ${customerId} and end_to_end_id = ${endToEndId}
    order by created_at, id`);

export type ChargeRefund = {
  amount_cents: number;
  status: Exclude<RefundStatus, 'failed' | 'overtaken'>;
};

/** Lists the refunds of a charge's payments that we requested, as the customer sees them: without refunds that were replaced. */
export const listChargeRefunds = (db: Queryable, customerId: string, chargeId: string) =>
  db.rows<ChargeRefund>(sql`
    select r.amount_cents, r.status
    from pix_payments p join pix_refunds r on r.customer_id = p.customer_id and r.end_to_end_id = p.end_to_end_id
    where p.customer_id = ${customerId} and p.charge_id = ${chargeId} and not r.forced
      and r.status not in ('failed', 'overtaken')
    order by r.created_at, r.id`);

/** Locks all refunds of a payment. Until the transaction ends, none of them is sent to the PSP. */
export const lockRefunds = (tx: CustomerTx, customerId: string, endToEndId: string) =>
  tx.rows<RefundRow>(sql`
    select * from pix_refunds where customer_id = ${customerId} and end_to_end_id = ${endToEndId}
    order by created_at, id for no key update`);

/** Changes the status before or after a call to the PSP, without a lock. Returns false if the status is not the expected one. */
export const updateRefundStatus = async (
  db: Queryable,
  { customer_id, end_to_end_id, id }: RefundKey,
  { from, to }: Record<'from' | 'to', 'asked' | 'processing'>,
) =>
  (await db.run(sql`
    update pix_refunds set status = ${to}
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and id = ${id} and status = ${from}`)) ===
  1;

export const listOpenRefunds = (db: Queryable, dueBefore: Date, limit: number) =>
  db.rows<RefundKey>(sql`
    select customer_id, end_to_end_id, id from pix_refunds
    where status in ('asked', 'processing') and due_at < ${dueBefore} order by due_at limit ${limit}`);

/** Lists the refunds of these payments that are no longer in progress. */
export const listEndedRefunds = (db: Queryable, customerIds: string[], endToEndIds: string[]) =>
  db.rows<Pick<RefundRow, 'end_to_end_id' | 'id'>>(sql`
    select end_to_end_id, id from pix_refunds
    where customer_id = any(${customerIds}) and end_to_end_id = any(${endToEndIds})
      and status not in ('asked', 'processing')`);

export const findRefundKey = (tx: Queryable, id: string) =>
  tx.row<RefundKey>(sql`
    select customer_id, end_to_end_id, id from pix_refunds where id = ${id} and not forced`);

/** Reduces the given up amount of a payment part to `strandedCents`: the difference was applied to a debt or returned another way. */
export const reduceStranded = (
  tx: Tx,
  { customer_id, end_to_end_id, part }: Pick<RefundRow, 'customer_id' | 'end_to_end_id' | 'part'>,
  strandedCents: number,
) =>
  tx.run(sql`
    update pix_refunds set stranded_cents = least(stranded_cents, ${strandedCents}),
                           status = case when ${strandedCents} = 0 then 'overtaken' else status end
    where customer_id = ${customer_id} and end_to_end_id = ${end_to_end_id} and part = ${part}
      and status = 'given_up'`);

export const countGivenUpRefunds = async (db: Queryable) =>
  (await db.value<number>(sql`select count(*) from pix_refunds where status = 'given_up'`))!;

type DiscrepancyRow = TableRow<typeof pix_discrepancies>;
export type DiscrepancyKind = DiscrepancyRow['kind'];

/**
 * Inserts a discrepancy, or schedules the next check of a known one, and reopens it. Returns whether the discrepancy is new. The checks
 * have exponential backoff: the next one is after as long as the discrepancy is known, at least a minute and at most a day. The time is
 * computed in UTC, because Citus only accepts expressions that do not depend on settings.
 */
export const upsertDiscrepancy = async (
  db: Queryable,
  discrepancy: Omit<DiscrepancyRow, 'recheck_at' | 'resolved_at'>,
) =>
  (await db.value<boolean>(sql`
    insert into pix_discrepancies as existing
      (customer_id, charge_id, kind, end_to_end_id, txid, value_cents, found_at, recheck_at)
    values (${discrepancy.customer_id}, ${discrepancy.charge_id}, ${discrepancy.kind}, ${discrepancy.end_to_end_id}, ${discrepancy.txid},
            ${discrepancy.value_cents}, ${discrepancy.found_at}, ${discrepancy.found_at}::timestamptz + interval '1 minute')
    on conflict (customer_id, charge_id, kind, end_to_end_id) do update
      set resolved_at = null,
          recheck_at = (
            excluded.found_at at time zone 'UTC'
            + least(interval '1 day', greatest(interval '1 minute', excluded.found_at - existing.found_at))
          ) at time zone 'UTC'
    returning xmax = 0 as is_new`))!; // xmax is 0 if the row was inserted

export function listDiscrepancies(db: Queryable, page: { offset: number; limit: number }) {
  const statement = sql`select * from pix_discrepancies where resolved_at is null`;
  return queryPage<DiscrepancyRow>(db, { statement, orderBy: sql`found_at desc, charge_id` }, page);
}

export const listTxidsToRecheck = (db: Queryable, now: Date, limit: number) =>
  db.values<string>(sql`
    select txid from pix_discrepancies where resolved_at is null and recheck_at <= ${now}
    order by recheck_at limit ${limit}`);

export const findLastSweepTime = (db: Queryable) => db.value<Date>(sql`select swept_to from pix_sweep`);

export const saveLastSweepTime = (db: Queryable, sweepTime: Date) =>
  db.run(sql`
    insert into pix_sweep (swept_to) values (${sweepTime})
    on conflict (only_row) do update set swept_to = excluded.swept_to`);
