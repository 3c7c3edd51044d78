import type { ChargeType } from '#core/charge.ts';
import { batchable } from '#platform/database/batchable.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';

export type ChargeStatus = 'creating' | 'pending' | 'paid' | 'expired' | 'cancelled' | 'discarded';

const charges = columns({
  customer_id: column.text(),
  id: column.text(),
  installment_id: column.text(),
  checkout_hash: column.text(),
  type: column.text<ChargeType>(),
  value_cents: column.bigint(),
  priced_on: column.date(),
  txid: column.text(),
  pix_key: column.text(),
  expiration_seconds: column.integer(),
  status: column.text<ChargeStatus>(),
  br_code: column.text().nullable(),
  location: column.text().nullable(),
  created_at: column.timestamptz(),
  expires_at: column.timestamptz(),
  paid_at: column.timestamptz().nullable(),
  removed_at: column.timestamptz().nullable(),
  /** The payment it was made for, when the operator assigned one: the PSP has no such charge. */
  assigned_end_to_end_id: column.text().nullable(),
  /** It is a debit, and has no code: the PSP has it under this authorisation. */
  authorisation_id: column.text().nullable(),
  /** Until when its price holds; null: until it expires. */
  held_until: column.timestamptz().nullable(),
});
export type ChargeRow = RowOf<typeof charges>;

const CREATING = {
  status: 'creating',
  br_code: null,
  location: null,
  paid_at: null,
  removed_at: null,
  assigned_end_to_end_id: null,
  authorisation_id: null,
  held_until: null,
} as const;
type NewCharge = Omit<ChargeRow, keyof typeof CREATING> & Partial<ChargeRow>;

/** PSPs may change the case of a txid. */
export const txidKey = (txid: string): string => txid.toLowerCase();

export function insertCharge(tx: Tx, begun: NewCharge): ChargeRow {
  const charge = { ...CREATING, ...begun };
  const row = { ...charge, customerId: charge.customer_id };
  tx.write(insertTxids(row));
  tx.write(insertCharges(row));
  return charge;
}

type Inserted = ChargeRow & { customerId: string };

const insertTxids = batchable(
  (rows: readonly Inserted[]) => sql`
    insert into pix_txids (txid, customer_id, charge_id)
    select * from unnest(${rows.map(({ txid }) => txidKey(txid))}::text[],
                         ${rows.map(({ customerId }) => customerId)}::text[], ${rows.map(({ id }) => id)}::text[])`,
);

const insertCharges = batchable(
  (rows: readonly Inserted[], owner) => sql`insert into pix_charges ${charges.each(rows, owner)}`,
);

/** By id or txid, as operators search for it. */
export async function findAnyCharge(db: Queryable, idOrTxid: string): Promise<ChargeRow | undefined> {
  const named = await db.row<{ customer_id: string; charge_id: string }>(
    idOrTxid.startsWith('pix_')
      ? sql`select customer_id, charge_id from pix_txids where charge_id = ${idOrTxid}`
      : sql`select customer_id, charge_id from pix_txids where txid = ${txidKey(idOrTxid)}`,
  );
  return named && findCharge(db, named.customer_id, named.charge_id);
}

/**
 * Charges of a type that can still be paid, newest first; how many were made for the installment since then; and the debit that is
 * planned for it.
 */
export async function listLiveCharges(
  tx: Tx,
  { customerId, installmentId, type }: { customerId: string; installmentId: string; type: ChargeType },
  { now, since }: { now: Date; since: Date },
): Promise<{ live: ChargeRow[]; made: number; debit: ChargeRow | undefined }> {
  const found = await tx.rows<ChargeRow>(
    findLiveAndRecentCharges({ customerId, installmentId, type, now, since }),
  );
  const debit = found.find(({ authorisation_id, status }) => authorisation_id !== null && LIVE.has(status));
  const charges = found.filter(({ authorisation_id }) => authorisation_id === null);
  const isLive = (charge: ChargeRow) =>
    charge.type === type && LIVE.has(charge.status) && charge.expires_at > now;
  const isCounted = (charge: ChargeRow) =>
    charge.created_at >= since && charge.status !== 'discarded' && charge.assigned_end_to_end_id === null;
  return { live: charges.filter(isLive), made: charges.filter(isCounted).length, debit };
}

const LIVE: ReadonlySet<ChargeStatus> = new Set(['creating', 'pending']);

type ChargeSearch = { customerId: string; installmentId: string; type: ChargeType; now: Date; since: Date };

const findLiveAndRecentCharges = batchable(
  (rows: readonly ChargeSearch[], owner) => sql`
    select c.*
    from unnest(${rows.map(({ customerId }) => customerId)}::text[],
                ${rows.map(({ installmentId }) => installmentId)}::text[],
                ${rows.map(({ type }) => type)}::text[],
                ${rows.map(({ now }) => now)}::timestamptz[],
                ${rows.map(({ since }) => since)}::timestamptz[]) as k (customer_id, installment_id, type, now, since)
    join pix_charges c on c.customer_id = ${owner} and c.installment_id = k.installment_id
    where c.created_at >= k.since
      or (c.type = k.type or c.authorisation_id is not null) and c.status in ('creating', 'pending') and c.expires_at > k.now
    order by c.created_at desc, c.id desc`,
);

export const findCharge = (db: Queryable, customerId: string, id: string) =>
  db.row<ChargeRow>(sql`select * from pix_charges where customer_id = ${customerId} and id = ${id}`);

/** A charge as its customer sees it. */
export type ShownCharge = ChargeRow & { received_cents: number };

const shownCharges = (customerId: string) => sql`
  select c.*, (select coalesce(sum(p.amount_cents), 0)::bigint from pix_payments p
               where p.customer_id = ${customerId} and p.charge_id = c.id and p.moved_at is null) as received_cents
  from pix_charges c
  where c.customer_id = ${customerId} and c.br_code is not null`;

/** A charge whose code the customer has seen. */
export const findShownCharge = (db: Queryable, customerId: string, id: string) =>
  db.row<ShownCharge>(sql`${shownCharges(customerId)} and c.id = ${id}`);

/** Which of these are ours, for reports of the PSP, which knows no customers. */
export async function listChargesByTxid(db: Queryable, txids: readonly string[]): Promise<ChargeRow[]> {
  const named = await db.rows<{ customer_id: string; charge_id: string }>(sql`
    select customer_id, charge_id from pix_txids where txid = any(${txids.map(txidKey)})`);
  return db.rows(sql`
    select * from pix_charges
    where customer_id = any(${named.map(({ customer_id }) => customer_id)})
      and id = any(${named.map(({ charge_id }) => charge_id)})`);
}

/** Which of these are ours, by `txidKey`. */
export async function listOurTxids(db: Queryable, txids: string[]): Promise<Set<string>> {
  const rows = await db.rows<{ txid: string }>(sql`
    select txid from pix_txids where txid = any(${txids.map(txidKey)})`);
  return new Set(rows.map(({ txid }) => txid));
}

/** The charges whose code a customer has seen, newest first, and their number. */
export async function listCharges(
  db: Queryable,
  customerId: string,
  installmentId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; charges: ShownCharge[] }> {
  const counted = await db.row<{ total: number }>(sql`
    select count(*) as total from pix_charges
    where customer_id = ${customerId} and installment_id = ${installmentId} and br_code is not null`);
  const charges = await db.rows<ShownCharge>(sql`
    ${shownCharges(customerId)} and c.installment_id = ${installmentId}
    order by c.created_at desc, c.id desc offset ${offset} limit ${limit}`);
  return { total: counted!.total, charges };
}

type ChargeKey = Pick<ChargeRow, 'customer_id' | 'id'>;

/** The PSP has it. Undefined when it is no longer being created: another process has decided. */
export async function markPending(
  tx: Tx,
  charge: ChargeRow,
  { brCode, location }: { brCode: string; location: string | null },
): Promise<ChargeRow | undefined> {
  const { customer_id: customerId, id } = charge;
  const marked = await tx.row<ChargeKey>(markAllPending({ customerId, id, brCode, location }));
  return marked && { ...charge, status: 'pending', br_code: brCode, location };
}

const markAllPending = batchable(
  (
    rows: ReadonlyArray<{ customerId: string; id: string; brCode: string; location: string | null }>,
    owner,
  ) => sql`
    update pix_charges c set status = 'pending', br_code = k.br_code, location = k.location
    from unnest(${rows.map(({ customerId }) => customerId)}::text[], ${rows.map(({ id }) => id)}::text[],
                ${rows.map(({ brCode }) => brCode)}::text[], ${rows.map(({ location }) => location)}::text[])
         as k (customer_id, id, br_code, location)
    where c.customer_id = ${owner} and c.id = k.id and c.status = 'creating' returning c.customer_id, c.id`,
);

/** False when it is no longer as `where` says: another process has decided. */
async function updateCharge(
  db: Queryable,
  { customer_id, id }: ChargeKey,
  set: Sql,
  where: Sql,
): Promise<boolean> {
  const touched = await db.run(sql`
    update pix_charges set ${set} where customer_id = ${customer_id} and id = ${id} and ${where}`);
  return touched === 1;
}

export const markDiscarded = (db: Queryable, key: ChargeKey) =>
  updateCharge(db, key, sql`status = 'discarded'`, sql`status = 'creating'`);

export const markExpired = (tx: Tx, key: ChargeKey) =>
  updateCharge(tx, key, sql`status = 'expired'`, sql`status = 'pending'`);

/** The PSP removed it. An expired one stays expired. */
export const markCancelled = (db: Queryable, key: ChargeKey, now: Date) =>
  updateCharge(
    db,
    key,
    sql`status = 'cancelled', removed_at = ${now}`,
    sql`status = 'pending' and expires_at > ${now}`,
  );

export const markRemoved = (db: Queryable, key: ChargeKey, now: Date) =>
  updateCharge(db, key, sql`removed_at = ${now}`, sql`removed_at is null`);

/** Cancels those charges of a customer that could still be paid; returns their installments. */
async function cancelCharges(tx: Tx, customerId: string, which: Sql): Promise<string[]> {
  const rows = await tx.rows<{ installment_id: string }>(sql`
    update pix_charges set status = 'cancelled'
    where customer_id = ${customerId} and status in ('creating', 'pending') and ${which} returning installment_id`);
  return [...new Set(rows.map(({ installment_id }) => installment_id))];
}

/** The other charges of an installment, or those of one type. A charge that has been shown as expired stays so. */
export const markOthersCancelled = (
  tx: Tx,
  { customer_id, id, installment_id }: ChargeKey & { installment_id: string },
  { now, type = null }: { now: Date; type?: ChargeType | null },
) =>
  cancelCharges(
    tx,
    customer_id,
    sql`installment_id = ${installment_id} and id <> ${id} and expires_at > ${now}
        and (${type}::text is null or type = ${type})`,
  );

/** The same for all charges of a purchase. */
export const markCheckoutCancelled = (tx: Tx, customerId: string, checkoutHash: string, now: Date) =>
  cancelCharges(tx, customerId, sql`checkout_hash = ${checkoutHash} and expires_at > ${now}`);

/** The debits of an authorisation that are still to come. */
export const markDebitsCancelled = (tx: Tx, { customer_id, id }: { customer_id: string; id: string }) =>
  cancelCharges(tx, customer_id, sql`authorisation_id = ${id}`);

export const markDebitCancelled = (tx: Tx, { customer_id, id }: ChargeKey) =>
  cancelCharges(tx, customer_id, sql`id = ${id}`);

/** Cancelled charges of one installment that may still be at the PSP. */
export async function listTxidsToRemove(
  db: Queryable,
  { customer_id, installment_id }: Pick<ChargeRow, 'customer_id' | 'installment_id'>,
  limit: number,
): Promise<string[]> {
  const rows = await db.rows<{ txid: string }>(sql`
    select txid from pix_charges
    where customer_id = ${customer_id} and installment_id = ${installment_id} and status = 'cancelled'
      and removed_at is null
    order by created_at limit ${limit}`);
  return rows.map(({ txid }) => txid);
}

/**
 * Charges left behind by a crash, an unavailable PSP or their expiry: at most `limit` of each kind, oldest first. Charges with an
 * open discrepancy are rechecked on a schedule of their own.
 */
export async function listTxidsToSync(
  db: Queryable,
  { doubtfulBefore, expiredBefore, limit }: { doubtfulBefore: Date; expiredBefore: Date; limit: number },
): Promise<string[]> {
  const undisputed = sql`
    not exists (select from pix_discrepancies d
                where d.customer_id = c.customer_id and d.charge_id = c.id and d.resolved_at is null)`;
  const rows = await db.rows<{ txid: string }>(sql`
    select txid from (
      (select txid from pix_charges c
       where status = 'creating' and created_at < ${doubtfulBefore} and ${undisputed}
       order by created_at limit ${limit})
      union all
      (select txid from pix_charges c
       where status = 'pending' and expires_at < ${expiredBefore} and ${undisputed}
       order by expires_at limit ${limit})
      union all
      (select txid from pix_charges c
       where status in ('cancelled', 'discarded') and removed_at is null and created_at < ${doubtfulBefore}
         and ${undisputed}
       order by created_at limit ${limit})
    ) as found`);
  return rows.map(({ txid }) => txid);
}

export async function findFirstChargeAt(db: Queryable): Promise<Date | null> {
  const row = await db.row<{ first: Date | null }>(sql`select min(created_at) as first from pix_charges`);
  return row?.first ?? null;
}
