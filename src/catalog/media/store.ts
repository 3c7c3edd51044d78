import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { type PageRange, queryPage } from '#platform/http/list-query.ts';

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
  /** Number of merchants and posts that use the file. */
  uses: number;
};

/** The path at which a file is served. */
export const mediaPath = (name: string): string => `/media/files/${name}`;

/** Uploaded files are stored as paths, without a host. */
export const toAbsoluteUrl = (url: string | null, publicUrl: string): string | null =>
  url?.startsWith('/') ? publicUrl + url : url;

const mediaPathSql = (name: Sql) => sql`'/media/files/' || ${name}`;

const USES = sql`
  ((select count(*) from merchants where logo_url = ${mediaPathSql(sql`m.name`)})
   + (select count(*) from posts where cover_url = ${mediaPathSql(sql`m.name`)} or position(m.name in body) > 0))`;
const MEDIA = sql`select ${media.selectFrom('m')}, ${USES} as uses from media m`;

/** Returns false if a file with the same bytes exists already. */
export async function insertMedia(tx: Tx, file: Omit<MediaRow, 'uses' | 'size'> & { bytes: Buffer }) {
  const row = { ...file, size: file.bytes.length };
  const inserted = await tx.run(sql`insert into media ${files.values(row)} on conflict do nothing`);
  return inserted === 1;
}

export const findMediaBytes = (db: Queryable, name: string) =>
  db.row<{ type: string; bytes: Buffer }>(sql`select type, bytes from media where name = ${name}`);

export const findMedia = (db: Queryable, name: string) =>
  db.row<MediaRow>(sql`${MEDIA} where m.name = ${name}`);

/** Newest first. */
export function listMedia(db: Queryable, { unused }: { unused: boolean }, range: PageRange) {
  const statement = unused ? sql`${MEDIA} where ${USES} = 0` : MEDIA;
  return queryPage<MediaRow>(db, { statement, orderBy: sql`m.uploaded_at desc, m.name` }, range);
}

export const lockMedia = (tx: Tx, name: string) =>
  tx.run(sql`select from media where name = ${name} for update`);

export const deleteMedia = (tx: Tx, name: string) => tx.run(sql`delete from media where name = ${name}`);
