import type { Day } from '#core/values/day.ts';
import { columns, type RowOf } from '#platform/database/columns.ts';
import { batchable, pluck, type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { pix_authorisations } from '../generated/tables.ts';
import type { ChargeRow } from './charges.ts';
import type { DebitRow } from './debits.ts';

/** The statuses that customers and staff see: those of authorisations that have a code. */
export const AUTHORISATION_STATUSES = ['pending', 'active', 'rejected', 'expired', 'ended'] as const;
export type VisibleStatus = (typeof AUTHORISATION_STATUSES)[number];

/**
 * `least_cents`: the amount of the largest debit, which is the least limit that the payer may set. `look_on`: the day of the next review.
 * `removed_at`: when the PSP ended the authorisation. `first_charge_id`: the charge that the code also pays.
 */
const authorisations = columns(pix_authorisations);
export type AuthorisationRow = RowOf<typeof authorisations>;
export type AuthorisationStatus = AuthorisationRow['status'];

const CREATING_DEFAULTS = {
  status: 'creating',
  location_id: null,
  rec_id: null,
  br_code: null,
  activated_at: null,
  ended_at: null,
  ended_by: null,
  reason: null,
  removed_at: null,
} as const;

/** Queues the insert of an authorisation. Returns the authorisation. */
export function insertAuthorisation(
  tx: Tx,
  values: Omit<AuthorisationRow, keyof typeof CREATING_DEFAULTS>,
): AuthorisationRow {
  const row: AuthorisationRow = { ...CREATING_DEFAULTS, ...values };
  tx.queueWrite(insertAuthorisations({ ...row, customerId: row.customer_id }));
  return row;
}

const insertAuthorisations = batchable(
  (rows: ReadonlyArray<AuthorisationRow & { customerId: string }>, customerSql) =>
    sql`insert into pix_authorisations ${authorisations.valuesFromJson(rows, customerSql)}`,
);

type AuthorisationKey = Pick<AuthorisationRow, 'customer_id' | 'id'>;

export const findAuthorisation = (db: Queryable, customerId: string, id: string) =>
  db.row<AuthorisationRow>(selectAuthorisations({ customerId, id }));

const selectAuthorisations = batchable(
  (rows: ReadonlyArray<{ customerId: string; id: string }>, customerSql) => sql`
    select a.*
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[]) as input (customer_id, id)
    join pix_authorisations a on a.customer_id = ${customerSql} and a.id = input.id`,
);

/** Finds an authorisation by our id or the PSP's, without its customer: for callbacks and for the operator. */
export async function findAuthorisationByIdOrRecId(db: Queryable, idOrRecId: string) {
  const key = await db.row<{ customer_id: string; authorisation_id: string }>(
    idOrRecId.startsWith('aut_')
      ? sql`select customer_id, authorisation_id from pix_recurrences where authorisation_id = ${idOrRecId}`
      : sql`select customer_id, authorisation_id from pix_recurrences where rec_id = ${idOrRecId}`,
  );
  return key && findAuthorisation(db, key.customer_id, key.authorisation_id);
}

/** Sort expression: false sorts before true, so live authorisations are first. */
const LIVE_FIRST = sql`status not in ('creating', 'pending', 'active')`;

/** Finds the live authorisation of a purchase, or else the newest one, without discarded ones. */
export const findNewestAuthorisation = (db: Queryable, customerId: string, checkoutHash: string) =>
  db.row<AuthorisationRow>(selectNewestAuthorisations({ customerId, checkoutHash }));

const selectNewestAuthorisations = batchable(
  (rows: ReadonlyArray<{ customerId: string; checkoutHash: string }>, customerSql) => sql`
    select newest.*
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'checkoutHash')}::text[]) as input (customer_id, checkout_hash)
    cross join lateral (
      select * from pix_authorisations
      where customer_id = ${customerSql} and checkout_hash = input.checkout_hash and status <> 'discarded'
      order by ${LIVE_FIRST}, created_at desc, id desc limit 1) as newest`,
);

/** Finds the live authorisation of a purchase, or else the newest one, among those that have a code. */
export const findVisibleAuthorisation = (db: Queryable, customerId: string, checkoutHash: string) =>
  db.row<AuthorisationRow>(sql`
    select * from pix_authorisations
    where customer_id = ${customerId} and checkout_hash = ${checkoutHash} and br_code is not null
    order by ${LIVE_FIRST}, created_at desc, id desc limit 1`);

/** Updates an authorisation if `where` still holds. Returns false if it does not, because another process has changed the row. */
const updateAuthorisation = async (
  db: Queryable,
  { customer_id, id }: AuthorisationKey,
  set: Sql,
  where: Sql,
) =>
  (await db.run(sql`
    update pix_authorisations set ${set} where customer_id = ${customer_id} and id = ${id} and ${where}`)) ===
  1;

/** Saves the location unless a concurrent request has saved another one. Returns the saved location. */
export async function saveLocationId(db: Queryable, key: AuthorisationKey, locationId: number) {
  const { customer_id: customerId, id } = key;
  const row = await db.row<Pick<AuthorisationRow, 'location_id'>>(
    saveLocations({ customerId, id, locationId }),
  );
  return row!.location_id!;
}

const saveLocations = batchable(
  (rows: ReadonlyArray<{ customerId: string; id: string; locationId: number }>, customerSql) => sql`
    update pix_authorisations a set location_id = coalesce(a.location_id, input.location_id)
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[], ${pluck(rows, 'locationId')}::bigint[])
         as input (customer_id, id, location_id)
    where a.customer_id = ${customerSql} and a.id = input.id returning a.customer_id, a.location_id`,
);

/**
 * Queues the writes of the PSP's id, by which callbacks find the authorisation. Clears `removed_at`, so an authorisation that has ended
 * is also ended at the PSP.
 */
export function queueRecId(tx: Tx, { customer_id: customerId, id }: AuthorisationKey, recId: string): void {
  tx.queueWrite(insertRecurrences({ customerId, id, recId }));
  tx.queueWrite(saveRecIds({ customerId, id, recId }));
}

type RecurrenceOfAuthorisation = { customerId: string; id: string; recId: string };

const insertRecurrences = batchable(
  (rows: readonly RecurrenceOfAuthorisation[]) => sql`
    insert into pix_recurrences (rec_id, customer_id, authorisation_id)
    select * from unnest(${pluck(rows, 'recId')}::text[], ${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[])
    on conflict (rec_id) do nothing`,
);

const saveRecIds = batchable(
  (rows: readonly RecurrenceOfAuthorisation[], customerSql) => sql`
    update pix_authorisations a set rec_id = input.rec_id, removed_at = null
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[], ${pluck(rows, 'recId')}::text[])
         as input (customer_id, id, rec_id)
    where a.customer_id = ${customerSql} and a.id = input.id`,
);

/** Saves the code unless the authorisation has ended meanwhile. Returns the stored authorisation. */
export async function saveBrCode(db: Queryable, key: AuthorisationKey, brCode: string, now: Date) {
  const { customer_id: customerId, id } = key;
  const row = await db.row<AuthorisationRow>(saveBrCodes({ customerId, id, brCode, now }));
  return row ?? findAuthorisation(db, customerId, id);
}

const saveBrCodes = batchable(
  (rows: ReadonlyArray<{ customerId: string; id: string; brCode: string; now: Date }>, customerSql) => sql`
    update pix_authorisations a set status = 'pending', br_code = input.br_code, synced_at = input.now
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[], ${pluck(rows, 'brCode')}::text[],
                ${pluck(rows, 'now')}::timestamptz[]) as input (customer_id, id, br_code, now)
    where a.customer_id = ${customerSql} and a.id = input.id and a.status = 'creating' returning a.*`,
);

export const markActive = async (tx: Tx, key: AuthorisationKey, now: Date, today: Day): Promise<boolean> =>
  (await tx.rows(updateToActive({ customerId: key.customer_id, id: key.id, now, day: today }))).length === 1;

type AuthorisationChange = { customerId: string; id: string; now: Date | null; day: Day | null };

/** Builds an update of many authorisations. `set` may use the `now` and `day` of each change as `input.now` and `input.day`. Unused ones are null. */
const buildBatchUpdate = (set: Sql, where: Sql) =>
  batchable(
    (rows: readonly AuthorisationChange[], customerSql) => sql`
      update pix_authorisations a set ${set}
      from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'id')}::text[],
                  ${pluck(rows, 'now')}::timestamptz[], ${pluck(rows, 'day')}::date[]) as input (customer_id, id, now, day)
      where a.customer_id = ${customerSql} and a.id = input.id and ${where} returning a.customer_id`,
  );

const updateToActive = buildBatchUpdate(
  sql`status = 'active', activated_at = input.now, synced_at = input.now, look_on = input.day`,
  sql`a.status = 'pending'`,
);
const saveSyncTimes = buildBatchUpdate(sql`synced_at = input.now`, sql`true`);
const saveReviewDays = buildBatchUpdate(sql`look_on = input.day`, sql`a.status = 'active'`);

export type AuthorisationEnd = {
  status: 'rejected' | 'expired' | 'ended' | 'discarded';
  /** The customer in this service, the payer in the bank's app, a bank, or this service. */
  endedBy: AuthorisationRow['ended_by'];
  reason: string | null;
  isEndedAtPsp: boolean;
};

/** For each final status, the statuses that may precede it. The caller may have decided on a row that another process has changed since. */
const STATUSES_BEFORE_END: Record<AuthorisationEnd['status'], readonly AuthorisationStatus[]> = {
  discarded: ['creating'],
  expired: ['pending'],
  rejected: ['pending', 'active'],
  ended: ['pending', 'active'],
};

export const markEnded = (tx: Tx, key: AuthorisationKey, end: AuthorisationEnd, now: Date) =>
  updateAuthorisation(
    tx,
    key,
    sql`status = ${end.status}, ended_at = ${now}, ended_by = ${end.endedBy}, reason = ${end.reason},
        removed_at = ${end.isEndedAtPsp ? now : null}`,
    sql`status = any(${STATUSES_BEFORE_END[end.status]})`,
  );

/** Records that the PSP has ended the authorisation. Does nothing if the PSP's id was saved after the row was read: the PSP may still have it. */
export const markEndedAtPsp = (db: Queryable, row: AuthorisationRow, now: Date) =>
  updateAuthorisation(
    db,
    row,
    sql`removed_at = ${now}`,
    sql`removed_at is null and rec_id is not distinct from ${row.rec_id}`,
  );

/** Records that the PSP may still debit by an authorisation that has ended here. */
export const markLiveAtPsp = (db: Queryable, key: AuthorisationKey, now: Date) =>
  updateAuthorisation(db, key, sql`removed_at = null, synced_at = ${now}`, sql`ended_at is not null`);

export const markSynced = (db: Queryable, { customer_id: customerId, id }: AuthorisationKey, now: Date) =>
  db.rows(saveSyncTimes({ customerId, id, now, day: null }));

export const saveReviewDay = (db: Queryable, { customer_id: customerId, id }: AuthorisationKey, day: Day) =>
  db.rows(saveReviewDays({ customerId, id, now: null, day }));

/** Like `saveReviewDay`; the update is sent with the next awaited statement or with the commit. */
export const queueReviewDay = (tx: Tx, { customer_id: customerId, id }: AuthorisationKey, day: Day): void =>
  tx.queueWrite(saveReviewDays({ customerId, id, now: null, day }));

/** Queues the write that schedules a review of the live authorisation today, because the purchase has changed. */
export function scheduleReview(tx: Tx, customerId: string, checkoutHash: string, today: Day): void {
  tx.queueWrite(scheduleReviews({ customerId, checkoutHash, today }));
}

const scheduleReviews = batchable(
  (rows: ReadonlyArray<{ customerId: string; checkoutHash: string; today: Day }>, customerSql) => sql`
    update pix_authorisations a set look_on = input.today
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'checkoutHash')}::text[],
                ${pluck(rows, 'today')}::date[]) as input (customer_id, checkout_hash, today)
    where a.customer_id = ${customerSql} and a.checkout_hash = input.checkout_hash and a.status in ('creating', 'pending', 'active')`,
);

export const listAuthorisationsToReview = (db: Queryable, today: Day, limit: number) =>
  db.rows<AuthorisationRow>(sql`
    select * from pix_authorisations where status = 'active' and look_on <= ${today} order by look_on, id limit ${limit}`);

/** Lists creating and pending authorisations, active ones not synced for long, and ended ones that the PSP must still end. */
export const listAuthorisationsToSync = (
  db: Queryable,
  {
    pendingSyncedBefore,
    activeSyncedBefore,
    limit,
  }: { pendingSyncedBefore: Date; activeSyncedBefore: Date; limit: number },
) =>
  db.rows<AuthorisationRow>(sql`
    select * from (
      (select * from pix_authorisations
       where status in ('creating', 'pending') and synced_at < ${pendingSyncedBefore} order by synced_at limit ${limit})
      union all
      (select * from pix_authorisations where status = 'active' and synced_at < ${activeSyncedBefore}
       order by synced_at limit ${limit})
      union all
      (select * from pix_authorisations
       where status in ('expired', 'ended', 'discarded') and removed_at is null order by created_at limit ${limit})
    ) as authorisations_to_sync`);

export const findNextReviewDay = async (db: Queryable, after: Day) =>
  (await db.value<Day | null>(sql`
    select greatest(min(look_on), ${after}::date + 1) as review_day from pix_authorisations where status = 'active'
    having count(*) > 0`)) ?? null;

export type DebitSummary = Pick<ChargeRow, 'status' | 'value_cents'> &
  Pick<DebitRow, 'installment_id' | 'refusals' | 'reason'> & { attempt_on: Day };

/** Finds the live or newest authorisation of a purchase, with all debits of the purchase, the oldest first. */
export const findAutopay = (db: Queryable, customerId: string, checkoutHash: string) =>
  db.row<Pick<AuthorisationRow, 'status' | 'expires_at'> & { debits: DebitSummary[] | null }>(
    selectAutopay({ customerId, checkoutHash }),
  );

const selectAutopay = batchable(
  (rows: ReadonlyArray<{ customerId: string; checkoutHash: string }>, customerSql) => sql`
    select input.customer_id, newest.status, newest.expires_at,
           (select json_agg(json_build_object('installment_id', d.installment_id, 'status', c.status, 'attempt_on', d.attempt_on,
                                              'value_cents', c.value_cents, 'refusals', d.refusals, 'reason', d.reason) order by c.created_at, c.id)
            from pix_debits d join pix_charges c on c.customer_id = ${customerSql} and c.id = d.charge_id
            where d.customer_id = ${customerSql} and d.checkout_hash = input.checkout_hash) as debits
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'checkoutHash')}::text[])
         as input (customer_id, checkout_hash)
    cross join lateral (
      select a.status, a.expires_at from pix_authorisations a
      where a.customer_id = ${customerSql} and a.checkout_hash = input.checkout_hash and a.br_code is not null
      order by ${LIVE_FIRST}, a.created_at desc, a.id desc limit 1) as newest`,
);

/** Ends the live authorisations of an erased customer. */
export const endErasedAuthorisations = (tx: Tx, customerId: string) =>
  tx.run(sql`
    update pix_authorisations set status = 'ended', ended_by = 'service', reason = 'erased', ended_at = created_at
    where customer_id = ${customerId} and status in ('creating', 'pending', 'active')`);
