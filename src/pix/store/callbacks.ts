import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, runInBatches, sql, type Tx } from '#platform/database/db.ts';
import { pix_notices } from '../generated/tables.ts';

/**
 * Callbacks, which the table and the ids (`ntc_…`) call notices. `sealed`: the text, encrypted for the row's id without a further context.
 * `psp_ids`: the ids that the text mentions; null for a callback of an earlier release until the housekeeping saves them.
 */
export const callbacks = columns({ ...pix_notices, sealed: column.encryptedText({ context: '' }) });
const { sealed: textColumn } = callbacks.declarations;

/** The ids of charges, payments and authorisations have 26 to 35 letters and digits; the pattern allows a margin. */
const ID_PATTERN = /(?<![a-z0-9])[a-z0-9]{20,40}(?![a-z0-9])/g;

/** Lists the ids that a callback mentions, in lower case, whether it can be parsed or not. */
export const listMentionedIds = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(ID_PATTERN)),
];

/** Queues the insert, which is sent with the next awaited statement or with the commit. */
export function queueCallbacks(
  tx: Tx,
  newCallbacks: ReadonlyArray<{ id: string; receivedAt: Date; text: string }>,
): void {
  const sealed = newCallbacks.map(({ id, text }) => textColumn.encrypt(tx.vault, id, text));
  // Each list of ids is passed as text, because `unnest` would flatten an array of arrays.
  const pspIds = newCallbacks.map(({ text }) => `{${listMentionedIds(text).join()}}`);
  tx.queueWrite(sql`
    insert into pix_notices (id, received_at, sealed, psp_ids)
    select id, received_at, sealed, psp_ids::text[]
    from unnest(${newCallbacks.map(({ id }) => id)}::text[], ${newCallbacks.map(({ receivedAt }) => receivedAt)}::timestamptz[],
                ${sealed}::bytea[], ${pspIds}::text[]) as input (id, received_at, sealed, psp_ids)`);
}

/** Lists the callbacks that mention one of these ids, and callbacks whose ids are not saved yet. */
export async function listCallbacksAbout(db: Queryable, pspIds: ReadonlySet<string>) {
  const rows = await db.rows<Omit<RowOf<typeof callbacks>, 'psp_ids'>>(sql`
    select id, received_at, sealed from pix_notices where psp_ids && ${[...pspIds]} or psp_ids is null
    order by received_at, id`);
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    text: textColumn.decrypt(db.vault, row.id, sealed),
  }));
}

export const updateCallback = (tx: Tx, id: string, text: string) =>
  tx.run(sql`
    update pix_notices set sealed = ${textColumn.encrypt(tx.vault, id, text)}, psp_ids = ${listMentionedIds(text)}
    where id = ${id}`);

/** Saves the ids that callbacks of an earlier release mention, in batches. */
export const savePspIdsOfOldCallbacks = (db: Queryable) =>
  runInBatches(async () => {
    const rows = await db.rows<{ id: string; sealed: Buffer }>(
      sql`select id, sealed from pix_notices where psp_ids is null limit 200`,
    );
    for (const { id, sealed } of rows)
      await db.run(sql`
        update pix_notices set psp_ids = ${listMentionedIds(textColumn.decrypt(db.vault, id, sealed))}
        where id = ${id} and psp_ids is null`);
    return rows.length;
  });

/** Serialises erasures: a callback may be about several people, and an erasure rewrites all of it. */
export async function lockErasure(tx: Tx): Promise<void> {
  await lockAdvisory(tx, 'pixErasure');
}

/** Lists the ids by which callbacks of the PSP may mention a customer's charges, payments and authorisations. */
export async function listPspIds(db: Queryable, customerId: string): Promise<Set<string>> {
  const row = await db.row<{ ids: string[] }>(sql`
    select array(select lower(txid) from pix_charges where customer_id = ${customerId}
                 union select lower(end_to_end_id) from pix_payments where customer_id = ${customerId}
                 union select lower(rec_id) from pix_authorisations
                       where customer_id = ${customerId} and rec_id is not null) as ids`);
  return new Set(row!.ids);
}

export async function purgeCallbacks(db: Queryable, receivedBefore: Date): Promise<void> {
  await runInBatches(() =>
    db.run(sql`
      delete from pix_notices where id in (select id from pix_notices where received_at < ${receivedBefore} limit 1000)`),
  );
}
