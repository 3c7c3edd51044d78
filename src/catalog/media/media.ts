import { hash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Bilingual } from '#core/values/bilingual.ts';
import { columns, type RowOf } from '#platform/database/columns.ts';
import { type Queryable, type Sql, sql, type Tx } from '#platform/database/db.ts';
import { type PageRange, queryPage } from '#platform/http/list-query.ts';
import { project } from '#platform/http/project.ts';
import { MAX_FILE_BYTES } from '#platform/http/raw-body.ts';
import { Timestamp } from '#platform/http/schemas.ts';
import { omit } from '#platform/omit.ts';
import { type AuditContext, type AuditEntity, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { defineProblem } from '#platform/problem.ts';
import * as tables from '../generated/tables.ts';
import { stillUsed } from '../problems.ts';
import { inspectImage, MAX_SIDE_PIXELS } from './image.ts';

const insertedColumns = columns(tables.media);
const selectedColumns = columns(omit(tables.media, 'bytes'));

type MediaRow = RowOf<typeof selectedColumns> & {
  /** Number of merchants and posts that use the file. */
  uses: number;
};

/** Builds the path at which a file is served. */
const buildMediaPath = (name: string): string => `/media/files/${name}`;

/** Adds the host to a URL, because the URLs of uploaded files are stored as paths. */
export const toAbsoluteUrl = (url: string | null, publicUrl: string): string | null =>
  url?.startsWith('/') ? publicUrl + url : url;

const mediaPathSql = (name: Sql) => sql`'/media/files/' || ${name}`;

const USE_COUNT = sql`
  ((select count(*) from merchants where logo_url = ${mediaPathSql(sql`media.name`)})
   + (select count(*) from posts where cover_url = ${mediaPathSql(sql`media.name`)} or position(media.name in body) > 0))`;
const SELECT_MEDIA = sql`select ${selectedColumns.selectFrom('media')}, ${USE_COUNT} as uses from media`;

/** Returns false if a file with the same bytes exists already. */
async function insertMedia(tx: Tx, file: Omit<MediaRow, 'uses' | 'size'> & { bytes: Buffer }) {
  const row = { ...file, size: file.bytes.length };
  const insertedCount = await tx.run(
    sql`insert into media ${insertedColumns.values(row)} on conflict do nothing`,
  );
  return insertedCount === 1;
}

export const findMediaBytes = (db: Queryable, name: string) =>
  db.row<{ type: string; bytes: Buffer }>(sql`select type, bytes from media where name = ${name}`);

const findMedia = (db: Queryable, name: string) =>
  db.row<MediaRow>(sql`${SELECT_MEDIA} where media.name = ${name}`);

/** Lists pictures, newest first. */
export function listMedia(db: Queryable, { unusedOnly }: { unusedOnly: boolean }, range: PageRange) {
  const statement = unusedOnly ? sql`${SELECT_MEDIA} where ${USE_COUNT} = 0` : SELECT_MEDIA;
  return queryPage<MediaRow>(db, { statement, orderBy: sql`media.uploaded_at desc, media.name` }, range);
}

const lockMedia = (tx: Tx, name: string) => tx.run(sql`select from media where name = ${name} for update`);

const deleteMedia = (tx: Tx, name: string) => tx.run(sql`delete from media where name = ${name}`);

export const imageRefused = defineProblem({
  code: 'image_refused',
  status: 422,
  title: { en: 'The picture is not accepted', pt: 'A imagem não foi aceita' },
  cause: `The content is not PNG, JPEG, WebP or SVG, the picture exceeds ${MAX_SIDE_PIXELS} by ${MAX_SIDE_PIXELS} pixels, or it is an SVG with active or external content.`,
  remedy:
    'Save the picture in one of these formats, smaller, or as a plain SVG. The detail says what is wrong.',
  detail: ({ en, pt }: Bilingual) => ({ en: `The picture ${en}.`, pt: `A imagem ${pt}.` }),
});

export const MEDIA_NAME_PATTERN = '^[0-9a-z]{32}\\.(png|jpg|webp|svg)$';

export const EXAMPLE_MEDIA_NAME = '9f86d081884c7d659a2feaa0c55ad015.png';

export const Media = Type.Object(
  {
    name: Type.String({
      pattern: MEDIA_NAME_PATTERN,
      description: 'Derived from the content: the same picture has the same name.',
      examples: [EXAMPLE_MEDIA_NAME],
    }),
    url: Type.String({
      description: 'Path of the picture, for `logo_url`, `cover_url` and links in posts.',
      examples: [buildMediaPath(EXAMPLE_MEDIA_NAME)],
    }),
    type: Type.String({ examples: ['image/png'] }),
    size: Type.Integer({ description: 'Size in bytes.' }),
    width: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Width in pixels; null if an SVG does not declare it.',
    }),
    height: Type.Union([Type.Integer(), Type.Null()]),
    uses: Type.Integer({ description: 'Number of merchants and posts that use the picture.' }),
    uploaded_at: Timestamp(),
  },
  { $id: 'Media' },
);

/** Content types of an upload in openapi.json. The real type is detected from the bytes. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const;

export const renderMedia = (row: MediaRow): Static<typeof Media> => ({
  ...project(Media, row),
  url: buildMediaPath(row.name),
});

export const mediaAuditEntity: AuditEntity<Static<typeof Media>> = {
  kind: 'media',
  async read(tx, name) {
    await lockMedia(tx, name);
    const row = await findMedia(tx, name);
    return row && renderMedia(row);
  },
};

/** Stores a picture under the hash of its bytes. Leaves an existing file unchanged. */
export async function addMedia(tx: Tx, bytes: Buffer, auditContext: AuditContext) {
  if (bytes.length > MAX_FILE_BYTES)
    throw imageRefused({ en: 'is larger than 2 MiB', pt: 'tem mais de 2 MiB' });
  const image = inspectImage(bytes);
  if ('en' in image) throw imageRefused(image);
  const { type, extension, width, height } = image;
  const name = `${hash('sha256', bytes, 'hex').slice(0, 32)}.${extension}`;
  const isNew = await insertMedia(tx, { name, type, width, height, uploaded_at: auditContext.now, bytes });
  const file = renderMedia((await findMedia(tx, name))!);
  // If the file exists already, nothing changes, so the entry has no values.
  await recordAuditEntry(tx, auditContext, { kind: 'media', id: name }, isNew ? file : {});
  return { file, isNew };
}

export async function removeMedia(tx: Tx, _now: Date, { name, uses }: Static<typeof Media>): Promise<void> {
  if (uses > 0)
    throw stillUsed({
      en: `${uses} merchants or posts use the picture.`,
      pt: `${uses} lojas ou artigos mostram esta imagem.`,
    });
  await deleteMedia(tx, name);
}
