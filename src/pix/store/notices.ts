import { type Queryable, sql, type Tx } from '#platform/db.ts';
import { purgeInBatches } from '#platform/housekeeping.ts';
import type { Sealed } from '#platform/vault.ts';

export async function insertNotice(
  tx: Tx,
  notice: { id: string; receivedAt: Date; sealed: Sealed },
): Promise<void> {
  await tx.run(sql`
    insert into pix_notices (id, received_at, sealed, key_version)
    values (${notice.id}, ${notice.receivedAt}, ${notice.sealed.bytes}, ${notice.sealed.version})`);
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
