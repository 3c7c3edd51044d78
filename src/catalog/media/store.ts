import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { type Range, readPage } from '#platform/http/listing.ts';

const media = columns({
  name: column.text(),
  type: column.text(),
  size: column.integer(),
  width: column.integer().nullable(),
  height: column.integer().nullable(),
  uploaded_at: column.timestamptz(),
});
const files = columns({ ...media.declared, bytes: column.bytea() });

export type MediaRow = RowOf<typeof media> & {
  /** How many merchants and posts show it. */
  uses: number;
};

/** The path under which a file is served. */
export const mediaPath = (name: string): string => `/media/files/${name}`;
const pathOf = (name: Sql) => sql`'/media/files/' || ${name}`;

const USES = sql`
  ((select count(*) from merchants where logo_url = ${pathOf(sql`m.name`)})
   + (select count(*) from posts where cover_url = ${pathOf(sql`m.name`)} or position(m.name in body) > 0))`;
const SHOWN = sql`select ${media.of('m')}, ${USES} as uses from media m`;

/** False when a file with the same bytes exists already. */
export async function insertMedia(tx: Tx, file: Omit<MediaRow, 'uses' | 'size'> & { bytes: Buffer }) {
  const row = { ...file, size: file.bytes.length };
  const inserted = await tx.run(sql`insert into media ${files.values(row)} on conflict do nothing`);
  return inserted === 1;
}

export const findMediaBytes = (db: Queryable, name: string) =>
  db.row<{ type: string; bytes: Buffer }>(sql`select type, bytes from media where name = ${name}`);

export const findMedia = (db: Queryable, name: string) =>
  db.row<MediaRow>(sql`${SHOWN} where m.name = ${name}`);

/** Newest first. */
export function listMedia(db: Queryable, { unused }: { unused: boolean }, at: Range) {
  const found = unused ? sql`${SHOWN} where ${USES} = 0` : SHOWN;
  return readPage<MediaRow>(db, { found, order: sql`m.uploaded_at desc, m.name` }, at);
}

export const lockMedia = (tx: Tx, name: string) =>
  tx.run(sql`select from media where name = ${name} for update`);

export const deleteMedia = (tx: Tx, name: string) => tx.run(sql`delete from media where name = ${name}`);
