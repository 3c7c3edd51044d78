import { hash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Bilingual } from '#core/bilingual.ts';
import type { Tx } from '#platform/database/db.ts';
import { MOST_BYTES } from '#platform/http/file-body.ts';
import { Timestamp } from '#platform/http/schemas.ts';
import { shown } from '#platform/http/shown.ts';
import { type Change, recordChange, recordCreation, type Subject } from '#platform/privacy/trail.ts';
import { defineProblem } from '#platform/problem.ts';
import { stillUsed } from '../problems.ts';
import { inspectImage, MOST_PIXELS } from './image.ts';
import { deleteMedia, findMedia, insertMedia, lockMedia, type MediaRow, mediaPath } from './store.ts';

export const imageRefused = defineProblem({
  code: 'image_refused',
  status: 422,
  title: { en: 'The picture is not taken', pt: 'A imagem não foi aceita' },
  cause: `It is no PNG, JPEG, WebP or SVG by what is in it, is larger than ${MOST_PIXELS} by ${MOST_PIXELS} pixels, or is an SVG that could do something.`,
  remedy: 'Save it as one of these, smaller, or as a plain drawing. The detail says what is wrong.',
  detail: ({ en, pt }: Bilingual) => ({ en: `The picture ${en}.`, pt: `A imagem ${pt}.` }),
});

export const NAME = '^[0-9a-z]{32}\\.(png|jpg|webp|svg)$';

export const EXAMPLE_NAME = '9f86d081884c7d659a2feaa0c55ad015.png';

export const Media = Type.Object(
  {
    name: Type.String({
      pattern: NAME,
      description: 'Made of what is in it: the same picture has the same name.',
      examples: [EXAMPLE_NAME],
    }),
    url: Type.String({
      description: 'For `logo_url` and `cover_url`, and to link to in a post.',
      examples: [mediaPath(EXAMPLE_NAME)],
    }),
    type: Type.String({ examples: ['image/png'] }),
    size: Type.Integer({ description: 'Bytes.' }),
    width: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Pixels. Null where an SVG does not say.',
    }),
    height: Type.Union([Type.Integer(), Type.Null()]),
    uses: Type.Integer({ description: 'How many merchants and posts show it.' }),
    uploaded_at: Timestamp(),
  },
  { $id: 'Media' },
);

/** For openapi.json: the body is the picture itself. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const;

export const renderMedia = (row: MediaRow): Static<typeof Media> => ({
  ...shown(Media, row),
  url: mediaPath(row.name),
});

const mediaSubject: Subject<Static<typeof Media>> = {
  kind: 'media',
  async read(tx, name) {
    await lockMedia(tx, name);
    const found = await findMedia(tx, name);
    return found && renderMedia(found);
  },
};

/** Stores a picture, named by the hash of its bytes. One that exists already is left as it is. */
export async function addMedia(tx: Tx, bytes: Buffer, change: Change) {
  if (bytes.length > MOST_BYTES) throw imageRefused({ en: 'has more than 2 MiB', pt: 'tem mais de 2 MiB' });
  const image = inspectImage(bytes);
  if ('en' in image) throw imageRefused(image);
  const { type, ending, width, height } = image;
  const name = `${hash('sha256', bytes, 'hex').slice(0, 32)}.${ending}`;
  const isNew = await insertMedia(tx, { name, type, width, height, uploaded_at: change.now, bytes });
  const file = renderMedia((await findMedia(tx, name))!);
  await recordCreation(tx, change, { kind: 'media', id: name }, isNew ? file : {});
  return { file, isNew };
}

export function removeMedia(tx: Tx, name: string, change: Change) {
  return recordChange(tx, change, { of: mediaSubject, id: name }, async ({ uses }) => {
    if (uses > 0)
      throw stillUsed({
        en: `${uses} merchants or posts show it.`,
        pt: `${uses} lojas ou artigos mostram esta imagem.`,
      });
    await deleteMedia(tx, name);
  });
}
