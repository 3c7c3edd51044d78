import type { Day } from '#core/day.ts';
import { batchable } from '#platform/database/batchable.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import type { ChargeStatus } from './charges.ts';

export const AUTHORISATION_STATUSES = ['pending', 'active', 'rejected', 'expired', 'ended'] as const;
export type AuthorisationStatus = (typeof AUTHORISATION_STATUSES)[number] | 'creating' | 'discarded';

/** Who ended it: the customer here, the payer in the bank's app, a bank, or this service. */
export type EndedBy = 'customer' | 'payer' | 'bank' | 'service';

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

export async function findAuthorisation(
  db: Queryable,
  customerId: string,
  id: string,
): Promise<AuthorisationRow | undefined> {
  return db.row(sql`select * from pix_authorisations where customer_id = ${customerId} and id = ${id}`);
}

/** By its id, or by what the PSP calls it: for notices and for the operator, who know no customer. */
export async function findAnyAuthorisation(
  db: Queryable,
  idOrRecId: string,
): Promise<AuthorisationRow | undefined> {
  const named = await db.row<{ customer_id: string; authorisation_id: string }>(
    idOrRecId.startsWith('aut_')
      ? sql`select customer_id, authorisation_id from pix_recurrences where authorisation_id = ${idOrRecId}`
      : sql`select customer_id, authorisation_id from pix_recurrences where rec_id = ${idOrRecId}`,
  );
  return named && findAuthorisation(db, named.customer_id, named.authorisation_id);
}

const liveFirst = sql`status not in ('creating', 'pending', 'active')`;

/** The newest of a purchase that anybody saw, or that may still be made. */
export async function findNewestAuthorisation(
  db: Queryable,
  customerId: string,
  checkoutHash: string,
): Promise<AuthorisationRow | undefined> {
  return db.row(sql`
    select * from pix_authorisations
    where customer_id = ${customerId} and checkout_hash = ${checkoutHash} and status <> 'discarded'
    order by ${liveFirst}, created_at desc, id desc limit 1`);
}

/** The newest whose code was seen. */
export async function findShownAuthorisation(
  db: Queryable,
  customerId: string,
  checkoutHash: string,
): Promise<AuthorisationRow | undefined> {
  return db.row(sql`
    select * from pix_authorisations
    where customer_id = ${customerId} and checkout_hash = ${checkoutHash} and br_code is not null
    order by ${liveFirst}, created_at desc, id desc limit 1`);
}

export async function markLocated(
  db: Queryable,
  { customer_id, id }: RowKey,
  locationId: number,
): Promise<void> {
  await db.run(sql`
    update pix_authorisations set location_id = ${locationId}
    where customer_id = ${customer_id} and id = ${id} and location_id is null`);
}

/** The PSP has it: from now on it is found by what the PSP calls it. */
export async function markKnown(tx: Tx, { customer_id, id }: RowKey, recId: string): Promise<void> {
  await tx.run(sql`
    update pix_authorisations set rec_id = ${recId} where customer_id = ${customer_id} and id = ${id}`);
  await tx.run(sql`
    insert into pix_recurrences (rec_id, customer_id, authorisation_id) values (${recId}, ${customer_id}, ${id})
    on conflict (rec_id) do nothing`);
}

/** False when another process has decided. */
export async function markShown(
  tx: Tx,
  { customer_id, id }: RowKey,
  brCode: string,
  now: Date,
): Promise<boolean> {
  const touched = await tx.run(sql`
    update pix_authorisations set status = 'pending', br_code = ${brCode}, synced_at = ${now}
    where customer_id = ${customer_id} and id = ${id} and status = 'creating'`);
  return touched === 1;
}

/** False when it was no longer pending. */
export async function markActive(
  tx: Tx,
  { customer_id, id }: RowKey,
  now: Date,
  today: Day,
): Promise<boolean> {
  const touched = await tx.run(sql`
    update pix_authorisations set status = 'active', activated_at = ${now}, synced_at = ${now}, look_on = ${today}
    where customer_id = ${customer_id} and id = ${id} and status = 'pending'`);
  return touched === 1;
}

/** False when it had ended already. `isRemoved`: the PSP has it ended, too. */
export async function markEnded(
  tx: Tx,
  { customer_id, id }: RowKey,
  end: {
    status: 'rejected' | 'expired' | 'ended' | 'discarded';
    by: EndedBy | null;
    reason: string | null;
    now: Date;
    isRemoved: boolean;
  },
): Promise<boolean> {
  const touched = await tx.run(sql`
    update pix_authorisations set status = ${end.status}, ended_at = ${end.now}, ended_by = ${end.by}, reason = ${end.reason},
      removed_at = ${end.isRemoved ? end.now : null}
    where customer_id = ${customer_id} and id = ${id} and status in ('creating', 'pending', 'active')`);
  return touched === 1;
}

export async function markRemovedAtPsp(db: Queryable, { customer_id, id }: RowKey, now: Date): Promise<void> {
  await db.run(sql`
    update pix_authorisations set removed_at = ${now}
    where customer_id = ${customer_id} and id = ${id} and removed_at is null`);
}

export async function markSynced(db: Queryable, { customer_id, id }: RowKey, now: Date): Promise<void> {
  await db.run(sql`
    update pix_authorisations set synced_at = ${now} where customer_id = ${customer_id} and id = ${id}`);
}

export async function markLookOn(db: Queryable, { customer_id, id }: RowKey, on: Day): Promise<void> {
  await db.run(sql`
    update pix_authorisations set look_on = ${on}
    where customer_id = ${customer_id} and id = ${id} and status = 'active'`);
}

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
export async function findAutopay(
  db: Queryable,
  customerId: string,
  checkoutHash: string,
): Promise<
  | (Pick<AuthorisationRow, 'id' | 'status' | 'expires_at'> & {
      br_code: string | null;
      debits: ShownDebit[] | null;
    })
  | undefined
> {
  return db.row(sql`
    select a.id, a.status, a.expires_at, a.br_code,
           (select json_agg(json_build_object('installment_id', d.installment_id, 'status', c.status, 'on', d.attempt_on,
                                              'refusals', d.refusals, 'reason', d.reason) order by c.created_at, c.id)
            from pix_debits d join pix_charges c on c.customer_id = ${customerId} and c.id = d.charge_id
            where d.customer_id = ${customerId} and d.checkout_hash = ${checkoutHash}) as debits
    from pix_authorisations a
    where a.customer_id = ${customerId} and a.checkout_hash = ${checkoutHash} and a.br_code is not null
    order by ${liveFirst}, a.created_at desc, a.id desc limit 1`);
}
