import type { Day } from '#core/day.ts';
import { batchable } from '#platform/database/batchable.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import type { ChargeStatus } from './charges.ts';

export const AUTHORISATION_STATUSES = ['pending', 'active', 'rejected', 'expired', 'ended'] as const;
export type AuthorisationStatus = (typeof AUTHORISATION_STATUSES)[number] | 'creating' | 'discarded';

/** Who ended it: the customer here, the payer in the bank's app, a bank, or this service. */
type EndedBy = 'customer' | 'payer' | 'bank' | 'service';

const authorisations = columns({
  customer_id: column.text(),
  id: column.text(),
  checkout_hash: column.text(),
  status: column.text<AuthorisationStatus>(),
  location_id: column.bigint().nullable(),
  rec_id: column.text().nullable(),
  br_code: column.text().nullable(),
  first_charge_id: column.text().nullable(),
  starts_on: column.date(),
  ends_on: column.date(),
  least_cents: column.bigint(),
  created_at: column.timestamptz(),
  expires_at: column.timestamptz(),
  activated_at: column.timestamptz().nullable(),
  ended_at: column.timestamptz().nullable(),
  ended_by: column.text<EndedBy>().nullable(),
  reason: column.text().nullable(),
  removed_at: column.timestamptz().nullable(),
  look_on: column.date(),
  synced_at: column.timestamptz(),
});
export type AuthorisationRow = RowOf<typeof authorisations>;

const CREATING = {
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

export async function insertAuthorisation(
  tx: Tx,
  begun: Omit<AuthorisationRow, keyof typeof CREATING>,
): Promise<AuthorisationRow> {
  const row: AuthorisationRow = { ...CREATING, ...begun };
  await tx.run(sql`insert into pix_authorisations ${authorisations.values(row)}`);
  return row;
}

type RowKey = Pick<AuthorisationRow, 'customer_id' | 'id'>;

export const findAuthorisation = (db: Queryable, customerId: string, id: string) =>
  db.row<AuthorisationRow>(
    sql`select * from pix_authorisations where customer_id = ${customerId} and id = ${id}`,
  );

/** By its id, or by what the PSP calls it: for notices and for the operator, who know no customer. */
export async function findAnyAuthorisation(db: Queryable, idOrRecId: string) {
  const named = await db.row<{ customer_id: string; authorisation_id: string }>(
    idOrRecId.startsWith('aut_')
      ? sql`select customer_id, authorisation_id from pix_recurrences where authorisation_id = ${idOrRecId}`
      : sql`select customer_id, authorisation_id from pix_recurrences where rec_id = ${idOrRecId}`,
  );
  return named && findAuthorisation(db, named.customer_id, named.authorisation_id);
}

const liveFirst = sql`status not in ('creating', 'pending', 'active')`;

/** The newest of a purchase that anybody saw, or that may still be made. */
export const findNewestAuthorisation = (db: Queryable, customerId: string, checkoutHash: string) =>
  db.row<AuthorisationRow>(sql`
    select * from pix_authorisations
    where customer_id = ${customerId} and checkout_hash = ${checkoutHash} and status <> 'discarded'
    order by ${liveFirst}, created_at desc, id desc limit 1`);

/** The newest whose code was seen. */
export const findShownAuthorisation = (db: Queryable, customerId: string, checkoutHash: string) =>
  db.row<AuthorisationRow>(sql`
    select * from pix_authorisations
    where customer_id = ${customerId} and checkout_hash = ${checkoutHash} and br_code is not null
    order by ${liveFirst}, created_at desc, id desc limit 1`);

/** False when it is no longer as `where` says: another process has decided. */
async function updateAuthorisation(
  db: Queryable,
  { customer_id, id }: RowKey,
  set: Sql,
  where: Sql,
): Promise<boolean> {
  const touched = await db.run(sql`
    update pix_authorisations set ${set} where customer_id = ${customer_id} and id = ${id} and ${where}`);
  return touched === 1;
}

export const markLocated = (db: Queryable, key: RowKey, locationId: number) =>
  updateAuthorisation(db, key, sql`location_id = ${locationId}`, sql`location_id is null`);

/** The PSP has it: from now on it is found by what the PSP calls it. */
export async function markKnown(tx: Tx, key: RowKey, recId: string): Promise<void> {
  await updateAuthorisation(tx, key, sql`rec_id = ${recId}`, sql`true`);
  await tx.run(sql`
    insert into pix_recurrences (rec_id, customer_id, authorisation_id) values (${recId}, ${key.customer_id}, ${key.id})
    on conflict (rec_id) do nothing`);
}

export const markShown = (tx: Tx, key: RowKey, brCode: string, now: Date) =>
  updateAuthorisation(
    tx,
    key,
    sql`status = 'pending', br_code = ${brCode}, synced_at = ${now}`,
    sql`status = 'creating'`,
  );

export const markActive = (tx: Tx, key: RowKey, now: Date, today: Day) =>
  updateAuthorisation(
    tx,
    key,
    sql`status = 'active', activated_at = ${now}, synced_at = ${now}, look_on = ${today}`,
    sql`status = 'pending'`,
  );

export type AuthorisationEnd = {
  status: 'rejected' | 'expired' | 'ended' | 'discarded';
  by: EndedBy | null;
  reason: string | null;
  /** It has ended at the PSP as well. */
  isRemoved: boolean;
};

export const markEnded = (tx: Tx, key: RowKey, end: AuthorisationEnd, now: Date) =>
  updateAuthorisation(
    tx,
    key,
    sql`status = ${end.status}, ended_at = ${now}, ended_by = ${end.by}, reason = ${end.reason},
        removed_at = ${end.isRemoved ? now : null}`,
    sql`status in ('creating', 'pending', 'active')`,
  );

export const markRemovedAtPsp = (db: Queryable, key: RowKey, now: Date) =>
  updateAuthorisation(db, key, sql`removed_at = ${now}`, sql`removed_at is null`);

export const markSynced = (db: Queryable, key: RowKey, now: Date) =>
  updateAuthorisation(db, key, sql`synced_at = ${now}`, sql`true`);

export const markLookOn = (db: Queryable, key: RowKey, on: Day) =>
  updateAuthorisation(db, key, sql`look_on = ${on}`, sql`status = 'active'`);

/** Something about the purchase changed: its installments are looked at soon. */
export function lookAtPurchase(tx: Tx, customerId: string, checkoutHash: string, today: Day): void {
  tx.write(lookAtPurchases({ customerId, checkoutHash, today }));
}

const lookAtPurchases = batchable(
  (rows: ReadonlyArray<{ customerId: string; checkoutHash: string; today: Day }>, owner) => sql`
    update pix_authorisations a set look_on = k.today
    from unnest(${rows.map(({ customerId }) => customerId)}::text[],
                ${rows.map(({ checkoutHash }) => checkoutHash)}::text[],
                ${rows.map(({ today }) => today)}::date[]) as k (customer_id, checkout_hash, today)
    where a.customer_id = ${owner} and a.checkout_hash = k.checkout_hash and a.status in ('creating', 'pending', 'active')`,
);

/** Authorisations whose installments are to be looked at. */
export async function listToLookAt(db: Queryable, today: Day, limit: number): Promise<AuthorisationRow[]> {
  return db.rows(sql`
    select * from pix_authorisations where status = 'active' and look_on <= ${today} order by look_on, id limit ${limit}`);
}

/** Those in doubt, those that wait for the payer, those not asked about for long, and those to be ended at the PSP. */
export async function listAuthorisationsToSync(
  db: Queryable,
  { doubtfulBefore, askedBefore, limit }: { doubtfulBefore: Date; askedBefore: Date; limit: number },
): Promise<AuthorisationRow[]> {
  return db.rows(sql`
    select * from (
      (select * from pix_authorisations
       where status in ('creating', 'pending') and synced_at < ${doubtfulBefore} order by synced_at limit ${limit})
      union all
      (select * from pix_authorisations where status = 'active' and synced_at < ${askedBefore}
       order by synced_at limit ${limit})
      union all
      (select * from pix_authorisations
       where status in ('expired', 'ended', 'discarded') and removed_at is null order by created_at limit ${limit})
    ) as found`);
}

/** The first day after this one on which an authorisation is looked at. */
export async function findNextLook(db: Queryable, after: Day): Promise<Day | null> {
  const row = await db.row<{ on: Day | null }>(sql`
    select greatest(min(look_on), ${after}::date + 1) as on from pix_authorisations where status = 'active'
    having count(*) > 0`);
  return row?.on ?? null;
}

export type ShownDebit = {
  installment_id: string;
  status: ChargeStatus;
  on: Day;
  refusals: number;
  reason: string | null;
};

/** The newest authorisation of a purchase, and its debits, newest last. */
export const findAutopay = (db: Queryable, customerId: string, checkoutHash: string) =>
  db.row<Pick<AuthorisationRow, 'status' | 'expires_at'> & { debits: ShownDebit[] | null }>(sql`
    select a.status, a.expires_at,
           (select json_agg(json_build_object('installment_id', d.installment_id, 'status', c.status, 'on', d.attempt_on,
                                              'refusals', d.refusals, 'reason', d.reason) order by c.created_at, c.id)
            from pix_debits d join pix_charges c on c.customer_id = ${customerId} and c.id = d.charge_id
            where d.customer_id = ${customerId} and d.checkout_hash = ${checkoutHash}) as debits
    from pix_authorisations a
    where a.customer_id = ${customerId} and a.checkout_hash = ${checkoutHash} and a.br_code is not null
    order by ${liveFirst}, a.created_at desc, a.id desc limit 1`);
