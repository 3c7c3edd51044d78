import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import { type Queryable, sql, type Tx } from '#platform/database/db.ts';
import { purgeInBatches } from '#platform/database/purge.ts';
import type { Sealed } from '#platform/vault.ts';

export function insertNotices(
  tx: Tx,
  notices: ReadonlyArray<{ id: string; receivedAt: Date; sealed: Sealed }>,
): void {
  tx.write(sql`
    insert into pix_notices (id, received_at, sealed, key_version)
    select * from unnest(${notices.map(({ id }) => id)}::text[], ${notices.map(({ receivedAt }) => receivedAt)}::timestamptz[],
                         ${notices.map(({ sealed }) => sealed.bytes)}::bytea[],
                         ${notices.map(({ sealed }) => sealed.version)}::integer[])`);
}

export type NoticeRow = { id: string; received_at: Date; sealed: Buffer; key_version: number };

export const listNoticesAfter = (db: Queryable, { received_at, id }: Pick<NoticeRow, 'received_at' | 'id'>) =>
  db.rows<NoticeRow>(sql`
    select id, received_at, sealed, key_version from pix_notices
    where received_at >= ${received_at} and (received_at, id) > (${received_at}, ${id})
    order by received_at, id limit 500`);

export async function updateNotice(tx: Tx, id: string, sealed: Sealed): Promise<void> {
  await tx.run(sql`
    update pix_notices set sealed = ${sealed.bytes}, key_version = ${sealed.version} where id = ${id}`);
}

/** One erasure at a time: a notice may be about several people, and is rewritten whole. */
export async function lockErasure(tx: Tx): Promise<void> {
  await lockAdvisory(tx, 'pixErasure');
}

/** The PSP's names for the charges, payments and authorisations of a customer, in lower case, and since when there are any. */
export async function listPspNames(
  db: Queryable,
  customerId: string,
): Promise<{ names: Set<string>; since: Date | null }> {
  const row = await db.row<{ txids: string[]; ids: string[]; recs: string[]; since: Date | null }>(sql`
    select coalesce(array_agg(lower(txid)), '{}') as txids, min(created_at) as since,
           array(select lower(end_to_end_id) from pix_payments where customer_id = ${customerId}) as ids,
           array(select lower(rec_id) from pix_authorisations where customer_id = ${customerId} and rec_id is not null) as recs
    from pix_charges where customer_id = ${customerId}`);
  return { names: new Set([...row!.txids, ...row!.ids, ...row!.recs]), since: row!.since };
}

export async function purgeNotices(db: Queryable, before: Date): Promise<void> {
  await purgeInBatches(() =>
    db.run(sql`
      delete from pix_notices where id in (select id from pix_notices where received_at < ${before} limit 1000)`),
  );
}

export async function findSweptTo(db: Queryable): Promise<Date | undefined> {
  return (await db.row<{ swept_to: Date }>(sql`select swept_to from pix_sweep`))?.swept_to;
}

export async function markSweptTo(db: Queryable, sweptTo: Date): Promise<void> {
  await db.run(sql`
    insert into pix_sweep (swept_to) values (${sweptTo})
    on conflict (only_row) do update set swept_to = excluded.swept_to`);
}
