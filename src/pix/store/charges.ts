import type { ChargeType } from '#core/finance/charge.ts';
import { columns, type RowOf } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { pix_charges } from '../generated/tables.ts';

/**
 * `assigned_end_to_end_id`: the payment that a staff user assigned to the installment by this charge. The PSP does not know such a charge.
 * `removed_at`: when the PSP removed the charge, so that it can no longer be paid. `authorisation_id`: set for a debit, which has no code.
 * `held_until`: the amount is valid until then; if it is null, until the charge expires.
 */
const chargeColumns = columns(pix_charges);
export type ChargeRow = RowOf<typeof chargeColumns>;
type ChargeStatus = ChargeRow['status'];

const CREATING_DEFAULTS = {
  status: 'creating',
  br_code: null,
  location: null,
  paid_at: null,
  removed_at: null,
  assigned_end_to_end_id: null,
  authorisation_id: null,
  held_until: null,
} as const;
type NewCharge = Omit<ChargeRow, keyof typeof CREATING_DEFAULTS> & Partial<ChargeRow>;

/** PSPs may change the case of a txid, so txids are compared in lower case. */
export const normaliseTxid = (txid: string): string => txid.toLowerCase();

/** Queues the inserts of a charge and its txid. Returns the charge. */
export function queueCharge(tx: Tx, values: NewCharge): ChargeRow {
  const charge = { ...CREATING_DEFAULTS, ...values };
  const row = { ...charge, customerId: charge.customer_id };
  tx.queueWrite(insertTxids(row));
  tx.queueWrite(insertCharges(row));
  return charge;
}

/** `customerId` is the `customer_id` of the charge, by which `batchable` returns results. */
type InsertedCharge = ChargeRow & { customerId: string };

const insertTxids = batchable(
  (rows: readonly InsertedCharge[]) => sql`
    insert into pix_txids (txid, customer_id, charge_id)
    select * from unnest(${rows.map(({ txid }) => normaliseTxid(txid))}::text[],
                         ${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[])`,
);

const insertCharges = batchable(
  (rows: readonly InsertedCharge[], customerSql) =>
    sql`insert into pix_charges ${chargeColumns.valuesFromJson(rows, customerSql)}`,
);

/** Finds a charge without its customer, as operators search for it. */
export async function findChargeByIdOrTxid(db: Queryable, idOrTxid: string): Promise<ChargeRow | undefined> {
  const key = await db.row<{ customer_id: string; charge_id: string }>(
    idOrTxid.startsWith('pix_')
      ? sql`select customer_id, charge_id from pix_txids where charge_id = ${idOrTxid}`
      : sql`select customer_id, charge_id from pix_txids where txid = ${normaliseTxid(idOrTxid)}`,
  );
  return key && findCharge(db, key.customer_id, key.charge_id);
}

/**
 * Returns the charges of this type that can still be paid, newest first; the number of charges created for the installment since
 * `countedFrom`; and the planned debit of the installment.
 */
export async function findLiveCharges(tx: Tx, search: ChargeSearch) {
  const { type, now, countedFrom } = search;
  const rows = await tx.rows<ChargeRow>(selectLiveAndRecentCharges(search));
  const debit = rows.find(
    ({ authorisation_id, status }) => authorisation_id !== null && LIVE_STATUSES.has(status),
  );
  const charges = rows.filter(({ authorisation_id }) => authorisation_id === null);
  const isLive = (charge: ChargeRow) =>
    charge.type === type && LIVE_STATUSES.has(charge.status) && charge.expires_at > now;
  const isCounted = (charge: ChargeRow) =>
    charge.created_at >= countedFrom &&
    charge.status !== 'discarded' &&
    charge.assigned_end_to_end_id === null;
  return { liveCharges: charges.filter(isLive), createdCount: charges.filter(isCounted).length, debit };
}

const LIVE_STATUSES: ReadonlySet<ChargeStatus> = new Set(['creating', 'pending']);

type ChargeSearch = {
  customerId: string;
  installmentId: string;
  type: ChargeType;
  now: Date;
  countedFrom: Date;
};

const selectLiveAndRecentCharges = batchable(
  (rows: readonly ChargeSearch[], customerSql) => sql`
    select c.*
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'installmentId')}::text[],
                ${pluck(rows, 'type')}::text[], ${pluck(rows, 'now')}::timestamptz[],
                ${pluck(rows, 'countedFrom')}::timestamptz[]) as input (customer_id, installment_id, type, now, counted_from)
    join pix_charges c on c.customer_id = ${customerSql} and c.installment_id = input.installment_id
    where c.created_at >= input.counted_from
      or ((c.type = input.type or c.authorisation_id is not null)
          and c.status in ('creating', 'pending') and c.expires_at > input.now)
    order by c.created_at desc, c.id desc`,
);

export const findCharge = (db: Queryable, customerId: string, id: string) =>
  db.row<ChargeRow>(sql`select * from pix_charges where customer_id = ${customerId} and id = ${id}`);

/** A charge that customers see: one with a code. `received_cents` is the sum of its payments. */
export type VisibleCharge = ChargeRow & { received_cents: number };

const selectVisibleCharges = (customerId: string) => sql`
  select c.*, (select coalesce(sum(p.amount_cents), 0)::bigint from pix_payments p
               where p.customer_id = ${customerId} and p.charge_id = c.id and p.moved_at is null) as received_cents
  from pix_charges c
  where c.customer_id = ${customerId} and c.br_code is not null`;

export const findVisibleCharge = (db: Queryable, customerId: string, id: string) =>
  db.row<VisibleCharge>(sql`${selectVisibleCharges(customerId)} and c.id = ${id}`);

export async function listChargesByTxid(db: Queryable, txids: readonly string[]): Promise<ChargeRow[]> {
  const keys = await db.rows<{ customer_id: string; charge_id: string }>(sql`
    select customer_id, charge_id from pix_txids where txid = any(${txids.map(normaliseTxid)})`);
  return db.rows(sql`
    select * from pix_charges
    where customer_id = any(${keys.map(({ customer_id }) => customer_id)})
      and id = any(${keys.map(({ charge_id }) => charge_id)})`);
}

export async function listOurTxids(db: Queryable, txids: string[]): Promise<Set<string>> {
  return new Set(
    await db.values<string>(sql`
    select txid from pix_txids where txid = any(${txids.map(normaliseTxid)})`),
  );
}

export async function listVisibleCharges(
  db: Queryable,
  customerId: string,
  installmentId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; charges: VisibleCharge[] }> {
  const count = await db.row<{ total: number }>(sql`
    select count(*) as total from pix_charges
    where customer_id = ${customerId} and installment_id = ${installmentId} and br_code is not null`);
  const charges = await db.rows<VisibleCharge>(sql`
    ${selectVisibleCharges(customerId)} and c.installment_id = ${installmentId}
    order by c.created_at desc, c.id desc offset ${offset} limit ${limit}`);
  return { total: count!.total, charges };
}

type ChargeKey = Pick<ChargeRow, 'customer_id' | 'id'>;

/** Saves the code of the PSP. Returns undefined if the charge is no longer `creating`, because another process has changed it. */
export async function markPending(
  tx: Tx,
  charge: ChargeRow,
  { brCode, location }: { brCode: string; location: string | null },
): Promise<ChargeRow | undefined> {
  const { customer_id: customerId, id } = charge;
  const updatedKey = await tx.row<ChargeKey>(updateToPending({ customerId, id, brCode, location }));
  return updatedKey && { ...charge, status: 'pending', br_code: brCode, location };
}

const updateToPending = batchable(
  (
    rows: ReadonlyArray<{ customerId: string; id: string; brCode: string; location: string | null }>,
    customerSql,
  ) => sql`
    update pix_charges c set status = 'pending', br_code = input.br_code, location = input.location
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[],
                ${pluck(rows, 'brCode')}::text[], ${pluck(rows, 'location')}::text[]) as input (customer_id, id, br_code, location)
    where c.customer_id = ${customerSql} and c.id = input.id and c.status = 'creating' returning c.customer_id, c.id`,
);

/** Updates a charge if `where` still holds. Returns false if it does not, because another process has changed the row. */
const updateCharge = async (db: Queryable, { customer_id, id }: ChargeKey, set: Sql, where: Sql) =>
  (await db.run(sql`
    update pix_charges set ${set} where customer_id = ${customer_id} and id = ${id} and ${where}`)) === 1;

export const markDiscarded = (db: Queryable, key: ChargeKey) =>
  updateCharge(db, key, sql`status = 'discarded'`, sql`status = 'creating'`);

export const markExpired = (tx: Tx, key: ChargeKey) =>
  updateCharge(tx, key, sql`status = 'expired'`, sql`status = 'pending'`);

export const markRemovedAndCancelled = (db: Queryable, key: ChargeKey, now: Date) =>
  updateCharge(
    db,
    key,
    sql`status = 'cancelled', removed_at = ${now}`,
    sql`status = 'pending' and expires_at > ${now}`,
  );

/** Records that the PSP has created a charge that was cancelled meanwhile, so that a job removes it there. */
export const clearRemovedAt = (tx: Tx, key: ChargeKey) =>
  updateCharge(tx, key, sql`removed_at = null`, sql`removed_at is not null`);

export const markRemoved = (db: Queryable, key: ChargeKey, now: Date) =>
  updateCharge(db, key, sql`removed_at = ${now}`, sql`removed_at is null`);

/** Cancels the live charges that meet the condition. Returns the ids of their installments. */
async function cancelCharges(tx: Tx, customerId: string, condition: Sql): Promise<string[]> {
  const rows = await tx.rows<{ installment_id: string }>(sql`
    update pix_charges set status = 'cancelled'
    where customer_id = ${customerId} and status in ('creating', 'pending') and ${condition} returning installment_id`);
  return [...new Set(rows.map(({ installment_id }) => installment_id))];
}

/** Cancels the charges of an installment, or only its charges of one type. Charges past `expires_at` do not change: they have expired. */
export const markInstallmentChargesCancelled = (
  tx: Tx,
  { customer_id, installment_id }: Pick<ChargeRow, 'customer_id' | 'installment_id'>,
  { now, type = null }: { now: Date; type?: ChargeType | null },
) =>
  cancelCharges(
    tx,
    customer_id,
    sql`installment_id = ${installment_id} and expires_at > ${now} and (${type}::text is null or type = ${type})`,
  );

export const markCheckoutChargesCancelled = (tx: Tx, customerId: string, checkoutHash: string, now: Date) =>
  cancelCharges(tx, customerId, sql`checkout_hash = ${checkoutHash} and expires_at > ${now}`);

export const markDebitsCancelled = (tx: Tx, customerId: string, authorisationId: string) =>
  cancelCharges(tx, customerId, sql`authorisation_id = ${authorisationId}`);

export const markDebitCancelled = (tx: Tx, { customer_id, id }: ChargeKey) =>
  cancelCharges(tx, customer_id, sql`id = ${id}`);

export const listTxidsToRemove = (
  db: Queryable,
  { customer_id, installment_id }: Pick<ChargeRow, 'customer_id' | 'installment_id'>,
  limit: number,
) =>
  db.values<string>(sql`
    select txid from pix_charges
    where customer_id = ${customer_id} and installment_id = ${installment_id} and status = 'cancelled'
      and removed_at is null
    order by created_at limit ${limit}`);

/**
 * Lists charges left behind by a crash, an unavailable PSP or their expiry: at most `limit` of each kind, oldest first. Charges
 * with an open discrepancy are left out, because they are rechecked on their own schedule.
 */
export async function listTxidsToSync(
  db: Queryable,
  { createdBefore, expiredBefore, limit }: { createdBefore: Date; expiredBefore: Date; limit: number },
): Promise<string[]> {
  const hasNoDiscrepancy = sql`
    not exists (select from pix_discrepancies d
                where d.customer_id = c.customer_id and d.charge_id = c.id and d.resolved_at is null)`;
  return db.values<string>(sql`
    select txid from (
      (select txid from pix_charges c
       where status = 'creating' and created_at < ${createdBefore} and ${hasNoDiscrepancy}
       order by created_at limit ${limit})
      union all
      (select txid from pix_charges c
       where status = 'pending' and expires_at < ${expiredBefore} and ${hasNoDiscrepancy}
       order by expires_at limit ${limit})
      union all
      (select txid from pix_charges c
       where status in ('cancelled', 'discarded') and removed_at is null and created_at < ${createdBefore}
         and ${hasNoDiscrepancy}
       order by created_at limit ${limit})
    ) as charges_to_sync`);
}

export const findFirstChargeTime = async (db: Queryable) =>
  (await db.row<{ created_at: Date | null }>(sql`select min(created_at) as created_at from pix_charges`))!
    .created_at;

/** Whether a payment or charge at the PSP has this txid, or none. */
export const matchesTxid = (pspRecord: { txid: string | null }, txid: string): boolean =>
  pspRecord.txid === null || normaliseTxid(pspRecord.txid) === normaliseTxid(txid);

/** Whether the PSP's payment or charge is for ours: txid and key match, if present. The amount may differ (docs/pix.md). */
export const isForCharge = (
  charge: Pick<ChargeRow, 'txid' | 'pix_key'>,
  { txid, key }: { txid: string | null; key: string | null },
): boolean =>
  matchesTxid({ txid }, charge.txid) && (key === null || key.toLowerCase() === charge.pix_key.toLowerCase());
